import type { Cluster } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { ClusterDrainForm } from '../forms/cluster-drain.tsx';
import { useOperatorRead } from '../operator.ts';
import type { Sign } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { count } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import style from './operator.module.css';

/** Copies of the service are places of their own, which the table above has. */
function signOf({ engine, reachable, is_active }: Cluster): Sign {
  if (reachable === false) return { word: 'does not answer', shape: 'triangle', tone: 'bad' };
  if (!is_active) return { word: 'takes no new agents', shape: 'square', tone: 'off' };
  if (engine === 'process') return { word: 'the hosts above', shape: 'disc', tone: 'good' };
  if (reachable === null) return { word: 'not tried yet', shape: 'ring', tone: 'off' };
  return { word: 'answers', shape: 'disc', tone: 'good' };
}

const COLUMNS: readonly Column<Cluster>[] = [
  {
    name: 'Cluster',
    cell: ({ id, engine }) => (
      <>
        <span className="strong">{visible(id)}</span>
        <span className={`muted ${style.under}`}>{engine}</span>
      </>
    ),
  },
  {
    name: 'Region',
    priority: 2,
    cell: ({ region_id }) =>
      region_id === null ? <span className="muted">those without a cluster</span> : visible(region_id),
  },
  { name: 'State', cell: (cluster) => <Signed sign={signOf(cluster)} /> },
  {
    name: 'Agents',
    end: true,
    cell: ({ instances, max_instances }) =>
      max_instances === null ? count(instances) : `${count(instances)} of ${count(max_instances)}`,
  },
  {
    name: 'Looked after by',
    priority: 3,
    cell: ({ lease_holder }) => (
      <span className="mono muted" title={lease_holder ?? undefined}>
        {lease_holder ? `${lease_holder.slice(0, 8)}…` : ''}
      </span>
    ),
  },
  {
    name: 'Seen',
    end: true,
    priority: 2,
    cell: ({ last_seen_at }) => last_seen_at && <Time at={last_seen_at} />,
  },
];

/** Clusters run runtimes, and outlive the copies of the service. */
export function OperatorClusters() {
  const list = useOperatorRead('list_clusters', { query: { per_page: 100 } }, { isLive: true });
  const [isDraining, setDraining] = useState(false);
  const clusters = list.data?.items ?? [];
  // With one alone there is nowhere to go.
  const mayMove = clusters.length > 1;
  return (
    <Section
      title="Clusters"
      aside={mayMove && <Button onClick={() => setDraining(true)}>Move agents away…</Button>}
    >
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Clusters"
        columns={COLUMNS}
        empty={<Empty>There is no cluster.</Empty>}
      />
      {isDraining && <ClusterDrainForm clusters={clusters} onClose={() => setDraining(false)} />}
    </Section>
  );
}

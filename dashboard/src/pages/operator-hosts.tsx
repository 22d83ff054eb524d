import type { Host } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useOperatorRead } from '../operator.ts';
import type { Sign } from '../rules/status.ts';
import { count } from '../rules/words.ts';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { OperatorClusters } from './operator-clusters.tsx';

const SIGNS: Record<Host['state'], Sign> = {
  alive: { word: 'alive', shape: 'disc', tone: 'good' },
  dead: { word: 'not seen for 30 seconds', shape: 'triangle', tone: 'bad' },
};

const COLUMNS: readonly Column<Host>[] = [
  { name: 'Host', cell: ({ id }) => <span className="mono">{id}</span> },
  { name: 'State', cell: ({ state }) => <Signed sign={SIGNS[state]} /> },
  { name: 'Runtimes', end: true, cell: ({ instances }) => count(instances) },
  { name: 'Seen', end: true, priority: 2, cell: ({ seen_at }) => <Time at={seen_at} /> },
];

const route = getRouteApi('/operator/operator/hosts');

export function OperatorHosts() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorRead('list_operator_hosts', { query: { page, per_page: 50 } }, { isLive: true });
  return (
    <Page
      title="Hosts"
      name="Hosts · Operator"
      sub="Copies of the service that run agents’ runtimes. A dead one is forgotten after a day, and others take over."
    >
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Hosts"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: { page: to } })}
        empty={<Empty>No copy of the service runs runtimes by itself.</Empty>}
      />
      <OperatorClusters />
    </Page>
  );
}

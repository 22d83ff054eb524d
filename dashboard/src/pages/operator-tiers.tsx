import type { Tier } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { TierForm } from '../forms/tier.tsx';
import { useOperatorRead } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { bytes, count } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Offered } from './offered.tsx';
import style from './operator.module.css';

const MIB = 1024 * 1024;

const COLUMNS: readonly Column<Tier>[] = [
  {
    name: 'Tier',
    cell: ({ id, name }) => (
      <>
        <Link from="/operator/tiers" search={(old) => ({ ...old, open: id })}>
          {visible(name)}
        </Link>
        <span className={`mono muted ${style.under}`}>{visible(id)}</span>
      </>
    ),
  },
  { name: 'About', priority: 3, cell: ({ description }) => description && visible(description) },
  {
    name: 'Processor',
    priority: 2,
    end: true,
    cell: ({ cpu_millis }) =>
      cpu_millis === null ? <span className="muted">no limit</span> : `${count(cpu_millis / 1000)} cores`,
  },
  {
    name: 'Memory',
    priority: 2,
    end: true,
    cell: ({ memory_mib }) =>
      memory_mib === null ? <span className="muted">no limit</span> : bytes(memory_mib * MIB),
  },
  { name: 'State', cell: ({ is_active }) => <Offered is={is_active} /> },
  { name: 'Changed', priority: 3, cell: ({ updated_at }) => <Time at={updated_at} as="when" /> },
];

const route = getRouteApi('/operator/operator/tiers');

export function OperatorTiers() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorRead('list_operator_tiers', { query: { page, per_page: 50 } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <Page
      title="Tiers"
      name="Tiers · Operator"
      sub="How much of a machine an agent gets"
      actions={
        <Button look="primary" icon="plus" onClick={() => openAs('new')}>
          Tier
        </Button>
      }
    >
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Tiers"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty action={<Button onClick={() => openAs('new')}>Add the first</Button>}>
            There is no tier, so no agent can be deployed.
          </Empty>
        }
      />
      {(open === 'new' || opened) && <TierForm of={opened} onClose={() => openAs(undefined)} />}
    </Page>
  );
}

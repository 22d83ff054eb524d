import type { Item } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Listed } from '../ui/listed.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { behindOf, InstanceState, Revision, TaskInPlace } from './instance-cells.tsx';
import style from './instances.module.css';

type Row = Item<'list_instances'>;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Agent',
    cell: (row) => (
      <>
        <Link to="/instances/$instance_id/timeline" params={{ instance_id: row.id }} className="mono strong">
          {visible(row.hostname)}
        </Link>
        <p className={`hint ${style.below}`}>
          {row.customer_name !== null && <Name of={row.customer_name} />}
          {behindOf(row) > 0 && `, ${behindOf(row)} behind`}
        </p>
      </>
    ),
  },
  {
    name: 'Customer',
    priority: 2,
    cell: ({ customer_name, hosting_mode, deployment_count }) =>
      hosting_mode === 'shared' ? (
        <span className="muted">{plural(deployment_count, 'customer')}</span>
      ) : (
        customer_name !== null && <Name of={customer_name} />
      ),
  },
  { name: 'Recipe', priority: 2, cell: (row) => <Revision of={row} named /> },
  { name: 'State', cell: (row) => <InstanceState of={row} /> },
  { name: 'Under way', priority: 3, cell: ({ task }) => task && <TaskInPlace task={task} /> },
  { name: 'Since', priority: 2, end: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

/** Value of the address, statuses of the service, words. */
const STATES = [
  ['', undefined, 'All'],
  ['running', ['running'], 'Running'],
  ['starting', ['pending', 'provisioning'], 'Starting'],
  ['stopped', ['stopped'], 'Stopped'],
  ['failed', ['failed'], 'Failed'],
  ['ended', ['terminating', 'terminated'], 'Ended'],
] as const;

const route = getRouteApi('/inside/instances');

export function Instances() {
  const { page = 1, search, status } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useRead('get_me', {});
  const [chosen, statuses] = stateOf(status);
  const list = useRead('list_instances', {
    query: {
      ...(search && { search }),
      ...(statuses ? { status: statuses.join(',') } : { live: true }),
      page,
      per_page: 50,
    },
  });
  const isAdmin = me?.role === 'admin';
  return (
    <Page
      title="Agents"
      sub={list.data && subOf(list.data.total, search, chosen)}
      actions={
        isAdmin && (
          <ButtonLink look="primary" to="/deploy">
            Deploy an agent
          </ButtonLink>
        )
      }
    >
      <Narrow search={search} chosen={chosen} />
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Agents"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={<NoAgents isNarrowed={Boolean(search || chosen)} isAdmin={isAdmin} />}
      />
    </Page>
  );
}

const stateOf = (status: string | undefined) => STATES.find(([value]) => value === status) ?? STATES[0];

function Narrow({ search, chosen }: { search: string | undefined; chosen: string }) {
  const navigate = route.useNavigate();
  const { data: overview } = useRead('get_overview', {});
  const counts: Record<string, number | undefined> = overview?.instances ?? {};
  const find = useCallback(
    (words: string) =>
      void navigate({
        search: (old) => ({ ...old, search: words || undefined, page: undefined }),
        replace: true,
      }),
    [navigate],
  );
  const chips = STATES.map(([value, of, words]): readonly [string, string] => {
    const n = of?.reduce<number>((sum, each) => sum + (counts[each] ?? 0), 0) ?? 0;
    return [value, n > 0 && value !== 'ended' ? `${words} ${n}` : words];
  });
  return (
    <Toolbar>
      <SearchField label="Search by name" value={search ?? ''} onSearch={find} />
      <Chips
        label="State"
        of={chips}
        chosen={chosen}
        onChoose={(value) =>
          void navigate({ search: (old) => ({ ...old, status: value || undefined, page: undefined }) })
        }
      />
    </Toolbar>
  );
}

function subOf(total: number, search: string | undefined, chosen: string): string {
  const agents = plural(total, 'agent');
  if (search) return `${agents} with “${visible(search)}” in the name`;
  return chosen ? agents : `${agents}, without those that ended`;
}

const NoAgents = ({ isNarrowed, isAdmin }: { isNarrowed: boolean; isAdmin: boolean }) =>
  isNarrowed ? (
    <Empty
      action={
        <ButtonLink to="/instances" search={{}}>
          Show all
        </ButtonLink>
      }
    >
      No agent is like that.
    </Empty>
  ) : (
    <Empty
      action={isAdmin && <ButtonLink to="/deploy">Deploy the first one</ButtonLink>}
      command="agentctl deploy <recipe> --customer <customer> --hostname <name> --wait"
    >
      An agent is a recipe at work for a customer, and there is none yet.
    </Empty>
  );

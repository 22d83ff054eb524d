import type { Connection, Query } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { customerPath, opening } from '../rules/names.ts';
import { providerChoices, providerWords } from '../rules/providers.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Listed } from '../ui/listed.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './channels.module.css';
import { FoundFilter } from './found-filter.tsx';
import { useWhose } from './whose.ts';

const VIEWS = [
  ['', 'Expired or soon'],
  ['expired', 'Expired'],
  ['expiring', 'Ends soon'],
  ['all', 'All'],
  ['revoked', 'Revoked'],
] as const;
type View = (typeof VIEWS)[number][0];

/** The names in the address and in the operation. */
const SEARCH: Record<View, { status?: string; expiring?: string }> = {
  '': {},
  expired: { status: 'expired' },
  expiring: { expiring: 'true' },
  all: { status: 'all' },
  revoked: { status: 'revoked' },
};
const QUERY: Record<Exclude<View, ''>, Pick<Query<'list_all_connections'>, 'status' | 'expiring'>> = {
  expired: { status: 'expired' },
  expiring: { expiring: true },
  all: {},
  revoked: { status: 'revoked' },
};

const COLUMNS: readonly Column<Connection>[] = [
  {
    name: 'Connection',
    cell: (row) => (
      <>
        <Link to={customerPath(row.customer_id, 'connections')} search={opening(row.id)}>
          <Name of={row.name ?? providerWords(row.provider)} />
        </Link>
        <span className={`hint ${style.phone}`}>{visible(row.customer_name ?? '')}</span>
      </>
    ),
  },
  {
    name: 'Customer',
    priority: 2,
    cell: ({ customer_id, customer_name }) => (
      <Link to={customerPath(customer_id, 'connections')} className="link">
        <Name of={customer_name ?? 'Customer'} />
      </Link>
    ),
  },
  {
    name: 'Service',
    priority: 3,
    cell: ({ provider }) => <code className="mono">{visible(provider)}</code>,
  },
  {
    name: 'State',
    cell: ({ status, last_error }) => (
      <div className={style.why}>
        <Status of="connection" is={status} />
        {last_error !== null && <p className="hint">{visible(last_error)}</p>}
      </div>
    ),
  },
  {
    name: 'Ends',
    cell: ({ expires_at, status }) =>
      expires_at === null ? (
        <span className="muted">{status === 'active' ? 'never' : ''}</span>
      ) : (
        <Time at={expires_at} as={status === 'active' ? 'left' : 'when'} />
      ),
  },
];

const route = getRouteApi('/inside/channels-frame/connections');

export function Connections() {
  const { status, expiring, provider, customer_id } = route.useSearch();
  const navigate = route.useNavigate();
  const [view] = VIEWS.find(([each]) => each === (expiring === 'true' ? 'expiring' : status)) ?? VIEWS[0];
  const only = { ...(provider && { provider }), ...(customer_id && { customer_id }) };
  const change = (next: { provider?: string | undefined; customer_id?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next, page: undefined }), replace: true });
  return (
    <>
      <Toolbar>
        <Chips
          label="State"
          of={VIEWS}
          chosen={view}
          onChoose={(to) => void navigate({ search: { ...only, ...SEARCH[to] }, replace: true })}
        />
        <FoundFilter
          label="Customer"
          kinds={['customer']}
          chosen={useWhose({ customer_id })}
          onChoose={(item) => change({ customer_id: item?.id })}
        />
        <SelectFilter
          label="Service"
          value={provider ?? ''}
          choices={[['', 'All services'], ...choicesWith(provider)]}
          onChoose={(to) => change({ provider: to || undefined })}
        />
      </Toolbar>
      {view === '' ? <Urgent only={only} /> : <All view={view} only={only} />}
    </>
  );
}

const choicesWith = (provider: string | undefined) =>
  provider === undefined || providerChoices.some(([slug]) => slug === provider)
    ? providerChoices
    : [...providerChoices, [provider, provider] as const];

type Only = Pick<Query<'list_all_connections'>, 'provider' | 'customer_id'>;

function Urgent({ only }: { only: Only }) {
  const expired = useRead('list_all_connections', { query: { ...only, ...QUERY.expired } });
  const soon = useRead('list_all_connections', { query: { ...only, ...QUERY.expiring } });
  if (expired.data?.total === 0 && soon.data?.total === 0)
    return (
      <Empty
        action={
          <ButtonLink from="/connections" search={(old) => ({ ...old, ...SEARCH.all })}>
            Show all connections
          </ButtonLink>
        }
        command="agentctl connections list"
      >
        No connection has expired or ends within six weeks.
      </Empty>
    );
  return (
    <>
      {expired.data?.total !== 0 && <Part title="Expired" view="expired" list={expired} />}
      {soon.data?.total !== 0 && <Part title="Ends within six weeks" view="expiring" list={soon} />}
    </>
  );
}

type List = ReturnType<typeof useRead<'list_all_connections'>>;

const Part = ({ title, view, list }: { title: string; view: View; list: List }) => (
  <Section
    title={title}
    aside={
      list.data &&
      list.data.total > list.data.items.length && (
        <Link from="/connections" search={(old) => ({ ...old, ...SEARCH[view] })} className="link hint">
          All {plural(list.data.total, 'connection')}
        </Link>
      )
    }
  >
    <Listed of={list} rows={({ items }) => items} label={title} columns={COLUMNS} empty={null} />
  </Section>
);

function All({ view, only }: { view: Exclude<View, ''>; only: Only }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRead('list_all_connections', {
    query: { ...only, ...QUERY[view], page, per_page: 50 },
  });
  return (
    <Listed
      of={list}
      rows={({ items }) => items}
      label="Connections"
      columns={COLUMNS}
      onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
      empty={
        <Empty command="agentctl connections list">
          {view === 'all'
            ? 'There are no connections here. They are added at the customer whose agents need them.'
            : 'There are no such connections.'}
        </Empty>
      }
    />
  );
}

import type { Item } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { CustomerCreateForm } from '../forms/customer-create.tsx';
import { useRead } from '../queries.ts';
import { toCsv } from '../rules/csv.ts';
import { customerName } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { placeOf } from '../rules/zone.ts';
import { acp } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Exported } from '../ui/export.tsx';
import { Listed } from '../ui/listed.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ShapeMark } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './customers.module.css';
import { ForAdmins } from './failures.tsx';

type Row = Item<'list_customers'>;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Name',
    sort: 'company_name',
    cell: (row) => (
      <Link to="/customers/$customer_id/overview" params={{ customer_id: row.id }}>
        <Name of={customerName(row)} />
      </Link>
    ),
  },
  {
    name: 'E-mail',
    sort: 'email',
    priority: 2,
    cell: ({ email }) => <span className="muted">{email && visible(email)}</span>,
  },
  {
    name: 'Where',
    priority: 3,
    cell: ({ country_code, timezone }) => (
      <span className="muted">{[placeOf(timezone), country_code].filter(Boolean).join(', ')}</span>
    ),
  },
  { name: 'Agents', cell: (row) => <Agents of={row} /> },
  { name: 'Since', sort: 'created_at', priority: 2, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Agents({ of: { instance_count: all, running_instance_count: running } }: { of: Row }) {
  if (all === 0) return <span className="muted">none</span>;
  const isWhole = running === all;
  return (
    <span className={style.agents}>
      <ShapeMark shape={isWhole ? 'disc' : 'ring'} tone={isWhole ? 'good' : 'off'} />
      {isWhole ? `${running} running` : `${running} of ${all} running`}
    </span>
  );
}

const SORTS = ['created_at', 'email', 'company_name', 'updated_at'] as const;

const route = getRouteApi('/inside/customers');

export const Customers = () => (
  <ForAdmins title="Customers">
    <CustomerList />
  </ForAdmins>
);

function CustomerList() {
  const { page = 1, q, sort, dir, open } = route.useSearch();
  const navigate = route.useNavigate();
  const sort_by = SORTS.find((each) => each === sort) ?? 'created_at';
  const sort_dir = dir === 'asc' ? 'asc' : 'desc';
  const narrowed = { ...(q && { q }), sort_by, sort_dir } as const;
  const list = useRead('list_customers', { query: { ...narrowed, page, per_page: 50 } });
  const search = useCallback(
    (words: string) =>
      void navigate({ search: (old) => ({ ...old, q: words || undefined, page: undefined }), replace: true }),
    [navigate],
  );
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const add = (
    <Button look="primary" icon="plus" onClick={() => openAs('new')}>
      Customer
    </Button>
  );
  const total = list.data?.total;
  return (
    <Page
      title="Customers"
      sub={
        total !== undefined &&
        (q
          ? `${plural(total, 'customer')} with “${q}”`
          : `${plural(total, 'customer')}, each with its own people, rules and agents`)
      }
      actions={add}
    >
      <Toolbar actions={<Exported name="customers.csv" rows={() => csvOf(narrowed)} />}>
        <SearchField label="Search by name or e-mail" value={q ?? ''} onSearch={search} />
      </Toolbar>
      <Listed
        of={list}
        rows={({ customers }) => customers}
        label="Customers"
        columns={COLUMNS}
        sorting={{ by: sort_by, dir: sort_dir }}
        onSort={({ by, dir: to }) =>
          void navigate({ search: (old) => ({ ...old, sort: by, dir: to, page: undefined }) })
        }
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={<NoCustomers q={q} clear={() => search('')} add={() => openAs('new')} />}
      />
      {open === 'new' && (
        <CustomerCreateForm
          onClose={() => openAs(undefined)}
          onMade={({ id }) =>
            void navigate({ to: '/customers/$customer_id/overview', params: { customer_id: id } })
          }
        />
      )}
    </Page>
  );
}

const NoCustomers = ({ q, clear, add }: { q: string | undefined; clear: () => void; add: () => void }) =>
  q ? (
    <Empty action={<Button onClick={clear}>Show all</Button>}>
      No customer has “{visible(q)}” in its name or e-mail.
    </Empty>
  ) : (
    <Empty action={<Button onClick={add}>Add a customer</Button>} command="agentctl customers create">
      Agents work for customers, and there is none yet.
    </Empty>
  );

async function csvOf(query: { q?: string; sort_by: (typeof SORTS)[number]; sort_dir: 'asc' | 'desc' }) {
  const rows = [['name', 'email', 'country', 'currency', 'time_zone', 'agents', 'running', 'since']] as (
    | string
    | number
    | null
  )[][];
  for await (const each of acp.each('list_customers', { query }))
    rows.push([
      each.company_name,
      each.email,
      each.country_code,
      each.currency,
      each.timezone,
      each.instance_count,
      each.running_instance_count,
      each.created_at,
    ]);
  return toCsv(rows);
}

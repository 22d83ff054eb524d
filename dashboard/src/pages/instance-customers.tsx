import type { Item } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { useInstance, useIsAdmin } from './use-instance.ts';

type Row = Item<'list_instance_deployments'>;

const nameOf = ({ customer_name, customer_email }: Row) =>
  visible(customer_name ?? customer_email ?? 'An erased customer');

const columns = (onEnd: (row: Row) => void): readonly Column<Row>[] => [
  {
    name: 'Customer',
    cell: (row) =>
      row.customer_id === null ? (
        <span className="muted">{nameOf(row)}</span>
      ) : (
        <Link to="/customers/$customer_id/overview" params={{ customer_id: row.customer_id }}>
          <Name of={nameOf(row)} />
        </Link>
      ),
  },
  { name: 'Name', priority: 2, cell: ({ hostname }) => <span className="mono">{visible(hostname)}</span> },
  { name: 'Revision', cell: ({ recipe_revision }) => <span className="mono">r{recipe_revision}</span> },
  {
    name: 'Different for it',
    priority: 3,
    cell: ({ instance_overrides }) => (
      <span className="muted">{Object.keys(instance_overrides ?? {}).join(', ') || 'nothing'}</span>
    ),
  },
  { name: 'Since', priority: 2, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Menu label={`Actions for ${nameOf(row)}`}>
        <MenuItem bad onSelect={() => onEnd(row)}>
          Remove…
        </MenuItem>
      </Menu>
    ),
  },
];

const route = getRouteApi('/inside/instances/$instance_id/customers');

export function InstanceCustomers() {
  const isAdmin = useIsAdmin();
  if (isAdmin === false) return <Empty>Only admins see whom an agent serves.</Empty>;
  return isAdmin && <Customers />;
}

function Customers() {
  const { instance_id } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<Row>();
  const { data } = useInstance();
  const list = useRead('list_instance_deployments', { path: { instance_id }, query: { page } });
  return (
    <>
      <Toolbar
        actions={
          data && (
            <ButtonLink to="/deploy" search={{ recipe: data.recipe_id }} icon="plus">
              Customer
            </ButtonLink>
          )
        }
      >
        <p className="muted">
          {data?.hosting_mode === 'shared'
            ? `It serves several customers, each with its own data, and has places for ${data.shared_node_capacity}.`
            : 'It serves one customer alone.'}
        </p>
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Customers of the agent"
        columns={columns(setEnding)}
        onPage={(to) => void navigate({ search: { page: to } })}
        empty={<Empty>It serves nobody any more.</Empty>}
      />
      {ending && <Removal of={ending} isLast={list.data?.total === 1} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Removal({ of, isLast, onClose }: { of: Row; isLast: boolean; onClose: () => void }) {
  const remove = useWrite('delete_instance_deployment');
  const { instance_id, id: deployment_id } = of;
  return (
    <Confirm
      title={`Remove ${nameOf(of)}?`}
      action="Remove the customer"
      phrase={isLast ? of.hostname : undefined}
      run={() =>
        remove.run({ path: { instance_id, deployment_id } }).then(() => say(`${nameOf(of)} is removed.`))
      }
      onClose={onClose}
    >
      {isLast
        ? 'It is the last one, so the agent is terminated for good. Conversations stay readable.'
        : 'The agent answers this customer’s people no more, from now on. Others notice nothing.'}
    </Confirm>
  );
}

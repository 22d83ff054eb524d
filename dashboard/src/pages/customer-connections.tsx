import type { Connection } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConnectionCreateForm } from '../forms/connection-create.tsx';
import { ConnectionUpdateForm } from '../forms/connection-update.tsx';
import { useRead, useWrite } from '../queries.ts';
import { providerWords } from '../rules/providers.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Empty } from '../ui/notice.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';

const route = getRouteApi('/inside/customers/$customer_id/connections');

const nameOf = ({ name, provider }: Connection) => visible(name ?? providerWords(provider));

const columns = (onEnd: (row: Connection) => void): readonly Column<Connection>[] => [
  {
    name: 'Connection',
    cell: (row) => (
      <Link from="/customers/$customer_id/connections" search={(old) => ({ ...old, open: row.id })}>
        {nameOf(row)}
      </Link>
    ),
  },
  {
    name: 'Service',
    priority: 2,
    cell: ({ provider }) => <code className="mono">{visible(provider)}</code>,
  },
  {
    name: 'State',
    cell: ({ status, last_error }) => (
      <>
        <Status of="connection" is={status} />
        {last_error && <p className="hint">{visible(last_error)}</p>}
      </>
    ),
  },
  {
    name: 'Expires',
    priority: 2,
    cell: ({ expires_at }) =>
      expires_at ? <Time at={expires_at} as="left" /> : <span className="muted">never</span>,
  },
  {
    name: 'Given to',
    priority: 3,
    cell: ({ allowed_hosts }) => (
      <span className="muted">
        {allowed_hosts.length > 0 ? visible(allowed_hosts.join(', ')) : 'agents alone'}
      </span>
    ),
  },
  { name: 'Added', priority: 3, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Menu label={`Actions for ${nameOf(row)}`}>
        <MenuItem bad onSelect={() => onEnd(row)}>
          Delete…
        </MenuItem>
      </Menu>
    ),
  },
];

export function CustomerConnections() {
  const { customer_id } = route.useParams();
  const { page = 1, open, provider } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<Connection>();
  const list = useRead('list_connections', { path: { customer_id }, query: { page, per_page: 100 } });
  const openAs = (what: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, open: what, provider: undefined }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            Connection
          </Button>
        }
      >
        <p className="muted">Credentials that this customer’s agents need, kept encrypted.</p>
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Connections"
        columns={columns(setEnding)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={<Button onClick={() => openAs('new')}>Add a connection</Button>}
            command="agentctl connections create"
          >
            Recipes name the services that their agents need. This customer is connected to none yet.
          </Empty>
        }
      />
      {open === 'new' && (
        <ConnectionCreateForm
          customer_id={customer_id}
          provider={provider}
          onClose={() => openAs(undefined)}
        />
      )}
      {opened && <ConnectionUpdateForm of={opened} onClose={() => openAs(undefined)} />}
      {ending && <Deletion of={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Deletion({ of, onClose }: { of: Connection; onClose: () => void }) {
  const end = useWrite('delete_connection');
  return (
    <Confirm
      title={`Delete ${nameOf(of)}?`}
      action="Delete the connection"
      run={() => end.run({ path: { customer_id: of.customer_id, connection_id: of.id } })}
      onClose={onClose}
    >
      Its credentials are forgotten, and agents that use it lose it within minutes. To go on with another
      token, change the connection instead.
    </Confirm>
  );
}

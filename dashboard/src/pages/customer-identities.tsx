import type { Identity } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { IdentityForm } from '../forms/identity.tsx';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';

const route = getRouteApi('/inside/customers/$customer_id/identities');

interface Act {
  of: Identity;
  what: 'reset' | 'delete';
}

const KNOWN = { word: 'verified', shape: 'check', tone: 'good' } as const;
const UNKNOWN = { word: 'not verified', shape: 'ring', tone: 'off' } as const;

const nameOf = ({ display_name, external_id }: Identity) => display_name || external_id;

const columns = (act: (what: Act) => void): readonly Column<Identity>[] => [
  {
    name: 'Name',
    cell: (row) => (
      <Link from="/customers/$customer_id/identities" search={(old) => ({ ...old, open: row.id })}>
        <Name of={nameOf(row)} />
      </Link>
    ),
  },
  { name: 'Address', cell: ({ external_id }) => <code className="mono">{visible(external_id)}</code> },
  { name: 'Channel', priority: 2, cell: ({ channel }) => <span className="muted">{visible(channel)}</span> },
  {
    name: 'Role',
    priority: 3,
    cell: ({ role_override }) => <span className="muted">{role_override && visible(role_override)}</span>,
  },
  { name: 'State', priority: 2, cell: ({ verified }) => <Signed sign={verified ? KNOWN : UNKNOWN} /> },
  { name: 'Since', priority: 3, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: '',
    end: true,
    cell: (of) => (
      <Menu label={`Actions for ${visible(nameOf(of))}`}>
        <MenuItem onSelect={() => act({ of, what: 'reset' })}>Reset the PIN…</MenuItem>
        <MenuItem bad onSelect={() => act({ of, what: 'delete' })}>
          Delete…
        </MenuItem>
      </Menu>
    ),
  },
];

export function CustomerIdentities() {
  const { customer_id } = route.useParams();
  const { page = 1, q, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [act, setAct] = useState<Act>();
  const list = useRead('list_identities', {
    path: { customer_id },
    query: { page, ...(q && { external_id: q }) },
  });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const search = useCallback(
    (words: string) =>
      void navigate({ search: (old) => ({ ...old, q: words || undefined, page: undefined }), replace: true }),
    [navigate],
  );
  const opened = list.data?.items.find(({ id }) => id === open);
  const close = () => openAs(undefined);
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            Sender
          </Button>
        }
      >
        <SearchField label="Find a whole address" value={q ?? ''} onSearch={search} />
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Identities"
        columns={columns(setAct)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          q ? (
            <Empty action={<Button onClick={() => search('')}>Show all</Button>}>
              No sender of this customer writes from {visible(q)}.
            </Empty>
          ) : (
            <Empty
              action={<Button onClick={() => openAs('new')}>Add a sender</Button>}
              command="agentctl identities create"
            >
              An agent knows a sender by the address. Of this customer’s it knows none yet, so all are
              strangers.
            </Empty>
          )
        }
      />
      {open === 'new' && <IdentityForm customer_id={customer_id} onClose={close} />}
      {opened && <IdentityForm customer_id={customer_id} of={opened} onClose={close} />}
      {act?.what === 'reset' && <Reset of={act.of} onClose={() => setAct(undefined)} />}
      {act?.what === 'delete' && <Deletion of={act.of} onClose={() => setAct(undefined)} />}
    </>
  );
}

function Reset({ of, onClose }: { of: Identity; onClose: () => void }) {
  const reset = useWrite('reset_identity_pin');
  return (
    <Confirm
      title={`Reset the PIN of ${visible(nameOf(of))}?`}
      action="Reset the PIN"
      run={() => reset.run({ path: { customer_id: of.customer_id, identity_id: of.id } })}
      onClose={onClose}
    >
      A PIN of their own is removed and its lock ends. From then on the customer’s PIN applies, if there is
      one.
    </Confirm>
  );
}

function Deletion({ of, onClose }: { of: Identity; onClose: () => void }) {
  const erase = useWrite('delete_identity');
  return (
    <Confirm
      title={`Delete ${visible(nameOf(of))}?`}
      action="Delete the sender"
      run={() => erase.run({ path: { customer_id: of.customer_id, identity_id: of.id } })}
      onClose={onClose}
    >
      The address is a stranger’s again, and its own PIN goes with it. The conversations stay.
    </Confirm>
  );
}

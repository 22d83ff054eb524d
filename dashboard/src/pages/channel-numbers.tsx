import type { ChannelEndpoint } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { ChannelEndpointForm, type SavedEndpoint } from '../forms/channel-endpoint.tsx';
import { useRead, useWrite } from '../queries.ts';
import { agentPath, customerPath } from '../rules/names.ts';
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
import { ChannelNumber } from './channel-number.tsx';
import style from './channels.module.css';

/** While the channel's console is about to show the token. */
const VERIFY_MS = 4000;

const route = getRouteApi('/inside/channels-frame/channels');

interface RowActions {
  onEdit: (id: string) => void;
  onEnd: (row: ChannelEndpoint) => void;
}

const columns = ({ onEdit, onEnd }: RowActions): readonly Column<ChannelEndpoint>[] => [
  {
    name: 'Number’s id',
    cell: ({ id, phone_number_id, hostname }) => (
      <>
        <Link from="/channels" search={(old) => ({ ...old, open: id })} className="mono">
          {visible(phone_number_id)}
        </Link>
        <span className={`hint ${style.phone}`}>{visible(hostname ?? '')}</span>
      </>
    ),
  },
  {
    name: 'Who answers',
    priority: 2,
    cell: ({ instance_id, hostname }) => (
      <Link to={agentPath(instance_id)} className="link">
        <Name of={hostname ?? 'The agent'} />
      </Link>
    ),
  },
  { name: 'Customer', priority: 3, cell: (row) => <Whose of={row} /> },
  { name: 'State', cell: ({ verified_at }) => <Verified at={verified_at} /> },
  {
    name: 'Last message',
    cell: ({ last_received_at: at }) => (at ? <Time at={at} /> : <span className="muted">none yet</span>),
  },
  {
    name: '',
    end: true,
    priority: 2,
    cell: (row) => (
      <Menu label={`Actions for ${visible(row.phone_number_id)}`}>
        <MenuItem onSelect={() => onEdit(row.id)}>Change…</MenuItem>
        <MenuItem bad onSelect={() => onEnd(row)}>
          Delete…
        </MenuItem>
      </Menu>
    ),
  },
];

const Whose = ({ of: { customer_id, customer_name } }: { of: ChannelEndpoint }) =>
  customer_id === null ? (
    <span className="muted">the agent’s own</span>
  ) : (
    <Link to={customerPath(customer_id)} className="link">
      <Name of={customer_name ?? 'Customer'} />
    </Link>
  );

const Verified = ({ at }: { at: string | null }) =>
  at === null ? (
    <Signed sign={{ word: 'not verified yet', shape: 'diamond', tone: 'wait' }} />
  ) : (
    <Signed sign={{ word: 'verified', shape: 'disc', tone: 'good' }}>
      <span className={style.still}>
        verified <Time at={at} />
      </span>
    </Signed>
  );

export function ChannelNumbers() {
  const { page = 1, q, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<ChannelEndpoint>();
  const list = useRead(
    'list_channel_endpoints',
    { query: { page, ...(q && { search: q }) } },
    open === undefined ? {} : { every: VERIFY_MS },
  );
  const search = useCallback(
    (words: string) =>
      void navigate({ search: (old) => ({ ...old, q: words || undefined, page: undefined }), replace: true }),
    [navigate],
  );
  const go: Go = (to) =>
    void navigate({ search: (old) => ({ ...old, open: undefined, edit: undefined, ...to }) });
  const add = () => go({ open: 'new' });
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={add}>
            Number
          </Button>
        }
      >
        <SearchField label="Search by id or connection" value={q ?? ''} onSearch={search} />
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Numbers"
        columns={columns({ onEdit: (id) => go({ edit: id }), onEnd: setEnding })}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={<NoNumbers q={q} clear={() => search('')} add={add} />}
      />
      <Dialogs rows={list.data?.items ?? []} go={go} onEnd={setEnding} />
      {ending && <Deletion of={ending} done={() => go({})} onClose={() => setEnding(undefined)} />}
    </>
  );
}

type Go = (to: { open?: string; edit?: string }) => void;

interface DialogsProps {
  rows: readonly ChannelEndpoint[];
  go: Go;
  onEnd: (row: ChannelEndpoint) => void;
}

/** The one that the address names. */
function Dialogs({ rows, go, onEnd }: DialogsProps) {
  const { open, edit } = route.useSearch();
  const [made, setMade] = useState<SavedEndpoint>();
  const opened = rows.find(({ id }) => id === open);
  const edited = rows.find(({ id }) => id === edit);
  if (open === 'new' || edited)
    return (
      <ChannelEndpointForm
        of={edited}
        onClose={() => go({})}
        onSaved={(saved) => {
          setMade(saved);
          go({ open: saved.id });
        }}
      />
    );
  if (!opened) return null;
  return (
    <ChannelNumber
      of={opened}
      made={made?.id === opened.id ? made : undefined}
      onEdit={() => go({ edit: opened.id })}
      onEnd={() => onEnd(opened)}
      onClose={() => {
        setMade(undefined);
        go({});
      }}
    />
  );
}

const NoNumbers = ({ q, clear, add }: { q: string | undefined; clear: () => void; add: () => void }) =>
  q ? (
    <Empty action={<Button onClick={clear}>Show all</Button>}>
      No number has “{visible(q)}” in its id or connection.
    </Empty>
  ) : (
    <Empty action={<Button onClick={add}>Add a number</Button>} command="agentctl channels create">
      People reach an agent in their chat app by a number, and there is none yet.
    </Empty>
  );

interface DeletionProps {
  of: ChannelEndpoint;
  done: () => void;
  onClose: () => void;
}

function Deletion({ of: { id, phone_number_id, hostname }, done, onClose }: DeletionProps) {
  const end = useWrite('delete_channel_endpoint', { done });
  return (
    <Confirm
      title={`Delete ${visible(phone_number_id)}?`}
      action="Delete the number"
      run={() => end.run({ path: { endpoint_id: id } })}
      onClose={onClose}
    >
      Who writes to it gets no answer of {visible(hostname ?? 'the agent')} any more, and messages that still
      wait are dropped. Conversations stay.
    </Confirm>
  );
}

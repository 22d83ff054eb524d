import type { OpenInvitation } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Failed } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time, useNow } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import style from './settings.module.css';

const columns = (end: (row: OpenInvitation) => void): readonly Column<OpenInvitation>[] => [
  { name: 'E-mail', cell: ({ email }) => <span className="strong">{visible(email)}</span> },
  { name: 'Role', cell: ({ role }) => <span className={style.whole}>{sentence(role)}</span> },
  {
    name: 'Invited by',
    priority: 2,
    cell: ({ created_by }) => (
      <span className="muted">
        {created_by?.kind === 'operations' ? 'the operator' : created_by?.name && visible(created_by.name)}
      </span>
    ),
  },
  { name: 'Link', priority: 2, cell: ({ expires_at }) => <Expiry at={expires_at} /> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Button small onClick={() => end(row)}>
        Take back<span className="vh"> the invitation of {visible(row.email)}</span>
      </Button>
    ),
  },
];

const Expiry = ({ at }: { at: string }) =>
  Date.parse(at) > useNow() ? <Time at={at} as="left" /> : <span className="wait">too old: invite anew</span>;

/** Those that nobody has accepted yet; without any, nothing. */
export function Invitations() {
  const [ending, setEnding] = useState<OpenInvitation>();
  const { data, error, refetch } = useRead('list_invitations', { query: { per_page: 100 } });
  if (!error && (data?.items ?? []).length === 0) return null;
  return (
    <Section title="Invited, and not here yet">
      {error && <Failed error={error} retry={() => void refetch()} />}
      {data && (
        <Table
          label="Open invitations"
          rows={data.items}
          columns={columns(setEnding)}
          keyOf={({ id }) => id}
        />
      )}
      {ending && <TakingBack of={ending} onClose={() => setEnding(undefined)} />}
    </Section>
  );
}

function TakingBack({ of: { id, email }, onClose }: { of: OpenInvitation; onClose: () => void }) {
  const end = useWrite('delete_invitation', { done: () => say('The invitation is taken back.') });
  return (
    <Confirm
      title={`Take back the invitation of ${visible(email)}?`}
      action="Take it back"
      run={() => end.run({ path: { invitation_id: id } })}
      onClose={onClose}
    >
      Its link ends. Whoever opens it is told so.
    </Confirm>
  );
}

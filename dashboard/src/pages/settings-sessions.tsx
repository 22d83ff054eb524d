import type { Session } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { signOut } from '../session.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { Signed } from '../ui/status.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';

const PER_PAGE = 20;

const columns = (end: (row: Session) => void): readonly Column<Session>[] => [
  { name: 'Began', cell: ({ created_at }) => <Time at={created_at} as="when" /> },
  { name: 'Tenant', priority: 2, cell: ({ tenant_name }) => visible(tenant_name) },
  {
    name: 'Last used',
    cell: ({ is_current, last_used_at }) =>
      is_current ? (
        <Signed sign={{ word: 'this browser', shape: 'disc', tone: 'good' }} />
      ) : (
        <Time at={last_used_at} />
      ),
  },
  { name: 'Ends by itself', priority: 2, cell: ({ expires_at }) => <Time at={expires_at} as="left" /> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Button small onClick={() => end(row)}>
        End
      </Button>
    ),
  },
];

/** One's own, in all tenants. */
export function MySessions() {
  const [page, setPage] = useState(1);
  const [ending, setEnding] = useState<Session>();
  const list = useRead('list_my_sessions', { query: { page, per_page: PER_PAGE } });
  return (
    <Section title="Sessions">
      <Answered of={list}>
        {({ items, total }) => (
          <>
            <Table label="Sessions" rows={items} columns={columns(setEnding)} keyOf={({ id }) => id} />
            <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
          </>
        )}
      </Answered>
      {ending && <Ending of={ending} onClose={() => setEnding(undefined)} />}
    </Section>
  );
}

function Ending({ of: { id, is_current }, onClose }: { of: Session; onClose: () => void }) {
  const end = useWrite('end_my_session', { done: () => say('The session has ended.') });
  return (
    <Confirm
      title={is_current ? 'Sign out of this browser?' : 'End this session?'}
      action={is_current ? 'Sign out' : 'End the session'}
      run={() => (is_current ? signOut() : end.run({ path: { session_id: id } }))}
      onClose={onClose}
    >
      {is_current
        ? 'All tabs of this browser are signed out.'
        : 'Whatever is signed in by it, a browser or a terminal, is signed out at once.'}
    </Confirm>
  );
}

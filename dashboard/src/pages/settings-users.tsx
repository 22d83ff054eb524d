import type { User } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { InvitationCreateForm } from '../forms/invitation-create.tsx';
import { useRead } from '../queries.ts';
import { invitationLink, passwordResetLink } from '../rules/links.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Empty } from '../ui/notice.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './settings.module.css';
import { Invitations } from './settings-invitations.tsx';
import { type UserAct, UserActs } from './settings-user-acts.tsx';

const columns = (mine: string | undefined, act: (act: UserAct) => void): readonly Column<User>[] => [
  {
    name: 'E-mail',
    cell: ({ id, email }) => (
      <>
        <span className="strong">{visible(email)}</span>
        {id === mine && <span className="hint"> (you)</span>}
      </>
    ),
  },
  { name: 'Role', cell: ({ role }) => <span className={style.whole}>{sentence(role)}</span> },
  {
    name: 'Last signed in',
    priority: 2,
    cell: ({ last_signed_in_at: at }) => (at ? <Time at={at} /> : <span className="muted">never</span>),
  },
  { name: 'Since', priority: 3, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
  {
    name: '',
    end: true,
    cell: (user) =>
      user.id !== mine && (
        <Menu label={`Actions for ${visible(user.email)}`}>
          <MenuItem onSelect={() => act({ user, does: 'role' })}>
            {user.role === 'admin' ? 'Make a member…' : 'Make an admin…'}
          </MenuItem>
          <MenuItem onSelect={() => act({ user, does: 'reset' })}>New password by a link…</MenuItem>
          <MenuItem bad onSelect={() => act({ user, does: 'remove' })}>
            Remove…
          </MenuItem>
        </Menu>
      ),
  },
];

interface Link {
  for: 'invitation' | 'password';
  token: string;
  email: string;
  expires_at: string;
}

const route = getRouteApi('/inside/settings/settings/users');

export function SettingsUsers() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [act, setAct] = useState<UserAct>();
  const [link, setLink] = useState<Link>();
  const { data: me } = useRead('get_me', {});
  const list = useRead('list_users', { query: { page, per_page: 50 } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('invite')}>
            Invite a person
          </Button>
        }
      >
        <p className="muted">Admins do everything. Members read, and answer people.</p>
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Users"
        columns={columns(me?.user.id, setAct)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={<Empty command="agentctl users invite ana@example.com">Nobody has a user here.</Empty>}
      />
      <Invitations />
      {open === 'invite' && (
        <InvitationCreateForm
          onClose={() => openAs(undefined)}
          onMade={({ invitation_token: token, expires_at }, email) => {
            setLink({ for: 'invitation', token, email, expires_at });
            openAs(undefined);
          }}
        />
      )}
      {act && (
        <UserActs
          of={act}
          onClose={() => setAct(undefined)}
          onReset={(token, expires_at) => {
            setLink({ for: 'password', token, email: act.user.email, expires_at });
            setAct(undefined);
          }}
        />
      )}
      {link && me && (
        <LinkOnce of={link} base_url={me.capabilities.base_url} onClose={() => setLink(undefined)} />
      )}
    </>
  );
}

const LinkOnce = ({ of, base_url, onClose }: { of: Link; base_url: string; onClose: () => void }) => (
  <SecretDialog
    title={
      of.for === 'invitation'
        ? `The invitation of ${visible(of.email)}`
        : `A new password for ${visible(of.email)}`
    }
    secret={(of.for === 'invitation' ? invitationLink : passwordResetLink)(base_url, of.token)}
    label="the link"
    onClose={onClose}
  >
    It is shown this once and works once, <Time at={of.expires_at} as="left" />. Hand it to the person alone:
    whoever has it can {of.for === 'invitation' ? 'accept the invitation' : 'choose the password'}.
  </SecretDialog>
);

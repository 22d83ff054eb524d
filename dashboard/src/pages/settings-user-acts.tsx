import type { User } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';

export interface UserAct {
  user: User;
  does: 'role' | 'reset' | 'remove';
}

interface Props {
  of: UserAct;
  onReset: (token: string, expires_at: string) => void;
  onClose: () => void;
}

/** Asks before it is done to a user. */
export function UserActs({ of: { user, does }, onReset, onClose }: Props) {
  if (does === 'role') return <RoleChange of={user} onClose={onClose} />;
  if (does === 'remove') return <Removal of={user} onClose={onClose} />;
  return <Reset of={user} onReset={onReset} onClose={onClose} />;
}

function RoleChange({ of: { id, email, role }, onClose }: { of: User; onClose: () => void }) {
  const update = useWrite('update_user', { done: () => say('The role is changed.') });
  const to = role === 'admin' ? 'member' : 'admin';
  return (
    <Confirm
      title={`Make ${visible(email)} ${to === 'admin' ? 'an admin' : 'a member'}?`}
      action={to === 'admin' ? 'Make an admin' : 'Make a member'}
      run={() => update.run({ path: { user_id: id }, body: { role: to } })}
      onClose={onClose}
    >
      {to === 'admin'
        ? 'An admin deploys and ends agents, sees customers, and can take this role from others.'
        : 'From the next request on, what is for admins is refused. Reading and answering stay.'}
    </Confirm>
  );
}

function Removal({ of: { id, email }, onClose }: { of: User; onClose: () => void }) {
  const remove = useWrite('delete_user', { done: () => say(`${email} is removed.`) });
  return (
    <Confirm
      title={`Remove ${visible(email)}?`}
      action="Remove from the tenant"
      run={() => remove.run({ path: { user_id: id } })}
      onClose={onClose}
    >
      The person loses access to this tenant at once, in all browsers. Memberships of other tenants stay, and
      an invitation brings the person back.
    </Confirm>
  );
}

interface ResetProps {
  of: User;
  onReset: Props['onReset'];
  onClose: () => void;
}

function Reset({ of: { id, email }, onReset, onClose }: ResetProps) {
  const reset = useWrite('create_password_reset');
  const run = async () => {
    const { reset_token, expires_at } = await reset.run({ path: { user_id: id } });
    onReset(reset_token, expires_at);
  };
  return (
    <Confirm
      title={`A new password for ${visible(email)}?`}
      action="Make the link"
      run={run}
      onClose={onClose}
    >
      You get a link with which the person chooses a password. Until then the one of now goes on; afterwards
      all other sessions of the person have ended.
    </Confirm>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { acp, currentSession, openDoor, renew, switchTenant } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Failed, Notice } from '../ui/notice.tsx';
import { Door, takeToken } from './sign-in.tsx';

const PasswordField = () => (
  <TextField
    name="password"
    label="Your password"
    hint="At least 12 characters; a sentence is easy to remember."
    type="password"
    autoComplete="new-password"
    minLength={12}
    maxLength={200}
    required
    autoFocus
  />
);

const NoToken = ({ of }: { of: string }) => (
  <Notice tone="bad">This address has no token. Open the whole link of the {of}.</Notice>
);

/** Joins with a new account, or with the one that is signed in. */
export function AcceptInvitation() {
  const [token] = useState(takeToken);
  const [isSignedIn, setSignedIn] = useState(false);
  const [error, setError] = useState<unknown>();
  const navigate = useNavigate();
  useEffect(() => {
    renew().then(setSignedIn, () => setSignedIn(false));
  }, []);
  if (token === undefined)
    return (
      <Door title="You are invited">
        <NoToken of="invitation" />
      </Door>
    );
  const join = async () => {
    setError(undefined);
    try {
      const { tenant_id } = await acp.call('accept_invitation', { body: { invitation_token: token } });
      await switchTenant(tenant_id);
    } catch (refused) {
      setError(refused);
    }
  };
  const begin = async (values: FormData) => {
    const body = { invitation_token: token, password: textOf(values, 'password') };
    await openDoor('accept_invitation', body);
    await navigate({ to: '/sign-in', search: { notice: 'invited' }, replace: true });
  };
  return (
    <Door title="You are invited">
      {isSignedIn && currentSession() ? (
        <>
          {error ? <Failed error={error} /> : null}
          <p>You are signed in already. The invitation can be accepted with this account.</p>
          <Button look="primary" onClick={() => void join()}>
            Join with this account
          </Button>
        </>
      ) : (
        <Form onSave={begin} label="Accept the invitation">
          {(pending) => (
            <>
              <PasswordField />
              <Button type="submit" look="primary" pending={pending}>
                Accept
              </Button>
              <p className="hint">
                With an account of another tenant: sign in first, then open the link again.
              </p>
            </>
          )}
        </Form>
      )}
    </Door>
  );
}

export function ResetPassword() {
  const [token] = useState(takeToken);
  const navigate = useNavigate();
  const reset = async (values: FormData) => {
    await openDoor('reset_password', { reset_token: token ?? '', password: textOf(values, 'password') });
    await navigate({ to: '/sign-in', search: { notice: 'password' }, replace: true });
  };
  return (
    <Door title="Choose a new password">
      {token === undefined ? (
        <NoToken of="password reset" />
      ) : (
        <Form onSave={reset} label="Choose a new password">
          {(pending) => (
            <>
              <PasswordField />
              <Button type="submit" look="primary" pending={pending}>
                Set the password
              </Button>
            </>
          )}
        </Form>
      )}
    </Door>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { signIn, signInByLink } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Mark } from '../ui/icon.tsx';
import { Failed, Notice } from '../ui/notice.tsx';
import { Title } from '../ui/page.tsx';
import style from './sign-in.module.css';

export const Door = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className={style.door}>
    <div className={style.card}>
      <header className={style.head}>
        <Mark size={28} />
        <Title>{title}</Title>
      </header>
      {children}
    </div>
  </main>
);

const NOTICES: Record<string, string> = {
  invited: 'Welcome. Sign in with the password that you have just chosen.',
  password: 'The new password is set. Sign in with it.',
  tenant: 'Another tab went to another tenant, so this one begins anew.',
};

/** Only addresses of these pages: `//other.example` would leave them. */
const ownAddress = (to: string | undefined) => (to && /^\/(?![/\\])/.test(to) ? to : '/');

export function SignIn() {
  const { to, notice } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const enter = async (values: FormData) => {
    await signIn({ email: textOf(values, 'email'), password: textOf(values, 'password') });
    await navigate({ to: ownAddress(to), replace: true });
  };
  return (
    <Door title="Sign in">
      {notice && NOTICES[notice] && <Notice tone="act">{NOTICES[notice]}</Notice>}
      <Form onSave={enter} label="Sign in">
        {(pending) => (
          <>
            <TextField name="email" label="E-mail" type="email" autoComplete="username" required autoFocus />
            <TextField
              name="password"
              label="Password"
              type="password"
              autoComplete="current-password"
              required
            />
            <Button type="submit" look="primary" pending={pending}>
              Sign in
            </Button>
          </>
        )}
      </Form>
      <p className="hint">
        Whoever runs the service makes a link for the first time:{' '}
        <code className="mono">agentctl dashboard</code>
      </p>
    </Door>
  );
}

/** The token stands behind `#`, which no server sees, and leaves the address before anything else. */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(history.state, '', location.pathname);
  return token;
}

export function StartByLink() {
  const [token] = useState(takeToken);
  const [error, setError] = useState<unknown>(
    token === undefined ? new Error('The link has no token.') : undefined,
  );
  const begun = useRef(false);
  const navigate = useNavigate();
  useEffect(() => {
    if (token === undefined || begun.current) return;
    begun.current = true;
    signInByLink(token).then(() => navigate({ to: '/', replace: true }), setError);
  }, [token, navigate]);
  return (
    <Door title={error ? 'This link does not open' : 'One moment'}>
      {error ? (
        <>
          <Failed error={error} />
          <p className="hint">
            A link works once, within 15 minutes. Another one:{' '}
            <code className="mono">agentctl dashboard</code>
          </p>
        </>
      ) : (
        <p role="status">The link is being opened.</p>
      )}
    </Door>
  );
}

import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { currentSession } from '../session.ts';
import { Failed, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

export const NotFound = () => (
  <Page title="There is no such page">
    <p>
      The address may be mistyped, or what it named is gone.{' '}
      <Link to="/" className="link">
        Go to the overview
      </Link>
    </p>
  </Page>
);

export function PageFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page title="This page does not open">
      <Failed error={error} retry={() => void router.invalidate()} />
    </Page>
  );
}

/** In place of a page that a member is refused; the menu does not name it either. */
export const ForAdmins = ({ title, children }: { title: string; children: ReactNode }) =>
  currentSession()?.role === 'admin' ? (
    children
  ) : (
    <Page title={title}>
      <Notice tone="off">Only admins of this tenant may see it. Ask one of them.</Notice>
    </Page>
  );

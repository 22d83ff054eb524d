import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { NotFound, PageFailed } from '../pages/failures.tsx';
import { operationsUsed } from '../queries.ts';
import { currentSession, renew } from '../session.ts';
import { Shell } from '../shell.tsx';

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageFailed,
});

/** The parent of all pages that need a session, which the browser's cookie may have. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    operationsUsed.clear();
    if (currentSession() || (await renew())) return;
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
});

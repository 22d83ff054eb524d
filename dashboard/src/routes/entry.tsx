import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from './roots.tsx';
import { texts } from './search.ts';

/** The pages of those who are not signed in yet. */
export const entryRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: texts('to', 'notice'),
    component: lazyRouteComponent(() => import('../pages/sign-in.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/start',
    component: lazyRouteComponent(() => import('../pages/sign-in.tsx'), 'StartByLink'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitations/accept',
    component: lazyRouteComponent(() => import('../pages/doors.tsx'), 'AcceptInvitation'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/password-reset',
    component: lazyRouteComponent(() => import('../pages/doors.tsx'), 'ResetPassword'),
  }),
] as const;

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { texts } from './search.ts';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    validateSearch: texts('notice'),
    component: lazyRouteComponent(() => import('../pages/overview.tsx'), 'Overview'),
  }),
] as const;

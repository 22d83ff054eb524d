import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list } from './search.ts';

export const usageRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/usage',
    validateSearch: list('by', 'from', 'to', 'measure', 'customer_id', 'instance_id'),
    component: lazyRouteComponent(() => import('../pages/usage.tsx'), 'UsagePage'),
  }),
] as const;

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list, numbers } from './search.ts';

const workforce = createRoute({
  getParentRoute: () => inside,
  path: '/workforce',
  component: lazyRouteComponent(() => import('../pages/workforce.tsx'), 'WorkforceFrame'),
});

const tabs = [
  createRoute({
    getParentRoute: () => workforce,
    path: 'timesheets',
    validateSearch: list('status', 'customer_id', 'person_id', 'from', 'to'),
    component: lazyRouteComponent(() => import('../pages/timesheets.tsx'), 'Timesheets'),
  }),
  createRoute({
    getParentRoute: () => workforce,
    path: 'certificates',
    validateSearch: (search: Record<string, unknown>) => ({
      ...list<never>()(search),
      ...numbers(1, 'within')(search),
    }),
    component: lazyRouteComponent(() => import('../pages/certificates.tsx'), 'Certificates'),
  }),
] as const;

export const workforceRoutes = [workforce.addChildren([...tabs])] as const;

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list, texts } from './search.ts';

const customer = createRoute({
  getParentRoute: () => inside,
  path: '/customers/$customer_id',
  component: lazyRouteComponent(() => import('../pages/customer.tsx'), 'CustomerFrame'),
});

/** `open` names the dialog of a page: `new`, or the id of a row. */
const tabs = [
  createRoute({
    getParentRoute: () => customer,
    path: 'overview',
    validateSearch: texts('open'),
    component: lazyRouteComponent(() => import('../pages/customer-overview.tsx'), 'CustomerOverview'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'connections',
    validateSearch: list('open', 'provider'),
    component: lazyRouteComponent(() => import('../pages/customer-connections.tsx'), 'CustomerConnections'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'identities',
    validateSearch: list('q', 'open'),
    component: lazyRouteComponent(() => import('../pages/customer-identities.tsx'), 'CustomerIdentities'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'websites',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/customer-websites.tsx'), 'CustomerWebsites'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'subscriptions',
    validateSearch: list('open'),
    component: lazyRouteComponent(
      () => import('../pages/customer-subscriptions.tsx'),
      'CustomerSubscriptions',
    ),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'rules',
    validateSearch: texts('view'),
    component: lazyRouteComponent(() => import('../pages/customer-rules.tsx'), 'CustomerRules'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'config',
    validateSearch: texts('view'),
    component: lazyRouteComponent(() => import('../pages/customer-config.tsx'), 'CustomerConfig'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'pin',
    component: lazyRouteComponent(() => import('../pages/customer-pin.tsx'), 'CustomerPin'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'budget',
    component: lazyRouteComponent(() => import('../pages/customer-budget.tsx'), 'CustomerBudget'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'staff',
    validateSearch: list('q', 'status', 'sort', 'dir', 'open'),
    component: lazyRouteComponent(() => import('../pages/customer-staff.tsx'), 'CustomerStaff'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'shifts',
    validateSearch: list('view', 'person', 'open'),
    component: lazyRouteComponent(() => import('../pages/customer-shifts.tsx'), 'CustomerShifts'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: 'timesheets',
    validateSearch: list('status'),
    component: lazyRouteComponent(() => import('../pages/customer-timesheets.tsx'), 'CustomerTimesheets'),
  }),
] as const;

export const customerRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/customers',
    validateSearch: list('q', 'sort', 'dir', 'open'),
    component: lazyRouteComponent(() => import('../pages/customers.tsx'), 'Customers'),
  }),
  customer.addChildren([...tabs]),
] as const;

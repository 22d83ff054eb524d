import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from './roots.tsx';
import { list, texts } from './search.ts';

/** Not inside: who runs the service need not be a user of a tenant. */
const operator = createRoute({
  getParentRoute: () => root,
  id: 'operator',
  component: lazyRouteComponent(() => import('../operator-shell.tsx'), 'OperatorShell'),
});

/** `open` names the dialog of a page: `new`, or the id of a row. */
const pages = [
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/overview',
    component: lazyRouteComponent(() => import('../pages/operator-overview.tsx'), 'OperatorOverview'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/tenants',
    validateSearch: list('search', 'open'),
    component: lazyRouteComponent(() => import('../pages/operator-tenants.tsx'), 'OperatorTenants'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/instances',
    validateSearch: list('tenant', 'status'),
    component: lazyRouteComponent(() => import('../pages/operator-instances.tsx'), 'OperatorInstances'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/tasks',
    validateSearch: list('tenant', 'status'),
    component: lazyRouteComponent(() => import('../pages/operator-tasks.tsx'), 'OperatorTasks'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/messages',
    validateSearch: list('tenant', 'status'),
    component: lazyRouteComponent(() => import('../pages/operator-messages.tsx'), 'OperatorMessages'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/hosts',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/operator-hosts.tsx'), 'OperatorHosts'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/tiers',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/operator-tiers.tsx'), 'OperatorTiers'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/regions',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/operator-regions.tsx'), 'OperatorRegions'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/manifests',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/operator-manifests.tsx'), 'OperatorManifests'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/models',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/operator-models.tsx'), 'OperatorModels'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/llm-providers',
    validateSearch: texts('open'),
    component: lazyRouteComponent(() => import('../pages/operator-providers.tsx'), 'OperatorProviders'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/operator/authority',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/operator-authority.tsx'), 'OperatorAuthority'),
  }),
] as const;

export const operatorRoutes = [operator.addChildren([...pages])] as const;

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list, texts } from './search.ts';

const instance = createRoute({
  getParentRoute: () => inside,
  path: '/instances/$instance_id',
  component: lazyRouteComponent(() => import('../pages/instance-frame.tsx'), 'InstanceFrame'),
});

const tabs = [
  createRoute({
    getParentRoute: () => instance,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/instances/$instance_id/timeline', params });
    },
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'timeline',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/instance-timeline.tsx'), 'InstanceTimeline'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'talk',
    validateSearch: texts('as', 'conversation'),
    component: lazyRouteComponent(() => import('../pages/instance-talk.tsx'), 'InstanceTalk'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'configuration',
    validateSearch: texts('view'),
    component: lazyRouteComponent(
      () => import('../pages/instance-configuration.tsx'),
      'InstanceConfiguration',
    ),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'upgrade',
    validateSearch: texts('to', 'own'),
    component: lazyRouteComponent(() => import('../pages/instance-upgrade.tsx'), 'InstanceUpgrade'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'tools',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/instance-tools.tsx'), 'InstanceTools'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'triggers',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/instance-triggers.tsx'), 'InstanceTriggers'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'logs',
    validateSearch: texts('filter'),
    component: lazyRouteComponent(() => import('../pages/instance-logs.tsx'), 'InstanceLogs'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'access',
    component: lazyRouteComponent(() => import('../pages/instance-access.tsx'), 'InstanceAccess'),
  }),
  createRoute({
    getParentRoute: () => instance,
    path: 'customers',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/instance-customers.tsx'), 'InstanceCustomers'),
  }),
] as const;

export const instanceRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/instances',
    validateSearch: list('search', 'status'),
    component: lazyRouteComponent(() => import('../pages/instances.tsx'), 'Instances'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/deploy',
    validateSearch: texts('recipe', 'customer', 'try', 'open'),
    component: lazyRouteComponent(() => import('../pages/deploy.tsx'), 'Deploy'),
  }),
  instance.addChildren([...tabs]),
] as const;

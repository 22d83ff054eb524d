import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list, texts } from './search.ts';

const settings = createRoute({
  getParentRoute: () => inside,
  id: 'settings',
  component: lazyRouteComponent(() => import('../pages/settings.tsx'), 'SettingsFrame'),
});

/** `open` names the dialog of a page: `new`, or the id of a row. */
const tabs = [
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/me',
    component: lazyRouteComponent(() => import('../pages/settings-me.tsx'), 'SettingsMe'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/users',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/settings-users.tsx'), 'SettingsUsers'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/keys',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/settings-keys.tsx'), 'SettingsKeys'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/events',
    validateSearch: list('open', 'of', 'status'),
    component: lazyRouteComponent(() => import('../pages/settings-events.tsx'), 'SettingsEvents'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/models',
    validateSearch: texts('open', 'search'),
    component: lazyRouteComponent(() => import('../pages/settings-models.tsx'), 'SettingsModels'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/primitives',
    validateSearch: list('open', 'kind', 'search'),
    component: lazyRouteComponent(() => import('../pages/settings-primitives.tsx'), 'SettingsPrimitives'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/rules-templates',
    validateSearch: list('open', 'view'),
    component: lazyRouteComponent(() => import('../pages/settings-rules.tsx'), 'SettingsRules'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/onboarding-flows',
    validateSearch: list('open'),
    component: lazyRouteComponent(() => import('../pages/settings-flows.tsx'), 'SettingsFlows'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/limits',
    component: lazyRouteComponent(() => import('../pages/settings-limits.tsx'), 'SettingsLimits'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/settings/audit',
    validateSearch: list('of', 'by', 'actor', 'operation', 'tool', 'decision', 'from', 'to'),
    component: lazyRouteComponent(() => import('../pages/settings-audit.tsx'), 'SettingsAudit'),
  }),
] as const;

export const settingsRoutes = [settings.addChildren([...tabs])] as const;

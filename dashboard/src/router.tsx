import { createRouter } from '@tanstack/react-router';
import { approvalRoutes } from './routes/approvals.tsx';
import { channelRoutes } from './routes/channels.tsx';
import { conversationRoutes } from './routes/conversations.tsx';
import { customerRoutes } from './routes/customers.tsx';
import { entryRoutes } from './routes/entry.tsx';
import { instanceRoutes } from './routes/instances.tsx';
import { operatorRoutes } from './routes/operator.tsx';
import { overviewRoutes } from './routes/overview.tsx';
import { recipeRoutes } from './routes/recipes.tsx';
import { inside, root } from './routes/roots.tsx';
import { parseSearch, stringifySearch } from './routes/search.ts';
import { settingsRoutes } from './routes/settings.tsx';
import { usageRoutes } from './routes/usage.tsx';
import { workforceRoutes } from './routes/workforce.tsx';

const routeTree = root.addChildren([
  ...entryRoutes,
  ...operatorRoutes,
  inside.addChildren([
    ...overviewRoutes,
    ...conversationRoutes,
    ...approvalRoutes,
    ...instanceRoutes,
    ...recipeRoutes,
    ...customerRoutes,
    ...workforceRoutes,
    ...channelRoutes,
    ...usageRoutes,
    ...settingsRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

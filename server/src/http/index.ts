import { apiKeyRoutes } from './api-keys.ts';
import { authRoutes } from './auth.ts';
import type { Route } from './handler.ts';
import { healthRoutes } from './health.ts';
import { primitiveRoutes } from './primitives.ts';
import { tenantRoutes } from './tenants.ts';
import { userRoutes } from './users.ts';

/** Every operation with its handler. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...primitiveRoutes,
  ...tenantRoutes,
  ...healthRoutes,
];

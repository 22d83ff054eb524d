import { apiKeyRoutes } from './api-keys.ts';
import { authRoutes } from './auth.ts';
import { channelEndpointRoutes } from './channel-endpoints.ts';
import { channelMessageRoutes } from './channel-messages.ts';
import { connectionRoutes } from './connections.ts';
import { customerSettingRoutes } from './customer-settings.ts';
import { customerRoutes } from './customers.ts';
import { deploymentRoutes } from './deployments.ts';
import type { Route } from './handler.ts';
import { healthRoutes } from './health.ts';
import { identityRoutes } from './identities.ts';
import { instanceRoutes } from './instances.ts';
import { primitiveRoutes } from './primitives.ts';
import { recipeRoutes } from './recipes.ts';
import { regionRoutes } from './regions.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { taskRoutes } from './tasks.ts';
import { tenantRoutes } from './tenants.ts';
import { tierRoutes } from './tiers.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhook.ts';
import { websiteRoutes } from './websites.ts';

/** Every operation with its handler. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...primitiveRoutes,
  ...recipeRoutes,
  ...deploymentRoutes,
  ...instanceRoutes,
  ...taskRoutes,
  ...tierRoutes,
  ...regionRoutes,
  ...customerRoutes,
  ...customerSettingRoutes,
  ...subscriptionRoutes,
  ...websiteRoutes,
  ...identityRoutes,
  ...connectionRoutes,
  ...channelEndpointRoutes,
  ...channelMessageRoutes,
  ...webhookRoutes,
  ...tenantRoutes,
  ...healthRoutes,
];

import { apiKeyOperations } from './api-keys.ts';
import { authOperations } from './auth.ts';
import { channelEndpointOperations } from './channel-endpoints.ts';
import { channelMessageOperations } from './channel-messages.ts';
import { connectionOperations } from './connections.ts';
import { customerSettingOperations } from './customer-settings.ts';
import { customerOperations } from './customers.ts';
import { deploymentOperations } from './deployments.ts';
import { healthOperations } from './health.ts';
import { identityOperations } from './identities.ts';
import { instanceOperations } from './instances.ts';
import type { Operation } from './operation.ts';
import { primitiveOperations } from './primitives.ts';
import { recipeOperations } from './recipes.ts';
import { regionOperations } from './regions.ts';
import { subscriptionOperations } from './subscriptions.ts';
import { taskOperations } from './tasks.ts';
import { tenantOperations } from './tenants.ts';
import { tierOperations } from './tiers.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhook.ts';
import { websiteOperations } from './websites.ts';

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...authOperations,
  ...userOperations,
  ...apiKeyOperations,
  ...primitiveOperations,
  ...recipeOperations,
  ...deploymentOperations,
  ...instanceOperations,
  ...taskOperations,
  ...tierOperations,
  ...regionOperations,
  ...customerOperations,
  ...customerSettingOperations,
  ...subscriptionOperations,
  ...websiteOperations,
  ...identityOperations,
  ...connectionOperations,
  ...channelEndpointOperations,
  ...channelMessageOperations,
  ...webhookOperations,
  ...tenantOperations,
  ...healthOperations,
];

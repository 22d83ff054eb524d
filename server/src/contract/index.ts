import { apiKeyOperations } from './api-keys.ts';
import { authOperations } from './auth.ts';
import { healthOperations } from './health.ts';
import type { Operation } from './operation.ts';
import { primitiveOperations } from './primitives.ts';
import { tenantOperations } from './tenants.ts';
import { userOperations } from './users.ts';

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...authOperations,
  ...userOperations,
  ...apiKeyOperations,
  ...primitiveOperations,
  ...tenantOperations,
  ...healthOperations,
] as unknown as readonly Operation[];

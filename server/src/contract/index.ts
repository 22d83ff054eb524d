import { aiAssistOperations } from './ai-assist.ts';
import { apiKeyOperations } from './api-keys.ts';
import { assignmentOperations } from './assignments.ts';
import { authOperations } from './auth.ts';
import { bindingOperations } from './bindings.ts';
import { caOperations } from './ca.ts';
import { channelEndpointOperations } from './channel-endpoints.ts';
import { channelMessageOperations } from './channel-messages.ts';
import { connectionOperations } from './connections.ts';
import { customerSettingOperations } from './customer-settings.ts';
import { customerStaffOperations } from './customer-staff.ts';
import { customerOperations } from './customers.ts';
import { deploymentOperations } from './deployments.ts';
import { driveOperations } from './drive.ts';
import { enrollmentOperations } from './enrollment.ts';
import { healthOperations } from './health.ts';
import { identityOperations } from './identities.ts';
import { instanceOperations } from './instances.ts';
import { masterKeyOperations } from './master-key.ts';
import { mcpOperations } from './mcp.ts';
import { modelOperations } from './models.ts';
import type { Operation } from './operation.ts';
import { pinPolicyOperations } from './pin-policies.ts';
import { pinVerifyOperations } from './pin-verify.ts';
import { pinOperations } from './pins.ts';
import { primitiveOperations } from './primitives.ts';
import { recipeOperations } from './recipes.ts';
import { regionOperations } from './regions.ts';
import { renewalOperations } from './renewal.ts';
import { saveFromInstanceOperations } from './save-from-instance.ts';
import { secretRefreshOperations } from './secret-refresh.ts';
import { sharedHostingOperations } from './shared-hosting.ts';
import { shiftOperations } from './shifts.ts';
import { staffOperations } from './staff.ts';
import { subscriptionOperations } from './subscriptions.ts';
import { taskOperations } from './tasks.ts';
import { tenantOperations } from './tenants.ts';
import { tierOperations } from './tiers.ts';
import { timesheetOperations } from './timesheets.ts';
import { toolCallOperations } from './tool-calls.ts';
import { tunnelOperations } from './tunnel.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhook.ts';
import { websiteOperations } from './websites.ts';
import { workerOperations } from './workers.ts';

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...authOperations,
  ...userOperations,
  ...apiKeyOperations,
  ...primitiveOperations,
  ...recipeOperations,
  ...saveFromInstanceOperations,
  ...aiAssistOperations,
  ...deploymentOperations,
  ...instanceOperations,
  ...enrollmentOperations,
  ...renewalOperations,
  ...secretRefreshOperations,
  ...tunnelOperations,
  ...taskOperations,
  ...tierOperations,
  ...regionOperations,
  ...customerOperations,
  ...customerSettingOperations,
  ...subscriptionOperations,
  ...websiteOperations,
  ...staffOperations,
  ...customerStaffOperations,
  ...bindingOperations,
  ...shiftOperations,
  ...assignmentOperations,
  ...timesheetOperations,
  ...workerOperations,
  ...identityOperations,
  ...pinOperations,
  ...pinVerifyOperations,
  ...pinPolicyOperations,
  ...connectionOperations,
  ...driveOperations,
  ...channelEndpointOperations,
  ...channelMessageOperations,
  ...webhookOperations,
  ...tenantOperations,
  ...sharedHostingOperations,
  ...modelOperations,
  ...caOperations,
  ...masterKeyOperations,
  ...mcpOperations,
  ...toolCallOperations,
  ...healthOperations,
];

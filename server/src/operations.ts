import { apiKeyOperations } from './access/api-keys.contract.ts';
import { authOperations } from './access/auth.contract.ts';
import { tenantOperations } from './access/tenants.contract.ts';
import { userOperations } from './access/users.contract.ts';
import { toolCallOperations } from './audit/tool-calls.contract.ts';
import { modelOperations } from './catalogue/models.contract.ts';
import { primitiveOperations } from './catalogue/primitives.contract.ts';
import { regionOperations } from './catalogue/regions.contract.ts';
import { tierOperations } from './catalogue/tiers.contract.ts';
import { caOperations } from './certificates/ca.contract.ts';
import { enrollmentOperations } from './certificates/enrollment.contract.ts';
import { renewalOperations } from './certificates/renewal.contract.ts';
import { tunnelOperations } from './certificates/tunnel.contract.ts';
import { connectionOperations } from './connections/connections.contract.ts';
import { customerSettingOperations } from './customers/customer-settings.contract.ts';
import { customerOperations } from './customers/customers.contract.ts';
import { subscriptionOperations } from './customers/subscriptions.contract.ts';
import { websiteOperations } from './customers/websites.contract.ts';
import { driveOperations } from './drive/drive.contract.ts';
import { sharedHostingOperations } from './hosting/shared-hosting.contract.ts';
import { identityOperations } from './identities/identities.contract.ts';
import { deploymentOperations } from './instances/deployments.contract.ts';
import { instanceOperations } from './instances/instances.contract.ts';
import { secretRefreshOperations } from './instances/secret-refresh.contract.ts';
import { taskOperations } from './instances/tasks.contract.ts';
import { mcpOperations } from './mcp/mcp.contract.ts';
import { channelEndpointOperations } from './messaging/channel-endpoints.contract.ts';
import { channelMessageOperations } from './messaging/channel-messages.contract.ts';
import { webhookOperations } from './messaging/webhook.contract.ts';
import { pinPolicyOperations } from './pins/pin-policies.contract.ts';
import { pinVerifyOperations } from './pins/pin-verify.contract.ts';
import { pinOperations } from './pins/pins.contract.ts';
import type { Operation } from './platform/contract/operation.ts';
import { healthOperations } from './platform/health.contract.ts';
import { aiAssistOperations } from './recipes/ai-assist.contract.ts';
import { recipeOperations } from './recipes/recipes.contract.ts';
import { saveFromInstanceOperations } from './redaction/save-from-instance.contract.ts';
import { masterKeyOperations } from './secrets/master-key.contract.ts';
import { assignmentOperations } from './workforce/assignments.contract.ts';
import { bindingOperations } from './workforce/bindings.contract.ts';
import { customerStaffOperations } from './workforce/customer-staff.contract.ts';
import { shiftOperations } from './workforce/shifts.contract.ts';
import { staffOperations } from './workforce/staff.contract.ts';
import { timesheetOperations } from './workforce/timesheets.contract.ts';
import { workerOperations } from './workforce/workers.contract.ts';

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

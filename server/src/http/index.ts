import { aiAssistRoutes } from './ai-assist.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { assignmentRoutes } from './assignments.ts';
import { authRoutes } from './auth.ts';
import { bindingRoutes } from './bindings.ts';
import { caRoutes } from './ca.ts';
import { channelEndpointRoutes } from './channel-endpoints.ts';
import { channelMessageRoutes } from './channel-messages.ts';
import { connectionRoutes } from './connections.ts';
import { customerSettingRoutes } from './customer-settings.ts';
import { customerStaffRoutes } from './customer-staff.ts';
import { customerRoutes } from './customers.ts';
import { deploymentRoutes } from './deployments.ts';
import { driveRoutes } from './drive.ts';
import { enrollmentRoutes } from './enrollment.ts';
import type { Route } from './handler.ts';
import { healthRoutes } from './health.ts';
import { identityRoutes } from './identities.ts';
import { instanceRoutes } from './instances.ts';
import { masterKeyRoutes } from './master-key.ts';
import { modelRoutes } from './models.ts';
import { pinPolicyRoutes } from './pin-policies.ts';
import { pinVerifyRoutes } from './pin-verify.ts';
import { pinRoutes } from './pins.ts';
import { primitiveRoutes } from './primitives.ts';
import { recipeRoutes } from './recipes.ts';
import { regionRoutes } from './regions.ts';
import { renewalRoutes } from './renewal.ts';
import { saveFromInstanceRoutes } from './save-from-instance.ts';
import { secretRefreshRoutes } from './secret-refresh.ts';
import { sharedHostingRoutes } from './shared-hosting.ts';
import { shiftRoutes } from './shifts.ts';
import { staffRoutes } from './staff.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { taskRoutes } from './tasks.ts';
import { tenantRoutes } from './tenants.ts';
import { tierRoutes } from './tiers.ts';
import { timesheetRoutes } from './timesheets.ts';
import { toolCallRoutes } from './tool-calls.ts';
import { tunnelRoutes } from './tunnel.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhook.ts';
import { websiteRoutes } from './websites.ts';
import { workerRoutes } from './workers.ts';

/** Every operation with its handler; the one of MCP, which calls the others, stands in mcp/. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...primitiveRoutes,
  ...recipeRoutes,
  ...saveFromInstanceRoutes,
  ...aiAssistRoutes,
  ...deploymentRoutes,
  ...instanceRoutes,
  ...enrollmentRoutes,
  ...renewalRoutes,
  ...secretRefreshRoutes,
  ...tunnelRoutes,
  ...taskRoutes,
  ...tierRoutes,
  ...regionRoutes,
  ...customerRoutes,
  ...customerSettingRoutes,
  ...subscriptionRoutes,
  ...websiteRoutes,
  ...staffRoutes,
  ...customerStaffRoutes,
  ...bindingRoutes,
  ...shiftRoutes,
  ...assignmentRoutes,
  ...timesheetRoutes,
  ...workerRoutes,
  ...identityRoutes,
  ...pinRoutes,
  ...pinVerifyRoutes,
  ...pinPolicyRoutes,
  ...connectionRoutes,
  ...driveRoutes,
  ...channelEndpointRoutes,
  ...channelMessageRoutes,
  ...webhookRoutes,
  ...tenantRoutes,
  ...sharedHostingRoutes,
  ...modelRoutes,
  ...caRoutes,
  ...masterKeyRoutes,
  ...toolCallRoutes,
  ...healthRoutes,
];

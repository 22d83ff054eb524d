import { apiKeyRoutes } from './access/api-keys.http.ts';
import { authRoutes } from './access/auth.http.ts';
import { browserSessionRoutes } from './access/browser-sessions.http.ts';
import { accessDocs } from './access/docs.contract.ts';
import { invitationRoutes } from './access/invitations.http.ts';
import { meRoutes } from './access/me.http.ts';
import { passwordResetRoutes } from './access/password-resets.http.ts';
import { tenantRoutes } from './access/tenants.http.ts';
import { userRoutes } from './access/users.http.ts';
import { changeRoutes } from './audit/changes.http.ts';
import { auditDocs } from './audit/docs.contract.ts';
import { toolCallRoutes } from './audit/tool-calls.http.ts';
import { catalogueDocs } from './catalogue/docs.contract.ts';
import { modelRoutes } from './catalogue/models.http.ts';
import { primitiveRoutes } from './catalogue/primitives.http.ts';
import { regionRoutes } from './catalogue/regions.http.ts';
import { tierRoutes } from './catalogue/tiers.http.ts';
import { caRoutes } from './certificates/ca.http.ts';
import { certificatesDocs } from './certificates/docs.contract.ts';
import { enrollmentRoutes } from './certificates/enrollment.http.ts';
import { renewalRoutes } from './certificates/renewal.http.ts';
import { tunnelRoutes } from './certificates/tunnel.http.ts';
import { channelEndpointRoutes } from './channels/channel-endpoints.http.ts';
import { channelMessageRoutes } from './channels/channel-messages.http.ts';
import { channelsDocs } from './channels/docs.contract.ts';
import { mediaRoutes } from './channels/media.http.ts';
import { templateRoutes } from './channels/templates.http.ts';
import { webhookRoutes } from './channels/webhook.http.ts';
import { connectionRoutes } from './connections/connections.http.ts';
import { connectionsDocs } from './connections/docs.contract.ts';
import { conversationRoutes } from './conversations/conversations.http.ts';
import { conversationsDocs } from './conversations/docs.contract.ts';
import { uploadRoutes } from './conversations/uploads.http.ts';
import { customerSettingRoutes } from './customers/customer-settings.http.ts';
import { customerRoutes } from './customers/customers.http.ts';
import { customersDocs } from './customers/docs.contract.ts';
import { subscriptionRoutes } from './customers/subscriptions.http.ts';
import { websiteRoutes } from './customers/websites.http.ts';
import { dialogueDocs } from './dialogue/docs.contract.ts';
import { triggerRoutes } from './dialogue/listed-triggers.http.ts';
import { driveDocs } from './drive/docs.contract.ts';
import { driveRoutes } from './drive/drive.http.ts';
import { eligibilityDocs } from './eligibility/docs.contract.ts';
import { eligibilityRoutes } from './eligibility/eligibility.http.ts';
import { requirementRoutes } from './eligibility/requirements.http.ts';
import { eventsDocs } from './events/docs.contract.ts';
import { eventRoutes } from './events/events.http.ts';
import { hostingDocs } from './hosting/docs.contract.ts';
import { sharedHostingRoutes } from './hosting/shared-hosting.http.ts';
import { identitiesDocs } from './identities/docs.contract.ts';
import { identityRoutes } from './identities/identities.http.ts';
import { deploymentRoutes } from './instances/deployments.http.ts';
import { instancesDocs } from './instances/docs.contract.ts';
import { instanceRoutes } from './instances/instances.http.ts';
import { restartRoutes } from './instances/restarts.http.ts';
import { taskRoutes } from './instances/tasks.http.ts';
import { logsDocs } from './logs/docs.contract.ts';
import { instanceLogRoutes } from './logs/instance-logs.http.ts';
import { mcpDocs } from './mcp/docs.contract.ts';
import { type McpEndpoint, mcpRoutes } from './mcp/endpoint.ts';
import { operationToolRoutes } from './mcp/operations.http.ts';
import { waitForTaskRoute } from './mcp/wait-for-task.ts';
import { customerBudgetRoutes } from './models/budgets.http.ts';
import { modelsDocs } from './models/docs.contract.ts';
import { llmRoutes } from './models/llm.http.ts';
import { llmProviderRoutes } from './models/llm-providers.http.ts';
import { modelCallRoutes } from './models/model-calls.http.ts';
import { usageRoutes } from './models/usage.http.ts';
import { operatingDocs } from './operating/docs.contract.ts';
import { operatorListRoutes } from './operating/lists.http.ts';
import { operatorOverviewRoutes } from './operating/operator-overview.http.ts';
import { overviewDocs } from './overview/docs.contract.ts';
import { limitRoutes } from './overview/limits.http.ts';
import { liveRoutes } from './overview/live.http.ts';
import { overviewRoutes } from './overview/overview.http.ts';
import { pinsDocs } from './pins/docs.contract.ts';
import { pinPolicyRoutes } from './pins/pin-policies.http.ts';
import { pinVerifyRoutes } from './pins/pin-verify.http.ts';
import { pinRoutes } from './pins/pins.http.ts';
import { commonDocs } from './platform/contract/docs.contract.ts';
import type { Operation } from './platform/contract/operation.ts';
import { Wording } from './platform/contract/wording.ts';
import { healthRoutes } from './platform/health.http.ts';
import type { Route } from './platform/http/handler.ts';
import type { Admission } from './platform/load/admission.ts';
import { aiAssistRoutes } from './recipes/ai-assist.http.ts';
import { recipesDocs } from './recipes/docs.contract.ts';
import { manifestRoutes } from './recipes/manifests.http.ts';
import { onboardingFlowRoutes } from './recipes/onboarding-flows.http.ts';
import { recipeRoutes } from './recipes/recipes.http.ts';
import { rulesTemplateRoutes } from './recipes/rules-templates.http.ts';
import { redactionDocs } from './redaction/docs.contract.ts';
import { saveFromInstanceRoutes } from './redaction/save-from-instance.http.ts';
import { rolloutsDocs } from './rollouts/docs.contract.ts';
import { rolloutRoutes } from './rollouts/rollouts.http.ts';
import { clusterRoutes } from './runtimes/clusters.http.ts';
import { runtimesDocs } from './runtimes/docs.contract.ts';
import { proxyKeyRoutes } from './runtimes/proxy-keys.http.ts';
import { secretRefreshRoutes } from './runtimes/secret-refresh.http.ts';
import { secretsDocs } from './secrets/docs.contract.ts';
import { masterKeyRoutes } from './secrets/master-key.http.ts';
import type { Services } from './services.ts';
import { approvalRoutes } from './tools/approvals.http.ts';
import { toolsDocs } from './tools/docs.contract.ts';
import { toolGatewayRoutes } from './tools/tools.http.ts';
import { assignmentRoutes } from './workforce/assignments.http.ts';
import { bindingRoutes } from './workforce/bindings.http.ts';
import { workforceDocs } from './workforce/docs.contract.ts';
import { expiringCertRoutes } from './workforce/expiring-certs.http.ts';
import { shiftRoutes } from './workforce/shifts.http.ts';
import { customerStaffRoutes, staffRoutes } from './workforce/staff.http.ts';
import { timesheetRoutes } from './workforce/timesheets.http.ts';
import { workerRoutes } from './workforce/workers.http.ts';

export type RouteServices = Services & { mcp: McpEndpoint; admission: Admission };

const areas: readonly (readonly Route<RouteServices>[])[] = [
  authRoutes,
  browserSessionRoutes,
  userRoutes,
  invitationRoutes,
  passwordResetRoutes,
  meRoutes,
  apiKeyRoutes,
  primitiveRoutes,
  recipeRoutes,
  saveFromInstanceRoutes,
  aiAssistRoutes,
  rulesTemplateRoutes,
  onboardingFlowRoutes,
  deploymentRoutes,
  instanceRoutes,
  rolloutRoutes,
  proxyKeyRoutes,
  instanceLogRoutes,
  enrollmentRoutes,
  renewalRoutes,
  secretRefreshRoutes,
  tunnelRoutes,
  taskRoutes,
  triggerRoutes,
  tierRoutes,
  regionRoutes,
  manifestRoutes,
  customerRoutes,
  customerSettingRoutes,
  subscriptionRoutes,
  websiteRoutes,
  staffRoutes,
  expiringCertRoutes,
  customerStaffRoutes,
  bindingRoutes,
  shiftRoutes,
  assignmentRoutes,
  timesheetRoutes,
  workerRoutes,
  requirementRoutes,
  eligibilityRoutes,
  identityRoutes,
  pinRoutes,
  pinVerifyRoutes,
  pinPolicyRoutes,
  connectionRoutes,
  driveRoutes,
  conversationRoutes,
  uploadRoutes,
  mediaRoutes,
  templateRoutes,
  toolGatewayRoutes,
  approvalRoutes,
  channelEndpointRoutes,
  channelMessageRoutes,
  eventRoutes,
  webhookRoutes,
  tenantRoutes,
  sharedHostingRoutes,
  modelRoutes,
  llmRoutes,
  llmProviderRoutes,
  usageRoutes,
  modelCallRoutes,
  customerBudgetRoutes,
  caRoutes,
  masterKeyRoutes,
  clusterRoutes,
  operatorListRoutes,
  restartRoutes,
  operatorOverviewRoutes,
  overviewRoutes,
  limitRoutes,
  liveRoutes,
  mcpRoutes,
  toolCallRoutes,
  changeRoutes,
  healthRoutes,
];

/** Tools that are no operations of the HTTP API. */
export const toolRoutes: readonly Route<RouteServices>[] = [...operationToolRoutes, waitForTaskRoute];

export const routes: readonly Route<RouteServices>[] = areas.flat();

export const operations: readonly Operation[] = routes.map(({ operation }) => operation);

/** Texts for the fields of the OpenAPI document. */
export const wording = new Wording([
  commonDocs,
  accessDocs,
  auditDocs,
  catalogueDocs,
  certificatesDocs,
  channelsDocs,
  connectionsDocs,
  conversationsDocs,
  customersDocs,
  dialogueDocs,
  driveDocs,
  eligibilityDocs,
  eventsDocs,
  hostingDocs,
  identitiesDocs,
  instancesDocs,
  logsDocs,
  mcpDocs,
  modelsDocs,
  operatingDocs,
  overviewDocs,
  pinsDocs,
  recipesDocs,
  redactionDocs,
  rolloutsDocs,
  runtimesDocs,
  secretsDocs,
  toolsDocs,
  workforceDocs,
]);

/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

import type { Body, Caller, CallOptions, Input, Item, OperationId, PagedId, Query, Result } from '../caller.ts';
import { Resource } from '../resource.ts';
import type {
  AiDraft,
  AiDraftRequest,
  ApiKey,
  ApiKeyContext,
  ApiKeyCreate,
  ApiKeyPage,
  ApiKeyRotateRequest,
  ApiKeyWithSecret,
  Assignment,
  AssignmentCreate,
  AssignmentPage,
  AssignmentUpdate,
  Binding,
  BindingCreate,
  BindingPage,
  CapturedRecipe,
  CertificateRenewRequest,
  ChainVerification,
  Change,
  ChangePage,
  ChannelEndpoint,
  ChannelEndpointCreate,
  ChannelEndpointPage,
  ChannelEndpointUpdate,
  ChannelMessage,
  ChannelMessagePage,
  ComposeRequest,
  ComposeResult,
  Connection,
  ConnectionCreate,
  ConnectionPage,
  ConnectionUpdate,
  CreatedCustomer,
  CreatedTenant,
  Customer,
  CustomerCloneRequest,
  CustomerConfig,
  CustomerCreate,
  CustomerDetail,
  CustomerPage,
  CustomerUpdate,
  DeployCheckRequest,
  DeployCheckResult,
  DeployRequest,
  DeployResult,
  DomainResolution,
  DriveFileContent,
  DriveSearchResult,
  EnrollRequest,
  EnrollmentToken,
  Health,
  Identity,
  IdentityCreate,
  IdentityLookupResult,
  IdentityPage,
  IdentityUpdate,
  Instance,
  InstanceDetail,
  InstanceDrift,
  InstanceEvent,
  InstanceEventPage,
  InstancePage,
  Invitation,
  InvitationAcceptance,
  InvitationCreate,
  IssuedCertificate,
  IssuingCertificate,
  LoginRequest,
  Me,
  Model,
  ModelsPut,
  ModelsPutResult,
  OwnPinSetRequest,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  PinPolicy,
  PinPolicyUpdate,
  PinRequirement,
  PinSession,
  PinSessionRequest,
  PinSetRequest,
  PinStatus,
  PinVerifyRequest,
  PinVerifyResult,
  Primitive,
  PrimitiveCreate,
  PrimitivePage,
  ProxyKey,
  Readiness,
  Recipe,
  RecipeCaptureRequest,
  RecipeCreate,
  RecipeRevision,
  RecipeRevisionPage,
  RecipeUpdate,
  RefreshTokenRequest,
  Region,
  RegionDetail,
  RegionPage,
  RegionPut,
  ResetAccount,
  RewrapResult,
  SecretRefreshRequest,
  SecretRefreshResult,
  Session,
  SessionPage,
  Shift,
  ShiftCreate,
  ShiftPage,
  ShiftUpdate,
  StaffCreate,
  StaffImportRequest,
  StaffImportResult,
  StaffPage,
  StaffRecord,
  StaffUpdate,
  StaffWithExpiringCerts,
  Subscription,
  SubscriptionCreate,
  SubscriptionPage,
  SubscriptionUpdate,
  Task,
  TaskCancelRequest,
  Tenant,
  TenantCreate,
  TenantDetail,
  TenantPage,
  TenantSwitchRequest,
  TenantUpdate,
  Tier,
  TierPage,
  TierPut,
  Timesheet,
  TimesheetPage,
  TimesheetUpdate,
  TokenPair,
  ToolCall,
  ToolCallPage,
  User,
  UserCreate,
  UserPage,
  UserUpdate,
  Website,
  WebsiteCreate,
  WebsitePage,
  WorkerAssignment,
  WorkerCertification,
  WorkerShift,
  WorkerTimesheet,
  WorkerTimesheetCreate,
  WorkerVerifyRequest,
  WorkerVerifyResult,
} from './shapes.ts';

export class Authentication extends Resource {
  /**
   * Sign in with e-mail and password.
   *
   * Without tenant_id the password is tried on the five accounts of the address that signed in last; others need tenant_id.
   */
  login(body: LoginRequest, options?: CallOptions): Promise<TokenPair> {
    return this.caller.call('login', { body }, options);
  }

  /**
   * Trade a refresh token for a new pair.
   *
   * Within 10 seconds the token just used gets the same successor again. Any older one ends the login, its access tokens included.
   */
  refreshTokens(body: RefreshTokenRequest, options?: CallOptions): Promise<TokenPair> {
    return this.caller.call('refresh_tokens', { body }, options);
  }

  /**
   * Sign in to another tenant of the same user.
   *
   * Opened by accessToken.
   */
  switchTenant(body: TenantSwitchRequest, options?: CallOptions): Promise<TokenPair> {
    return this.caller.call('switch_tenant', { body }, options);
  }

  /**
   * End a login.
   */
  logout(body: RefreshTokenRequest, options?: CallOptions): Promise<Result<'logout'>> {
    return this.caller.call('logout', { body }, options);
  }

  /**
   * Accept an invitation.
   *
   * With a password, creates an account of the tenant. With a user’s access token and no password, adds a membership to that account: it has to have the invited address (403), and its owner has to have set its password (409).
   *
   * Opened by accessToken.
   */
  acceptInvitation(body: InvitationAcceptance, options?: CallOptions): Promise<TokenPair> {
    return this.caller.call('accept_invitation', { body }, options);
  }

  /**
   * Choose a new password with a reset token.
   *
   * Ends all logins of the account. The answer has what its next login needs beside the password.
   */
  resetPassword(body: PasswordResetRequest, options?: CallOptions): Promise<ResetAccount> {
    return this.caller.call('reset_password', { body }, options);
  }
}

export class Users extends Resource {
  /**
   * List the tenant’s users.
   *
   * Opened by apiKey or accessToken, scope users:read.
   */
  list(query?: Query<'list_users'>, options?: CallOptions): Promise<UserPage> {
    return this.caller.call('list_users', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_users'>, options?: CallOptions): AsyncGenerator<User, void> {
    return this.caller.each('list_users', { query }, options);
  }

  /**
   * Add a user.
   *
   * Creates an account of this tenant, whatever accounts the address has in other tenants. Who has one there joins with it by an invitation.
   *
   * Opened by apiKey or accessToken, scope users:write.
   */
  create(body: UserCreate, options?: CallOptions): Promise<User> {
    return this.caller.call('create_user', { body }, options);
  }

  /**
   * Change a user.
   *
   * E-mail and password can be changed (409 otherwise) of an account that this tenant created and that has no other membership. A new password ends the user’s logins.
   *
   * Opened by apiKey or accessToken, scope users:write.
   */
  update(user_id: string, body?: UserUpdate, options?: CallOptions): Promise<User> {
    return this.caller.call('update_user', { path: { user_id }, body }, options);
  }

  /**
   * Remove a user from the tenant.
   *
   * Opened by apiKey or accessToken, scope users:delete.
   */
  delete(user_id: string, options?: CallOptions): Promise<Result<'delete_user'>> {
    return this.caller.call('delete_user', { path: { user_id } }, options);
  }

  /**
   * The signed-in user.
   *
   * Opened by accessToken.
   */
  getMe(options?: CallOptions): Promise<Me> {
    return this.caller.call('get_me', {}, options);
  }

  /**
   * Change one’s own password.
   *
   * Ends all other logins of the account. A wrong current_password is 403 and counts as a failed login.
   *
   * Opened by accessToken.
   */
  changeMyPassword(body: PasswordChange, options?: CallOptions): Promise<Result<'change_my_password'>> {
    return this.caller.call('change_my_password', { body }, options);
  }

  /**
   * Invite a user.
   *
   * Hand the token to the person: whoever has it can accept the invitation.
   *
   * Opened by apiKey or accessToken, scope users:write.
   */
  createInvitation(body: InvitationCreate, options?: CallOptions): Promise<Invitation> {
    return this.caller.call('create_invitation', { body }, options);
  }

  /**
   * Let a user choose a new password.
   *
   * For an account that this tenant created and that has no other membership (409 otherwise). Hand the token to the person.
   *
   * Opened by apiKey or accessToken, scope users:write.
   */
  createPasswordReset(user_id: string, options?: CallOptions): Promise<PasswordReset> {
    return this.caller.call('create_password_reset', { path: { user_id } }, options);
  }

  /**
   * List one’s own sessions, in all tenants.
   *
   * Opened by accessToken.
   */
  listMySessions(query?: Query<'list_my_sessions'>, options?: CallOptions): Promise<SessionPage> {
    return this.caller.call('list_my_sessions', { query }, options);
  }

  /** Every row of `listMySessions`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllMySessions(query?: Query<'list_my_sessions'>, options?: CallOptions): AsyncGenerator<Session, void> {
    return this.caller.each('list_my_sessions', { query }, options);
  }

  /**
   * End one of one’s own sessions.
   *
   * Opened by accessToken.
   */
  endMySession(session_id: string, options?: CallOptions): Promise<Result<'end_my_session'>> {
    return this.caller.call('end_my_session', { path: { session_id } }, options);
  }
}

export class Tenants extends Resource {
  /**
   * Let a user of a tenant choose a new password.
   *
   * Opened by operationsToken.
   */
  createOperatorPasswordReset(tenant_id: string, user_id: string, options?: CallOptions): Promise<PasswordReset> {
    return this.caller.call('create_operator_password_reset', { path: { tenant_id, user_id } }, options);
  }

  /**
   * Make a tenant with its first admin.
   *
   * Without admin_password the answer is an invitation, with which the admin chooses one. With expect_none, only when there is no tenant yet (412 otherwise).
   *
   * Opened by operationsToken.
   */
  create(body: TenantCreate, options?: CallOptions): Promise<CreatedTenant> {
    return this.caller.call('create_tenant', { body }, options);
  }

  /**
   * List tenants.
   *
   * Opened by operationsToken.
   */
  list(query?: Query<'list_tenants'>, options?: CallOptions): Promise<TenantPage> {
    return this.caller.call('list_tenants', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_tenants'>, options?: CallOptions): AsyncGenerator<Tenant, void> {
    return this.caller.each('list_tenants', { query }, options);
  }

  /**
   * Get a tenant with its limits.
   *
   * Each limit has its effective value: the default unless another one was set, and null for none.
   *
   * Opened by operationsToken.
   */
  get(tenant_id: string, options?: CallOptions): Promise<TenantDetail> {
    return this.caller.call('get_tenant', { path: { tenant_id } }, options);
  }

  /**
   * Rename a tenant, switch it off or on, or change its limits.
   *
   * Only the named limits change; null resets one to its default. A tenant above a lowered limit keeps what it has. While is_active is false, the tenant’s credentials and logins are refused with 401, its runtimes are stopped and its messages wait.
   *
   * Opened by operationsToken.
   */
  update(tenant_id: string, body?: TenantUpdate, options?: CallOptions): Promise<TenantDetail> {
    return this.caller.call('update_tenant', { path: { tenant_id }, body }, options);
  }
}

export class ApiKeys extends Resource {
  /**
   * List API keys.
   *
   * Opened by apiKey or accessToken, scope keys:read.
   */
  list(query?: Query<'list_api_keys'>, options?: CallOptions): Promise<ApiKeyPage> {
    return this.caller.call('list_api_keys', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_api_keys'>, options?: CallOptions): AsyncGenerator<ApiKey, void> {
    return this.caller.each('list_api_keys', { query }, options);
  }

  /**
   * Mint an API key.
   *
   * The key is in the answer and nowhere else. Its role is `member` and its limit 600 in 60 seconds, unless said otherwise. A key can grant only scopes, and a role, that it has itself.
   *
   * Opened by apiKey or accessToken, scope keys:write.
   */
  create(body: ApiKeyCreate, options?: CallOptions): Promise<ApiKeyWithSecret> {
    return this.caller.call('create_api_key', { body }, options);
  }

  /**
   * Revoke an API key.
   *
   * Opened by apiKey or accessToken, scope keys:delete.
   */
  delete(api_key_id: string, options?: CallOptions): Promise<Result<'delete_api_key'>> {
    return this.caller.call('delete_api_key', { path: { api_key_id } }, options);
  }

  /**
   * Replace an API key, with an overlap.
   *
   * The new key inherits role, scopes, limit and expiry; the old one ends at the earlier of its own expiry and the overlap, of 10 minutes unless said otherwise.
   *
   * Opened by apiKey or accessToken, scope keys:write.
   */
  rotate(api_key_id: string, body?: ApiKeyRotateRequest, options?: CallOptions): Promise<ApiKeyWithSecret> {
    return this.caller.call('rotate_api_key', { path: { api_key_id }, body }, options);
  }

  /**
   * What the calling key may do.
   *
   * Opened by apiKey or accessToken.
   */
  getContext(options?: CallOptions): Promise<ApiKeyContext> {
    return this.caller.call('get_api_key_context', {}, options);
  }
}

export class Primitives extends Resource {
  /**
   * List what the tenant approves.
   *
   * Opened by apiKey or accessToken, scope primitives:read.
   */
  list(query?: Query<'list_primitives'>, options?: CallOptions): Promise<PrimitivePage> {
    return this.caller.call('list_primitives', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_primitives'>, options?: CallOptions): AsyncGenerator<Primitive, void> {
    return this.caller.each('list_primitives', { query }, options);
  }

  /**
   * Approve a skill, channel, integration, MCP server, workflow, model or sidecar runtime.
   *
   * Opened by apiKey or accessToken, scope primitives:write.
   */
  create(body: PrimitiveCreate, options?: CallOptions): Promise<Primitive> {
    return this.caller.call('create_primitive', { body }, options);
  }

  /**
   * Withdraw an approval.
   *
   * Opened by apiKey or accessToken, scope primitives:delete.
   */
  delete(primitive_id: string, options?: CallOptions): Promise<Result<'delete_primitive'>> {
    return this.caller.call('delete_primitive', { path: { primitive_id } }, options);
  }
}

export class Recipes extends Resource {
  /**
   * List recipes, the platform templates among them.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  list(options?: CallOptions): Promise<Recipe[]> {
    return this.caller.call('list_recipes', {}, options);
  }

  /**
   * Create a recipe.
   *
   * A recipe has at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  create(body: RecipeCreate, options?: CallOptions): Promise<Recipe> {
    return this.caller.call('create_recipe', { body }, options);
  }

  /**
   * Get a recipe.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  get(template_id: string, options?: CallOptions): Promise<Recipe> {
    return this.caller.call('get_recipe', { path: { template_id } }, options);
  }

  /**
   * Change what is supplied of a recipe; every change makes a revision.
   *
   * The recipe that results has at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting; a larger one from earlier may not grow.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  update(template_id: string, body?: RecipeUpdate, options?: CallOptions): Promise<Recipe> {
    return this.caller.call('update_recipe', { path: { template_id }, body }, options);
  }

  /**
   * Delete a recipe; instances deployed from it go on.
   *
   * Opened by apiKey or accessToken, scope recipes:delete.
   */
  delete(template_id: string, options?: CallOptions): Promise<Result<'delete_recipe'>> {
    return this.caller.call('delete_recipe', { path: { template_id } }, options);
  }

  /**
   * List a recipe’s revisions, newest first.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  listRevisions(template_id: string, query?: Query<'list_recipe_revisions'>, options?: CallOptions): Promise<RecipeRevisionPage> {
    return this.caller.call('list_recipe_revisions', { path: { template_id }, query }, options);
  }

  /** Every row of `listRevisions`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllRevisions(template_id: string, query?: Query<'list_recipe_revisions'>, options?: CallOptions): AsyncGenerator<RecipeRevision, void> {
    return this.caller.each('list_recipe_revisions', { path: { template_id }, query }, options);
  }

  /**
   * Get a recipe as it stood after a change.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  getRevision(template_id: string, revision: number, options?: CallOptions): Promise<RecipeRevision> {
    return this.caller.call('get_recipe_revision', { path: { template_id, revision } }, options);
  }

  /**
   * Bring a revision back, as a new one.
   *
   * A revision over the limits of a recipe is refused where the recipe is smaller now.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  restoreRevision(template_id: string, revision: number, options?: CallOptions): Promise<Recipe> {
    return this.caller.call('restore_recipe_revision', { path: { template_id, revision } }, options);
  }

  /**
   * Make a recipe of an instance’s configuration.
   *
   * Customer ids, keys, phone numbers, e-mail addresses, credentials, secrets and what names the instance are taken out, however deep or inside of texts; `stripped` tells where, never what. A recipe over the limits of create_recipe is refused.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  saveFromInstance(instance_id: string, body: RecipeCaptureRequest, options?: CallOptions): Promise<CapturedRecipe> {
    return this.caller.call('save_recipe_from_instance', { path: { instance_id }, body }, options);
  }

  /**
   * Draft a recipe from a description.
   *
   * A language model drafts; the draft names approved primitives alone, and nothing is kept. 503 where no model is configured, 502 where it does not answer within 30 seconds or not in shape.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  assist(body: AiDraftRequest, options?: CallOptions): Promise<AiDraft> {
    return this.caller.call('assist_recipe', { body }, options);
  }
}

export class Deployment extends Resource {
  /**
   * Compose a recipe with overrides, and check it against the approved primitives.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  composeRecipe(body: ComposeRequest, options?: CallOptions): Promise<ComposeResult> {
    return this.caller.call('compose_recipe', { body }, options);
  }

  /**
   * What a deploy would do, and what is missing for it.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  checkDeploy(body: DeployCheckRequest, options?: CallOptions): Promise<DeployCheckResult> {
    return this.caller.call('check_deploy', { body }, options);
  }

  /**
   * Deploy a recipe for a customer.
   *
   * 202: provisioning is enqueued. 200: the idempotency key was deployed already, or something is missing (ready is false). A configuration of more than 512 KiB as JSON is refused.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  deployRecipe(body: DeployRequest, options?: CallOptions): Promise<DeployResult> {
    return this.caller.call('deploy_recipe', { body }, options);
  }
}

export class Instances extends Resource {
  /**
   * List instances.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  list(query?: Query<'list_instances'>, options?: CallOptions): Promise<InstancePage> {
    return this.caller.call('list_instances', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_instances'>, options?: CallOptions): AsyncGenerator<Instance, void> {
    return this.caller.each('list_instances', { query }, options);
  }

  /**
   * Get an instance with the configuration that it was deployed with.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  get(instance_id: string, options?: CallOptions): Promise<InstanceDetail> {
    return this.caller.call('get_instance', { path: { instance_id } }, options);
  }

  /**
   * Terminate an instance.
   *
   * Opened by apiKey or accessToken, scope instances:delete.
   */
  delete(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('delete_instance', { path: { instance_id } }, options);
  }

  /**
   * An instance’s log: a page of it as JSON, or followed live with Accept: text/event-stream.
   *
   * The stream begins with what has happened (or after Last-Event-ID) and goes on; each event’s data is one row of the log.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  listEvents(instance_id: string, query?: Query<'list_instance_events'>, options?: CallOptions): Promise<InstanceEventPage> {
    return this.caller.call('list_instance_events', { path: { instance_id }, query }, options);
  }

  /** Every row of `listEvents`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllEvents(instance_id: string, query?: Query<'list_instance_events'>, options?: CallOptions): AsyncGenerator<InstanceEvent, void> {
    return this.caller.each('list_instance_events', { path: { instance_id }, query }, options);
  }

  /**
   * How an instance differs from what its recipe would give today.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  getDrift(instance_id: string, options?: CallOptions): Promise<InstanceDrift> {
    return this.caller.call('get_instance_drift', { path: { instance_id } }, options);
  }

  /**
   * Stop a running instance.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  stop(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('stop_instance', { path: { instance_id } }, options);
  }

  /**
   * Start a stopped instance.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  start(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('start_instance', { path: { instance_id } }, options);
  }

  /**
   * Provision a failed instance again.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  retry(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('retry_instance', { path: { instance_id } }, options);
  }

  /**
   * Mint the instance a new proxy key; the one before stays valid for 10 minutes.
   *
   * Opened by apiKey or accessToken, scope instance-creds:write.
   */
  createProxyKey(instance_id: string, options?: CallOptions): Promise<ProxyKey> {
    return this.caller.call('create_proxy_key', { path: { instance_id } }, options);
  }

  /**
   * End every proxy key of the instance at once.
   *
   * For a key that leaked. The runtime’s next refresh of its secrets is refused, so it ends with code 75 and is started again with a new key.
   *
   * Opened by apiKey or accessToken, scope instance-creds:write.
   */
  deleteProxyKey(instance_id: string, options?: CallOptions): Promise<Result<'delete_proxy_key'>> {
    return this.caller.call('delete_proxy_key', { path: { instance_id } }, options);
  }
}

export class InstanceIdentity extends Resource {
  /**
   * Give an instance its certificate and its end of the tunnel.
   *
   * The token is good once. Asked again with the same token and the same key within its time, until the certificate has been used, the same certificate comes back: an answer that got lost costs nothing. The certificates before are revoked. A runtime that has no proxy key sends no credential: the token in the body is one.
   *
   * Opened by proxyKey or operationsToken.
   */
  enrollInstance(instance_id: string, body: EnrollRequest, options?: CallOptions): Promise<IssuedCertificate> {
    return this.caller.call('enroll_instance', { path: { instance_id }, body }, options);
  }

  /**
   * Mint a token for an instance that lost everything to enroll with.
   *
   * Good once, for 15 minutes. What the instance has stays valid until the token is used.
   *
   * Opened by apiKey or accessToken, scope instance-creds:write.
   */
  createEnrollmentToken(instance_id: string, options?: CallOptions): Promise<EnrollmentToken> {
    return this.caller.call('create_enrollment_token', { path: { instance_id } }, options);
  }

  /**
   * Replace an instance’s certificate by one that is valid for another 24 hours.
   *
   * Over mutual TLS, with the certificate that is to be replaced; it is revoked. Once an hour. Asked again within 15 minutes with the replaced certificate and the same key in the CSR, until the new certificate has been used, the same new one comes back: an answer that got lost costs nothing.
   *
   * Opened by proxyKey or operationsToken.
   */
  renewCertificate(instance_id: string, body: CertificateRenewRequest, options?: CallOptions): Promise<IssuedCertificate> {
    return this.caller.call('renew_certificate', { path: { instance_id }, body }, options);
  }

  /**
   * Read the secrets that an instance may use now.
   *
   * Over mutual TLS, with the instance’s certificate.
   *
   * Opened by proxyKey or operationsToken.
   */
  refreshSecrets(instance_id: string, body: SecretRefreshRequest, options?: CallOptions): Promise<SecretRefreshResult> {
    return this.caller.call('refresh_secrets', { path: { instance_id }, body }, options);
  }

  /**
   * Every instance’s end of the tunnel, for the WireGuard interface that they connect to.
   *
   * As `wg syncconf` reads it: a `[Peer]` of each enrolled instance. Answers If-None-Match with 304. See docs/tunnel.md.
   *
   * Opened by operationsToken.
   */
  listTunnelPeers(options?: CallOptions): Promise<Result<'list_tunnel_peers'>> {
    return this.caller.call('list_tunnel_peers', {}, options);
  }
}

export class Tasks extends Resource {
  /**
   * How far a task is.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  get(task_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('get_task', { path: { task_id } }, options);
  }

  /**
   * Cancel a task and undo what it did.
   *
   * With expect_status, only when the task is still in that status (412 otherwise).
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  cancel(task_id: string, body?: TaskCancelRequest, options?: CallOptions): Promise<Task> {
    return this.caller.call('cancel_task', { path: { task_id }, body }, options);
  }
}

export class Tiers extends Resource {
  /**
   * List the sizes that an instance can have.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  list(query?: Query<'list_tiers'>, options?: CallOptions): Promise<TierPage> {
    return this.caller.call('list_tiers', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_tiers'>, options?: CallOptions): AsyncGenerator<Tier, void> {
    return this.caller.each('list_tiers', { query }, options);
  }

  /**
   * Make or change a tier.
   *
   * Opened by operationsToken.
   */
  put(tier_id: string, body?: TierPut, options?: CallOptions): Promise<Tier> {
    return this.caller.call('put_tier', { path: { tier_id }, body }, options);
  }
}

export class Regions extends Resource {
  /**
   * List where an instance can run.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  list(query?: Query<'list_regions'>, options?: CallOptions): Promise<RegionPage> {
    return this.caller.call('list_regions', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_regions'>, options?: CallOptions): AsyncGenerator<Region, void> {
    return this.caller.each('list_regions', { query }, options);
  }

  /**
   * Make or change a region.
   *
   * chatapp_api_base_url: where runtimes of this region reach the chat channel’s send API, when not at its public address.
   *
   * Opened by operationsToken.
   */
  put(region_id: string, body?: RegionPut, options?: CallOptions): Promise<RegionDetail> {
    return this.caller.call('put_region', { path: { region_id }, body }, options);
  }
}

export class Customers extends Resource {
  /**
   * List customers.
   *
   * Searches by a part of the e-mail address, without case. Names sort without case; what has none comes last.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  list(query?: Query<'list_customers'>, options?: CallOptions): Promise<CustomerPage> {
    return this.caller.call('list_customers', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_customers'>, options?: CallOptions): AsyncGenerator<Customer, void> {
    return this.caller.each('list_customers', { query }, options);
  }

  /**
   * Add a customer.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  create(body: CustomerCreate, options?: CallOptions): Promise<CreatedCustomer> {
    return this.caller.call('create_customer', { body }, options);
  }

  /**
   * A customer with its instances and subscriptions.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  get(customer_id: string, options?: CallOptions): Promise<CustomerDetail> {
    return this.caller.call('get_customer', { path: { customer_id } }, options);
  }

  /**
   * Change a customer.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  update(customer_id: string, body?: CustomerUpdate, options?: CallOptions): Promise<CustomerDetail> {
    return this.caller.call('update_customer', { path: { customer_id }, body }, options);
  }

  /**
   * Erase a customer.
   *
   * Everything stored of the customer and its people goes with it, at once and for good. Terminated instances stay listed, without customer and configuration. 409 while an instance serves the customer.
   *
   * Opened by apiKey or accessToken, scope customers:delete.
   */
  delete(customer_id: string, options?: CallOptions): Promise<Result<'delete_customer'>> {
    return this.caller.call('delete_customer', { path: { customer_id } }, options);
  }

  /**
   * Add a customer like another.
   *
   * The new customer has the country, currency, time zone and locale of the path’s customer, and the rules of source_customer_id.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  clone(customer_id: string, body: CustomerCloneRequest, options?: CallOptions): Promise<CreatedCustomer> {
    return this.caller.call('clone_customer', { path: { customer_id }, body }, options);
  }

  /**
   * A customer’s rules.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  getRules(customer_id: string, options?: CallOptions): Promise<Result<'get_customer_rules'>> {
    return this.caller.call('get_customer_rules', { path: { customer_id } }, options);
  }

  /**
   * Replace a customer’s rules.
   *
   * An object of at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting; a larger one from earlier may be replaced by one that is no larger.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  replaceRules(customer_id: string, body: Body<'replace_customer_rules'>, options?: CallOptions): Promise<Result<'replace_customer_rules'>> {
    return this.caller.call('replace_customer_rules', { path: { customer_id }, body }, options);
  }

  /**
   * A customer’s own configuration.
   *
   * On a shared instance it is merged over the instance’s configuration.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  getConfig(customer_id: string, options?: CallOptions): Promise<Result<'get_customer_config'>> {
    return this.caller.call('get_customer_config', { path: { customer_id } }, options);
  }

  /**
   * Replace a customer’s own configuration.
   *
   * An object of at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting; a larger one from earlier may be replaced by one that is no larger.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  replaceConfig(customer_id: string, body: Body<'replace_customer_config'>, options?: CallOptions): Promise<Result<'replace_customer_config'>> {
    return this.caller.call('replace_customer_config', { path: { customer_id }, body }, options);
  }
}

export class Subscriptions extends Resource {
  /**
   * List a customer’s subscriptions.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  list(customer_id: string, query?: Query<'list_subscriptions'>, options?: CallOptions): Promise<SubscriptionPage> {
    return this.caller.call('list_subscriptions', { path: { customer_id }, query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(customer_id: string, query?: Query<'list_subscriptions'>, options?: CallOptions): AsyncGenerator<Subscription, void> {
    return this.caller.each('list_subscriptions', { path: { customer_id }, query }, options);
  }

  /**
   * Add a subscription.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  create(customer_id: string, body: SubscriptionCreate, options?: CallOptions): Promise<Subscription> {
    return this.caller.call('create_subscription', { path: { customer_id }, body }, options);
  }

  /**
   * Change a subscription.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  update(customer_id: string, subscription_id: string, body?: SubscriptionUpdate, options?: CallOptions): Promise<Subscription> {
    return this.caller.call('update_subscription', { path: { customer_id, subscription_id }, body }, options);
  }
}

export class Websites extends Resource {
  /**
   * List a customer’s websites.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  list(customer_id: string, query?: Query<'list_websites'>, options?: CallOptions): Promise<WebsitePage> {
    return this.caller.call('list_websites', { path: { customer_id }, query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(customer_id: string, query?: Query<'list_websites'>, options?: CallOptions): AsyncGenerator<Website, void> {
    return this.caller.each('list_websites', { path: { customer_id }, query }, options);
  }

  /**
   * Add a website.
   *
   * A hostname has one owner within the tenant.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  create(customer_id: string, body: WebsiteCreate, options?: CallOptions): Promise<Website> {
    return this.caller.call('create_website', { path: { customer_id }, body }, options);
  }

  /**
   * Remove a website.
   *
   * Opened by apiKey or accessToken, scope customers:delete.
   */
  delete(customer_id: string, website_id: string, options?: CallOptions): Promise<Result<'delete_website'>> {
    return this.caller.call('delete_website', { path: { customer_id, website_id } }, options);
  }
}

export class Staff extends Resource {
  /**
   * Find staff of a customer.
   *
   * Every filter given has to match. In the order of names.
   *
   * Opened by proxyKey or operationsToken.
   */
  list(instance_id: string, query: Query<'list_staff'>, options?: CallOptions): Promise<StaffPage> {
    return this.caller.call('list_staff', { path: { instance_id }, query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(instance_id: string, query: Query<'list_staff'>, options?: CallOptions): AsyncGenerator<StaffRecord, void> {
    return this.caller.each('list_staff', { path: { instance_id }, query }, options);
  }

  /**
   * Add a staff record.
   *
   * Opened by proxyKey or operationsToken.
   */
  create(instance_id: string, body: StaffCreate, query: Query<'create_staff'>, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('create_staff', { path: { instance_id }, body, query }, options);
  }

  /**
   * Staff whose certifications expire soon.
   *
   * Soonest first. Days count in the customer’s time zone; who has left (`terminated`) is not listed.
   *
   * Opened by proxyKey or operationsToken.
   */
  listExpiringCerts(instance_id: string, query: Query<'list_expiring_certs'>, options?: CallOptions): Promise<StaffWithExpiringCerts[]> {
    return this.caller.call('list_expiring_certs', { path: { instance_id }, query }, options);
  }

  /**
   * Add or change many staff records.
   *
   * Each item that is valid is created, or changes the record that has its external_id: fields that it leaves out stay. The faults of the others are listed.
   *
   * Opened by proxyKey or operationsToken.
   */
  import(instance_id: string, body: StaffImportRequest, query: Query<'import_staff'>, options?: CallOptions): Promise<StaffImportResult> {
    return this.caller.call('import_staff', { path: { instance_id }, body, query }, options);
  }

  /**
   * A staff record.
   *
   * Opened by proxyKey or operationsToken.
   */
  get(instance_id: string, person_id: string, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('get_staff', { path: { instance_id, person_id } }, options);
  }

  /**
   * Change a staff record.
   *
   * Opened by proxyKey or operationsToken.
   */
  update(instance_id: string, person_id: string, body?: StaffUpdate, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('update_staff', { path: { instance_id, person_id }, body }, options);
  }

  /**
   * List a customer’s staff.
   *
   * Opened by accessToken, scope staff:read.
   */
  listCustomerStaff(customer_id: string, query?: Query<'list_customer_staff'>, options?: CallOptions): Promise<StaffPage> {
    return this.caller.call('list_customer_staff', { path: { customer_id }, query }, options);
  }

  /** Every row of `listCustomerStaff`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllCustomerStaff(customer_id: string, query?: Query<'list_customer_staff'>, options?: CallOptions): AsyncGenerator<StaffRecord, void> {
    return this.caller.each('list_customer_staff', { path: { customer_id }, query }, options);
  }

  /**
   * Add a staff record to a customer.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createCustomerStaff(customer_id: string, body: StaffCreate, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('create_customer_staff', { path: { customer_id }, body }, options);
  }

  /**
   * Add or change many staff records of a customer.
   *
   * Each item that is valid is created, or changes the record that has its external_id: fields that it leaves out stay. The faults of the others are listed.
   *
   * Opened by accessToken, scope staff:write.
   */
  importCustomerStaff(customer_id: string, body: StaffImportRequest, options?: CallOptions): Promise<StaffImportResult> {
    return this.caller.call('import_customer_staff', { path: { customer_id }, body }, options);
  }

  /**
   * A staff record of a customer.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  getCustomerStaff(customer_id: string, person_id: string, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('get_customer_staff', { path: { customer_id, person_id } }, options);
  }

  /**
   * Change a staff record of a customer.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateCustomerStaff(customer_id: string, person_id: string, body?: StaffUpdate, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('update_customer_staff', { path: { customer_id, person_id }, body }, options);
  }

  /**
   * Erase a staff record.
   *
   * With its bindings, shifts and assignments, at once and for good. Timesheets stay without the person. A status of terminated keeps the record instead.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteCustomerStaff(customer_id: string, person_id: string, options?: CallOptions): Promise<Result<'delete_customer_staff'>> {
    return this.caller.call('delete_customer_staff', { path: { customer_id, person_id } }, options);
  }

  /**
   * List the channel addresses of a person of the staff.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listBindings(customer_id: string, person_id: string, query?: Query<'list_bindings'>, options?: CallOptions): Promise<BindingPage> {
    return this.caller.call('list_bindings', { path: { customer_id, person_id }, query }, options);
  }

  /** Every row of `listBindings`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllBindings(customer_id: string, person_id: string, query?: Query<'list_bindings'>, options?: CallOptions): AsyncGenerator<Binding, void> {
    return this.caller.each('list_bindings', { path: { customer_id, person_id }, query }, options);
  }

  /**
   * Bind a channel address to a person of the staff.
   *
   * An address is bound to one person of a customer. Where its binding was rejected, it can be bound anew. The code is never shown again.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createBinding(customer_id: string, person_id: string, body: BindingCreate, options?: CallOptions): Promise<Binding> {
    return this.caller.call('create_binding', { path: { customer_id, person_id }, body }, options);
  }

  /**
   * Remove a channel address from a person of the staff.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteBinding(customer_id: string, person_id: string, binding_id: string, options?: CallOptions): Promise<Result<'delete_binding'>> {
    return this.caller.call('delete_binding', { path: { customer_id, person_id, binding_id } }, options);
  }
}

export class Work extends Resource {
  /**
   * List the shifts of a customer’s staff.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listShifts(customer_id: string, query?: Query<'list_shifts'>, options?: CallOptions): Promise<ShiftPage> {
    return this.caller.call('list_shifts', { path: { customer_id }, query }, options);
  }

  /** Every row of `listShifts`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllShifts(customer_id: string, query?: Query<'list_shifts'>, options?: CallOptions): AsyncGenerator<Shift, void> {
    return this.caller.each('list_shifts', { path: { customer_id }, query }, options);
  }

  /**
   * Give a person of the staff a shift.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createShift(customer_id: string, body: ShiftCreate, options?: CallOptions): Promise<Shift> {
    return this.caller.call('create_shift', { path: { customer_id }, body }, options);
  }

  /**
   * Change a shift.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateShift(customer_id: string, shift_id: string, body?: ShiftUpdate, options?: CallOptions): Promise<Shift> {
    return this.caller.call('update_shift', { path: { customer_id, shift_id }, body }, options);
  }

  /**
   * Delete a shift; its timesheet stays.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteShift(customer_id: string, shift_id: string, options?: CallOptions): Promise<Result<'delete_shift'>> {
    return this.caller.call('delete_shift', { path: { customer_id, shift_id } }, options);
  }

  /**
   * List the assignments of a customer’s staff.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listAssignments(customer_id: string, query?: Query<'list_assignments'>, options?: CallOptions): Promise<AssignmentPage> {
    return this.caller.call('list_assignments', { path: { customer_id }, query }, options);
  }

  /** Every row of `listAssignments`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllAssignments(customer_id: string, query?: Query<'list_assignments'>, options?: CallOptions): AsyncGenerator<Assignment, void> {
    return this.caller.each('list_assignments', { path: { customer_id }, query }, options);
  }

  /**
   * Give a person of the staff an assignment.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createAssignment(customer_id: string, body: AssignmentCreate, options?: CallOptions): Promise<Assignment> {
    return this.caller.call('create_assignment', { path: { customer_id }, body }, options);
  }

  /**
   * Change an assignment.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateAssignment(customer_id: string, assignment_id: string, body?: AssignmentUpdate, options?: CallOptions): Promise<Assignment> {
    return this.caller.call('update_assignment', { path: { customer_id, assignment_id }, body }, options);
  }

  /**
   * Delete an assignment.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteAssignment(customer_id: string, assignment_id: string, options?: CallOptions): Promise<Result<'delete_assignment'>> {
    return this.caller.call('delete_assignment', { path: { customer_id, assignment_id } }, options);
  }

  /**
   * List the timesheets of a customer’s staff.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listTimesheets(customer_id: string, query?: Query<'list_timesheets'>, options?: CallOptions): Promise<TimesheetPage> {
    return this.caller.call('list_timesheets', { path: { customer_id }, query }, options);
  }

  /** Every row of `listTimesheets`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllTimesheets(customer_id: string, query?: Query<'list_timesheets'>, options?: CallOptions): AsyncGenerator<Timesheet, void> {
    return this.caller.each('list_timesheets', { path: { customer_id }, query }, options);
  }

  /**
   * Approve or reject a timesheet.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateTimesheet(customer_id: string, timesheet_id: string, body: TimesheetUpdate, options?: CallOptions): Promise<Timesheet> {
    return this.caller.call('update_timesheet', { path: { customer_id, timesheet_id }, body }, options);
  }
}

export class Workers extends Resource {
  /**
   * The assignments of a worker.
   *
   * Those that have not ended in the order of time, then those that have, the latest first; 200 at most.
   *
   * Opened by proxyKey or operationsToken.
   */
  listMyAssignments(instance_id: string, query: Query<'list_my_assignments'>, options?: CallOptions): Promise<WorkerAssignment[]> {
    return this.caller.call('list_my_assignments', { path: { instance_id }, query }, options);
  }

  /**
   * The certifications of a worker.
   *
   * A certification is expiring within 42 days. days_left is null where it has no end.
   *
   * Opened by proxyKey or operationsToken.
   */
  listMyCerts(instance_id: string, query: Query<'list_my_certs'>, options?: CallOptions): Promise<WorkerCertification[]> {
    return this.caller.call('list_my_certs', { path: { instance_id }, query }, options);
  }

  /**
   * The shifts of a worker.
   *
   * Those that have not ended in the order of time, then those that have, the latest first; 200 at most.
   *
   * Opened by proxyKey or operationsToken.
   */
  listMyShifts(instance_id: string, query: Query<'list_my_shifts'>, options?: CallOptions): Promise<WorkerShift[]> {
    return this.caller.call('list_my_shifts', { path: { instance_id }, query }, options);
  }

  /**
   * The timesheets of a worker.
   *
   * The last 200, the latest day first.
   *
   * Opened by proxyKey or operationsToken.
   */
  listMyTimesheets(instance_id: string, query: Query<'list_my_timesheets'>, options?: CallOptions): Promise<WorkerTimesheet[]> {
    return this.caller.call('list_my_timesheets', { path: { instance_id }, query }, options);
  }

  /**
   * Submit hours.
   *
   * Opened by proxyKey or operationsToken.
   */
  createMyTimesheet(instance_id: string, body: WorkerTimesheetCreate, query: Query<'create_my_timesheet'>, options?: CallOptions): Promise<WorkerTimesheet> {
    return this.caller.call('create_my_timesheet', { path: { instance_id }, body, query }, options);
  }

  /**
   * Take a worker’s answer to “is this address yours?”.
   *
   * A yes (or the code, where the binding has one) verifies, a no rejects, anything else changes nothing. Five wrong codes reject.
   *
   * Opened by proxyKey or operationsToken.
   */
  verify(instance_id: string, body: WorkerVerifyRequest, query?: Query<'verify_worker'>, options?: CallOptions): Promise<WorkerVerifyResult> {
    return this.caller.call('verify_worker', { path: { instance_id }, body, query }, options);
  }
}

export class Identities extends Resource {
  /**
   * List a customer’s channel identities.
   *
   * external_id also finds the identity that it is an alias of, and a phone number with its plus or without.
   *
   * Opened by apiKey or accessToken, scope identities:read.
   */
  list(customer_id: string, query?: Query<'list_identities'>, options?: CallOptions): Promise<IdentityPage> {
    return this.caller.call('list_identities', { path: { customer_id }, query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(customer_id: string, query?: Query<'list_identities'>, options?: CallOptions): AsyncGenerator<Identity, void> {
    return this.caller.each('list_identities', { path: { customer_id }, query }, options);
  }

  /**
   * Add a channel identity.
   *
   * Opened by apiKey or accessToken, scope identities:write.
   */
  create(customer_id: string, body: IdentityCreate, options?: CallOptions): Promise<Identity> {
    return this.caller.call('create_identity', { path: { customer_id }, body }, options);
  }

  /**
   * Change a channel identity.
   *
   * With another address, the aliases of the former one are forgotten.
   *
   * Opened by apiKey or accessToken, scope identities:write.
   */
  update(customer_id: string, identity_id: string, body?: IdentityUpdate, options?: CallOptions): Promise<Identity> {
    return this.caller.call('update_identity', { path: { customer_id, identity_id }, body }, options);
  }

  /**
   * Remove a channel identity.
   *
   * Opened by apiKey or accessToken, scope identities:delete.
   */
  delete(customer_id: string, identity_id: string, options?: CallOptions): Promise<Result<'delete_identity'>> {
    return this.caller.call('delete_identity', { path: { customer_id, identity_id } }, options);
  }

  /**
   * Find which of the instance’s customers a channel address belongs to.
   *
   * An alias, which the channel used for the same sender, finds the identity too; external_id is the identity’s own.
   *
   * Opened by proxyKey or operationsToken.
   */
  lookUpIdentity(instance_id: string, query: Query<'look_up_identity'>, options?: CallOptions): Promise<IdentityLookupResult> {
    return this.caller.call('look_up_identity', { path: { instance_id }, query }, options);
  }
}

export class Pins extends Resource {
  /**
   * Whether a customer has a PIN, and its state.
   *
   * Opened by apiKey or accessToken, scope pins:read.
   */
  getCustomerPin(customer_id: string, options?: CallOptions): Promise<PinStatus> {
    return this.caller.call('get_customer_pin', { path: { customer_id } }, options);
  }

  /**
   * Set a customer’s PIN.
   *
   * Replaces the one that there is (200): its sessions, and everybody’s wrong attempts and locks, end.
   *
   * Opened by apiKey or accessToken, scope pins:write.
   */
  setCustomerPin(customer_id: string, body: PinSetRequest, options?: CallOptions): Promise<PinStatus> {
    return this.caller.call('set_customer_pin', { path: { customer_id }, body }, options);
  }

  /**
   * Remove a customer’s PIN, if there is one.
   *
   * Opened by apiKey or accessToken, scope pins:delete.
   */
  deleteCustomerPin(customer_id: string, options?: CallOptions): Promise<Result<'delete_customer_pin'>> {
    return this.caller.call('delete_customer_pin', { path: { customer_id } }, options);
  }

  /**
   * Set the PIN of a sender, who asked for it in the chat.
   *
   * From then on it counts for this identity in place of its customer’s. Where the policy is enforced and a PIN applies, X-Pin-Session or current_pin has to show that the sender knows it; 409 while it is locked. Wrong attempts stay.
   *
   * Opened by proxyKey or operationsToken.
   */
  setIdentityPin(instance_id: string, identity_id: string, body: OwnPinSetRequest, options?: CallOptions): Promise<PinStatus> {
    return this.caller.call('set_identity_pin', { path: { instance_id, identity_id }, body }, options);
  }

  /**
   * Remove a sender’s own PIN, if there is one.
   *
   * Where the policy is enforced and a PIN applies, it needs X-Pin-Session. Wrong attempts stay.
   *
   * Opened by proxyKey or operationsToken.
   */
  deleteIdentityPin(instance_id: string, identity_id: string, options?: CallOptions): Promise<Result<'delete_identity_pin'>> {
    return this.caller.call('delete_identity_pin', { path: { instance_id, identity_id } }, options);
  }

  /**
   * Reset a sender who forgot a PIN or is locked.
   *
   * Removes the sender’s own PIN, if there is one, and its wrong attempts and lock.
   *
   * Opened by apiKey or accessToken, scope pins:delete.
   */
  resetIdentityPin(customer_id: string, identity_id: string, options?: CallOptions): Promise<Result<'reset_identity_pin'>> {
    return this.caller.call('reset_identity_pin', { path: { customer_id, identity_id } }, options);
  }

  /**
   * The PIN of the customer that has the signed-in user’s e-mail address.
   *
   * Opened by accessToken.
   */
  getMyPin(options?: CallOptions): Promise<PinStatus> {
    return this.caller.call('get_my_pin', {}, options);
  }

  /**
   * Check a PIN.
   *
   * The identity’s PIN where it has one, else its customer’s; with neither id, the customer of a dedicated instance. Five wrong ones in a row lock it for this sender, twenty for all. A failure is told in the result. An inactive PIN is told as locked.
   *
   * Opened by proxyKey or operationsToken.
   */
  verify(instance_id: string, body: PinVerifyRequest, options?: CallOptions): Promise<PinVerifyResult> {
    return this.caller.call('verify_pin', { path: { instance_id }, body }, options);
  }

  /**
   * Whether a session that a right PIN began is still valid on this instance.
   *
   * Opened by proxyKey or operationsToken.
   */
  checkSession(instance_id: string, body: PinSessionRequest, options?: CallOptions): Promise<PinSession> {
    return this.caller.call('check_pin_session', { path: { instance_id }, body }, options);
  }

  /**
   * Whether a sender has to confirm the protected skills with a PIN.
   *
   * Nobody is asked for a PIN that is not set. One that is locked or inactive is still required: it does not open what it protects.
   *
   * Opened by proxyKey or operationsToken.
   */
  checkRequired(instance_id: string, query: Query<'check_pin_required'>, options?: CallOptions): Promise<PinRequirement> {
    return this.caller.call('check_pin_required', { path: { instance_id }, query }, options);
  }

  /**
   * When an instance asks for a PIN.
   *
   * Opened by apiKey or accessToken, scope pins:read.
   */
  getPolicy(instance_id: string, options?: CallOptions): Promise<PinPolicy> {
    return this.caller.call('get_pin_policy', { path: { instance_id } }, options);
  }

  /**
   * Change when an instance asks for a PIN.
   *
   * Opened by apiKey or accessToken, scope pins:write.
   */
  updatePolicy(instance_id: string, body?: PinPolicyUpdate, options?: CallOptions): Promise<PinPolicy> {
    return this.caller.call('update_pin_policy', { path: { instance_id }, body }, options);
  }
}

export class Connections extends Resource {
  /**
   * List a customer’s connections.
   *
   * Revoked ones are left out.
   *
   * Opened by apiKey or accessToken, scope connections:read.
   */
  list(customer_id: string, query?: Query<'list_connections'>, options?: CallOptions): Promise<ConnectionPage> {
    return this.caller.call('list_connections', { path: { customer_id }, query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(customer_id: string, query?: Query<'list_connections'>, options?: CallOptions): AsyncGenerator<Connection, void> {
    return this.caller.each('list_connections', { path: { customer_id }, query }, options);
  }

  /**
   * Add a connection.
   *
   * The credentials are encrypted and never returned.
   *
   * Opened by apiKey or accessToken, scope connections:write.
   */
  create(customer_id: string, body: ConnectionCreate, options?: CallOptions): Promise<Connection> {
    return this.caller.call('create_connection', { path: { customer_id }, body }, options);
  }

  /**
   * Change a connection’s name, credentials or end.
   *
   * Runtimes get changed credentials with their next secret refresh.
   *
   * Opened by apiKey or accessToken, scope connections:write.
   */
  update(customer_id: string, connection_id: string, body?: ConnectionUpdate, options?: CallOptions): Promise<Connection> {
    return this.caller.call('update_connection', { path: { customer_id, connection_id }, body }, options);
  }

  /**
   * Revoke a connection and forget its credentials.
   *
   * Opened by apiKey or accessToken, scope connections:delete.
   */
  delete(customer_id: string, connection_id: string, options?: CallOptions): Promise<Result<'delete_connection'>> {
    return this.caller.call('delete_connection', { path: { customer_id, connection_id } }, options);
  }
}

export class Drive extends Resource {
  /**
   * Search a customer’s drive by file name.
   *
   * Without connection_name: the customer’s oldest drive that has neither expired nor been revoked. On a shared instance connection_name or customer_id has to tell.
   *
   * Opened by proxyKey or operationsToken.
   */
  search(instance_id: string, query?: Query<'search_drive'>, options?: CallOptions): Promise<DriveSearchResult> {
    return this.caller.call('search_drive', { path: { instance_id }, query }, options);
  }

  /**
   * Read a file of a customer’s drive, of at most 10 MiB.
   *
   * Google documents are exported to text. Without connection_name: the customer’s oldest drive that has neither expired nor been revoked. On a shared instance connection_name or customer_id has to tell.
   *
   * Opened by proxyKey or operationsToken.
   */
  readFile(instance_id: string, file_id: string, query?: Query<'read_drive_file'>, options?: CallOptions): Promise<DriveFileContent> {
    return this.caller.call('read_drive_file', { path: { instance_id, file_id }, query }, options);
  }
}

export class Channels extends Resource {
  /**
   * List the numbers that messages are received for.
   *
   * Opened by apiKey or accessToken, scope channels:read.
   */
  listEndpoints(query?: Query<'list_channel_endpoints'>, options?: CallOptions): Promise<ChannelEndpointPage> {
    return this.caller.call('list_channel_endpoints', { query }, options);
  }

  /** Every row of `listEndpoints`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllEndpoints(query?: Query<'list_channel_endpoints'>, options?: CallOptions): AsyncGenerator<ChannelEndpoint, void> {
    return this.caller.each('list_channel_endpoints', { query }, options);
  }

  /**
   * Receive the messages of a number for an instance.
   *
   * A number is registered once within the tenant; the signature of a message decides whose it is. The verify token and the app secret are never returned.
   *
   * Opened by apiKey or accessToken, scope channels:write.
   */
  createEndpoint(body: ChannelEndpointCreate, options?: CallOptions): Promise<ChannelEndpoint> {
    return this.caller.call('create_channel_endpoint', { body }, options);
  }

  /**
   * Change a number, its instance or its secrets.
   *
   * Messages that are not delivered yet follow the endpoint to its new instance.
   *
   * Opened by apiKey or accessToken, scope channels:write.
   */
  updateEndpoint(endpoint_id: string, body?: ChannelEndpointUpdate, options?: CallOptions): Promise<ChannelEndpoint> {
    return this.caller.call('update_channel_endpoint', { path: { endpoint_id }, body }, options);
  }

  /**
   * Receive no more messages for a number, and drop the ones that came.
   *
   * Opened by apiKey or accessToken, scope channels:delete.
   */
  deleteEndpoint(endpoint_id: string, options?: CallOptions): Promise<Result<'delete_channel_endpoint'>> {
    return this.caller.call('delete_channel_endpoint', { path: { endpoint_id } }, options);
  }

  /**
   * List received messages, without what they say.
   *
   * Opened by apiKey or accessToken, scope channels:read.
   */
  listMessages(query?: Query<'list_channel_messages'>, options?: CallOptions): Promise<ChannelMessagePage> {
    return this.caller.call('list_channel_messages', { query }, options);
  }

  /** Every row of `listMessages`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllMessages(query?: Query<'list_channel_messages'>, options?: CallOptions): AsyncGenerator<ChannelMessage, void> {
    return this.caller.each('list_channel_messages', { query }, options);
  }

  /**
   * Forward a message that was given up, for another 24 hours.
   *
   * Opened by apiKey or accessToken, scope channels:write.
   */
  retryMessage(channel_message_id: string, options?: CallOptions): Promise<ChannelMessage> {
    return this.caller.call('retry_channel_message', { path: { channel_message_id } }, options);
  }
}

export class SharedHosting extends Resource {
  /**
   * What an instance is to one of its customers.
   *
   * The tenant’s defaults, the configuration that the customer was deployed with and the customer’s own, merged in this order (RFC 7396). Without secrets.
   *
   * Opened by proxyKey or operationsToken.
   */
  getMergedConfig(instance_id: string, query: Query<'get_merged_config'>, options?: CallOptions): Promise<CustomerConfig> {
    return this.caller.call('get_merged_config', { path: { instance_id }, query }, options);
  }

  /**
   * Whose website a hostname is.
   *
   * Among the customers that the instance serves; without case, port and trailing dot.
   *
   * Opened by proxyKey or operationsToken.
   */
  resolveDomain(instance_id: string, query: Query<'resolve_domain'>, options?: CallOptions): Promise<DomainResolution> {
    return this.caller.call('resolve_domain', { path: { instance_id }, query }, options);
  }
}

export class Models extends Resource {
  /**
   * The model catalogue.
   *
   * The active models. Prices are US dollars per million tokens. Answers If-None-Match with 304.
   */
  list(query?: Query<'list_models'>, options?: CallOptions): Promise<Model[]> {
    return this.caller.call('list_models', { query }, options);
  }

  /**
   * Make or change entries of the model catalogue.
   *
   * An object with `models`, or the bare array. An entry that is there is changed in what is supplied; where its facts come from (`source`, `observed_on`) is told anew each time.
   *
   * Opened by operationsToken.
   */
  put(body: ModelsPut, options?: CallOptions): Promise<ModelsPutResult> {
    return this.caller.call('put_models', { body }, options);
  }
}

export class CertificateAuthority extends Resource {
  /**
   * The certificates of the authority that are trusted.
   *
   * PEM: the certificate that issues now, then replaced ones whose certificates have not all run out, then the root. What servers and instances are checked against (`openssl verify -CAfile ca.pem`). Answers If-None-Match with 304.
   */
  getCaBundle(options?: CallOptions): Promise<Result<'get_ca_bundle'>> {
    return this.caller.call('get_ca_bundle', {}, options);
  }

  /**
   * The certificates that are revoked.
   *
   * One list (X.509 CRL, version 2) of each trusted issuer and of the root, one after the other, in the order of ca.pem. They are PEM, not DER, which could hold one alone: `openssl verify -crl_check -CAfile ca.pem -CRLfile ca.crl`. A revocation is in it within 5 seconds; a list is valid for 24 hours. Answers If-None-Match with 304.
   */
  getCaCrl(options?: CallOptions): Promise<Result<'get_ca_crl'>> {
    return this.caller.call('get_ca_crl', {}, options);
  }

  /**
   * Replace the key that issues certificates.
   *
   * The one before stays trusted until what it issued has run out. 409 where the authority was given by file.
   *
   * Opened by operationsToken.
   */
  rotateCa(options?: CallOptions): Promise<IssuingCertificate> {
    return this.caller.call('rotate_ca', {}, options);
  }
}

export class MasterKey extends Resource {
  /**
   * Wrap everything anew by the current master key.
   *
   * For when MASTER_KEY was changed: what still stands under one of MASTER_KEY_PREVIOUS is brought under MASTER_KEY. May be repeated, also by several at once. It tells what stands in the database, not what every copy of the service does: one that still has an earlier MASTER_KEY answers 503 where it would wrap by it, until it is started with the current one. 409 where a copy was started later with another MASTER_KEY.
   *
   * Opened by operationsToken.
   */
  rewrap(options?: CallOptions): Promise<RewrapResult> {
    return this.caller.call('rewrap_master_key', {}, options);
  }

  /**
   * Replace the master key of an embedded installation.
   *
   * Makes a new key, keeps it in DATA_DIR, wraps everything anew by it and forgets the one before. 409, with what to do instead, where the key is set by MASTER_KEY.
   *
   * Opened by operationsToken.
   */
  rotate(options?: CallOptions): Promise<RewrapResult> {
    return this.caller.call('rotate_master_key', {}, options);
  }
}

export class Audit extends Resource {
  /**
   * List the calls of tools over MCP, newest first.
   *
   * Arguments, answers and the words of errors are not kept.
   *
   * Opened by apiKey or accessToken, scope audit:read.
   */
  listToolCalls(query?: Query<'list_tool_calls'>, options?: CallOptions): Promise<ToolCallPage> {
    return this.caller.call('list_tool_calls', { query }, options);
  }

  /** Every row of `listToolCalls`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllToolCalls(query?: Query<'list_tool_calls'>, options?: CallOptions): AsyncGenerator<ToolCall, void> {
    return this.caller.each('list_tool_calls', { query }, options);
  }

  /**
   * Whether a call was changed, taken out or moved since it was written.
   *
   * Every row is held against the hash chain and its sealed head, so that rows missing at its end are seen, too. Whoever keeps `checked` and `last_hash` of an earlier answer can also tell that the whole chain was not put back to an older state.
   *
   * Opened by apiKey or accessToken, scope audit:read.
   */
  verifyToolCalls(options?: CallOptions): Promise<ChainVerification> {
    return this.caller.call('verify_tool_calls', {}, options);
  }

  /**
   * List the changes made over HTTP, newest first.
   *
   * A row commits together with its change. Requests that were refused or changed nothing have none; those of the operator have one in the tenant that they changed.
   *
   * Opened by apiKey or accessToken, scope audit:read.
   */
  listChanges(query?: Query<'list_changes'>, options?: CallOptions): Promise<ChangePage> {
    return this.caller.call('list_changes', { query }, options);
  }

  /** Every row of `listChanges`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllChanges(query?: Query<'list_changes'>, options?: CallOptions): AsyncGenerator<Change, void> {
    return this.caller.each('list_changes', { query }, options);
  }

  /**
   * Whether a change’s row was changed, taken out or moved since it was chained.
   *
   * As for tool calls. Rows are chained within a minute; those that are not yet are chained by this request.
   *
   * Opened by apiKey or accessToken, scope audit:read.
   */
  verifyChanges(options?: CallOptions): Promise<ChainVerification> {
    return this.caller.call('verify_changes', {}, options);
  }
}

export class Operations extends Resource {
  /**
   * Whether the process is alive.
   */
  getHealth(options?: CallOptions): Promise<Health> {
    return this.caller.call('get_health', {}, options);
  }

  /**
   * Whether the database is reachable and migrated.
   */
  getReadiness(options?: CallOptions): Promise<Readiness> {
    return this.caller.call('get_readiness', {}, options);
  }

  /**
   * Prometheus metrics of this process.
   */
  getMetrics(options?: CallOptions): Promise<Result<'get_metrics'>> {
    return this.caller.call('get_metrics', {}, options);
  }
}

/** Every group of operations, by the tags of the API's documentation. */
export abstract class Resources implements Caller {
  readonly authentication = new Authentication(this);
  readonly users = new Users(this);
  readonly tenants = new Tenants(this);
  readonly apiKeys = new ApiKeys(this);
  readonly primitives = new Primitives(this);
  readonly recipes = new Recipes(this);
  readonly deployment = new Deployment(this);
  readonly instances = new Instances(this);
  readonly instanceIdentity = new InstanceIdentity(this);
  readonly tasks = new Tasks(this);
  readonly tiers = new Tiers(this);
  readonly regions = new Regions(this);
  readonly customers = new Customers(this);
  readonly subscriptions = new Subscriptions(this);
  readonly websites = new Websites(this);
  readonly staff = new Staff(this);
  readonly work = new Work(this);
  readonly workers = new Workers(this);
  readonly identities = new Identities(this);
  readonly pins = new Pins(this);
  readonly connections = new Connections(this);
  readonly drive = new Drive(this);
  readonly channels = new Channels(this);
  readonly sharedHosting = new SharedHosting(this);
  readonly models = new Models(this);
  readonly certificateAuthority = new CertificateAuthority(this);
  readonly masterKey = new MasterKey(this);
  readonly audit = new Audit(this);
  readonly operations = new Operations(this);

  abstract call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Result<Id>>;
  abstract each<Id extends PagedId>(id: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void>;
}

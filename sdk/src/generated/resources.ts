/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

import type { Body, Caller, CallOptions, Input, Item, OperationId, PagedId, Query, Result } from '../caller.ts';
import { Resource } from '../resource.ts';
import type {
  Activity,
  AiDraft,
  AiDraftRequest,
  AnswerCreate,
  ApiKey,
  ApiKeyContext,
  ApiKeyCreate,
  ApiKeyPage,
  ApiKeyRotateRequest,
  ApiKeyWithSecret,
  Approval,
  ApprovalDecision,
  ApprovalOutcome,
  ApprovalPage,
  Assignment,
  AssignmentCreate,
  AssignmentPage,
  AssignmentUpdate,
  AuthorityKey,
  AuthorityKeyPage,
  Binding,
  BindingCreate,
  BindingPage,
  BrowserRefreshRequest,
  BrowserSession,
  BrowserSessionRequest,
  BrowserTenantRequest,
  CapturedRecipe,
  CertificateRenewRequest,
  ChainVerification,
  Change,
  ChangePage,
  ChannelEndpoint,
  ChannelEndpointCreate,
  ChannelEndpointPage,
  ChannelEndpointSaved,
  ChannelEndpointUpdate,
  ChannelMessage,
  ChannelMessagePage,
  ChannelTemplateList,
  ChatCompletionRequest,
  CheckedAssignment,
  CheckedShift,
  Cluster,
  ClusterDetail,
  ClusterDrain,
  ClusterDrainResult,
  ClusterPage,
  ClusterPut,
  ComposeRequest,
  ComposeResult,
  Connection,
  ConnectionCreate,
  ConnectionPage,
  ConnectionUpdate,
  Conversation,
  ConversationPage,
  ConversationUpdate,
  CreatedCustomer,
  CreatedTenant,
  Customer,
  CustomerBudget,
  CustomerBudgetPut,
  CustomerCloneRequest,
  CustomerConfig,
  CustomerCreate,
  CustomerDetail,
  CustomerPage,
  CustomerStaffPage,
  CustomerStaffRecord,
  CustomerStaffWithExpiringCerts,
  CustomerUpdate,
  DeployCheckRequest,
  DeployCheckResult,
  DeployRequest,
  DeployResult,
  DomainResolution,
  DriveFileContent,
  DriveSearchResult,
  EligibilityAnswer,
  EligibilityRequest,
  EnrollRequest,
  EnrollmentToken,
  EventDelivery,
  EventDeliveryPage,
  EventEndpoint,
  EventEndpointCreate,
  EventEndpointPage,
  EventEndpointUpdate,
  EventEndpointWithSecret,
  EventSecretRotateRequest,
  FleetRestart,
  FleetRestartResult,
  FoundItems,
  HandedOver,
  Handover,
  Health,
  Host,
  HostPage,
  Identity,
  IdentityCreate,
  IdentityLookupResult,
  IdentityPage,
  IdentityUpdate,
  Instance,
  InstanceDeployment,
  InstanceDeploymentPage,
  InstanceDetail,
  InstanceDrift,
  InstanceEvent,
  InstanceEventPage,
  InstanceModels,
  InstancePage,
  Invitation,
  InvitationAcceptance,
  InvitationCreate,
  IssuedCertificate,
  IssuingCertificate,
  ListedBudget,
  ListedBudgetPage,
  ListedRecipe,
  LlmProvider,
  LlmProviderCheck,
  LlmProviderModels,
  LlmProviderPage,
  LlmProviderPut,
  LogLines,
  LogLinesCreate,
  LogLinesKept,
  LoginRequest,
  Manifest,
  ManifestPage,
  ManifestPut,
  Me,
  Message,
  MessageCreate,
  MessagePage,
  Model,
  ModelCall,
  ModelCallPage,
  ModelPage,
  ModelsPut,
  ModelsPutResult,
  OnboardingFlow,
  OnboardingFlowCreate,
  OnboardingFlowPage,
  OnboardingFlowUpdate,
  OpenInvitation,
  OpenInvitationPage,
  OperatorInstance,
  OperatorInstancePage,
  OperatorManifest,
  OperatorManifestPage,
  OperatorMessage,
  OperatorMessagePage,
  OperatorOverview,
  OperatorTask,
  OperatorTaskPage,
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
  PlaygroundAccepted,
  PlaygroundMessage,
  Primitive,
  PrimitiveCreate,
  PrimitivePage,
  ProxyKey,
  Readiness,
  Recipe,
  RecipeCaptureRequest,
  RecipeCreate,
  RecipeRestore,
  RecipeRevision,
  RecipeRevisionPage,
  RecipeUpdate,
  RefreshTokenRequest,
  Region,
  RegionDetail,
  RegionDetailPage,
  RegionPage,
  RegionPut,
  Requirement,
  RequirementPage,
  RequirementPut,
  ResetAccount,
  RewrapResult,
  Rollout,
  RolloutDetail,
  RolloutPage,
  RolloutStart,
  RulesTemplate,
  RulesTemplateCreate,
  RulesTemplatePage,
  RulesTemplateUpdate,
  SecretRefreshRequest,
  SecretRefreshResult,
  Session,
  SessionPage,
  Shift,
  ShiftCreate,
  ShiftPage,
  ShiftUpdate,
  SignInLink,
  SignInLinkRequest,
  StaffCreate,
  StaffImportRequest,
  StaffImportResult,
  StaffPage,
  StaffRecord,
  StaffUpdate,
  StaffWithExpiringCerts,
  StartedRollout,
  Subscription,
  SubscriptionCreate,
  SubscriptionPage,
  SubscriptionUpdate,
  Task,
  TaskCancelRequest,
  TaskPage,
  Tenant,
  TenantCreate,
  TenantDetail,
  TenantLimitList,
  TenantOverview,
  TenantPage,
  TenantSwitchRequest,
  TenantUpdate,
  Tier,
  TierPage,
  TierPut,
  Timesheet,
  TimesheetPage,
  TimesheetUpdate,
  TimesheetsDecideRequest,
  TimesheetsDecideResult,
  TokenPair,
  ToolCall,
  ToolCallPage,
  Trigger,
  TriggerPage,
  UpgradeRequest,
  UpgradeResult,
  UploadedMedia,
  Usage,
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
   * Ends nothing: the answer is a new login in the other tenant. 404 where the user is no member of it.
   *
   * Opened by accessToken.
   */
  switchTenant(body: TenantSwitchRequest, options?: CallOptions): Promise<TokenPair> {
    return this.caller.call('switch_tenant', { body }, options);
  }

  /**
   * End a login.
   *
   * The refresh token and the access tokens of its login end at once. An unknown token is no error.
   */
  logout(body: RefreshTokenRequest, options?: CallOptions): Promise<Result<'logout'>> {
    return this.caller.call('logout', { body }, options);
  }

  /**
   * Sign in from a page of this service.
   *
   * Like login. Pages of this service alone may call it (403): the refresh token is a cookie that no script reads.
   */
  createBrowserSession(body: BrowserSessionRequest, options?: CallOptions): Promise<BrowserSession> {
    return this.caller.call('create_browser_session', { body }, options);
  }

  /**
   * Sign out.
   *
   * Without a session it is no error. Pages of this service alone may call it (403): the refresh token is a cookie that no script reads.
   */
  endBrowserSession(options?: CallOptions): Promise<Result<'end_browser_session'>> {
    return this.caller.call('end_browser_session', {}, options);
  }

  /**
   * Renew the access token of a page.
   *
   * 204 when nobody is signed in; 409 when the browser is by now signed in to another tenant than the one that is named. Pages of this service alone may call it (403): the refresh token is a cookie that no script reads.
   */
  refreshBrowserSession(body?: BrowserRefreshRequest, options?: CallOptions): Promise<Result<'refresh_browser_session'>> {
    return this.caller.call('refresh_browser_session', { body }, options);
  }

  /**
   * Go to another tenant of the same user.
   *
   * The browser’s session ends and a new one begins in that tenant; 404 where the user is no member of it. Pages of this service alone may call it (403): the refresh token is a cookie that no script reads.
   */
  switchBrowserSession(body: BrowserTenantRequest, options?: CallOptions): Promise<BrowserSession> {
    return this.caller.call('switch_browser_session', { body }, options);
  }

  /**
   * Sign in by a one-time link.
   *
   * 404 for a token that is unknown, used or older than 15 minutes. The session may set the password once within the hour without the current one. Pages of this service alone may call it (403): the refresh token is a cookie that no script reads.
   */
  openSignInLink(body: SignInLinkRequest, options?: CallOptions): Promise<BrowserSession> {
    return this.caller.call('open_sign_in_link', { body }, options);
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

export class Tenants extends Resource {
  /**
   * Make a link that signs a user in once.
   *
   * For the first sign-in, and for who is locked out. Its token stands behind the #, so no log has it.
   *
   * Opened by operationsToken.
   */
  createSignInLink(tenant_id: string, user_id: string, options?: CallOptions): Promise<SignInLink> {
    return this.caller.call('create_sign_in_link', { path: { tenant_id, user_id } }, options);
  }

  /**
   * Let a user of a tenant choose a new password.
   *
   * For a tenant whose admins are locked out. The token is shown once, is used once and lasts 24 hours.
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
   * All tenants of this service, newest first, with what each has and spends.
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

  /**
   * The tenant’s limits, and what is used of them.
   *
   * All of them, in a fixed order. revisions_kept is used by the recipe that has the most, sender_messages by the busiest sender of the last 10 minutes.
   *
   * Opened by apiKey or accessToken, scope usage:read.
   */
  listLimits(options?: CallOptions): Promise<TenantLimitList> {
    return this.caller.call('list_limits', {}, options);
  }
}

export class Users extends Resource {
  /**
   * List the tenant’s users.
   *
   * Members of the calling tenant with their roles, newest first.
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
   * The person loses access to this tenant at once. Memberships of other tenants stay.
   *
   * Opened by apiKey or accessToken, scope users:delete.
   */
  delete(user_id: string, options?: CallOptions): Promise<Result<'delete_user'>> {
    return this.caller.call('delete_user', { path: { user_id } }, options);
  }

  /**
   * The signed-in user.
   *
   * The user of the access token, the tenant that it is for, the role there, and all memberships. `capabilities` is what pages have to know about the service.
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
   * List the invitations that nobody has accepted yet.
   *
   * Newest first, also those that are too old by now. Their tokens were shown once.
   *
   * Opened by apiKey or accessToken, scope users:read.
   */
  listInvitations(query?: Query<'list_invitations'>, options?: CallOptions): Promise<OpenInvitationPage> {
    return this.caller.call('list_invitations', { query }, options);
  }

  /** Every row of `listInvitations`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllInvitations(query?: Query<'list_invitations'>, options?: CallOptions): AsyncGenerator<OpenInvitation, void> {
    return this.caller.each('list_invitations', { query }, options);
  }

  /**
   * Take an invitation back.
   *
   * Nobody can accept it any more. 404 once it was accepted.
   *
   * Opened by apiKey or accessToken, scope users:delete.
   */
  deleteInvitation(invitation_id: string, options?: CallOptions): Promise<Result<'delete_invitation'>> {
    return this.caller.call('delete_invitation', { path: { invitation_id } }, options);
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
   * Each login that has not ended, newest first. `is_current` marks the one that asks.
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
   * Its tokens end at once. Ending the current one signs out.
   *
   * Opened by accessToken.
   */
  endMySession(session_id: string, options?: CallOptions): Promise<Result<'end_my_session'>> {
    return this.caller.call('end_my_session', { path: { session_id } }, options);
  }
}

export class ApiKeys extends Resource {
  /**
   * List API keys.
   *
   * Without the keys themselves, which are shown once, when they are made.
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
   * Requests with the key are refused from then on, within a second.
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
   * Any key may ask. The answer names its tenant, role and scopes.
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
   * A recipe may use only what is approved here. A kind without an entry approves nothing.
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
   * Recipes may use it from then on. 409 where the kind and slug are approved already.
   *
   * Opened by apiKey or accessToken, scope primitives:write.
   */
  create(body: PrimitiveCreate, options?: CallOptions): Promise<Primitive> {
    return this.caller.call('create_primitive', { body }, options);
  }

  /**
   * Withdraw an approval.
   *
   * Recipes that use it become violations at the next check. Running instances go on.
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
   * The whole recipes as one array: the tenant’s own, newest first, then the platform’s. With view=summary without their configurations, but with the numbers of their instances.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  list(query?: Query<'list_recipes'>, options?: CallOptions): Promise<ListedRecipe[]> {
    return this.caller.call('list_recipes', { query }, options);
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
   * The tenant’s own, or a template of the platform.
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
   * It is not listed and not deployed any more. Its revisions stay with the instances that use them.
   *
   * Opened by apiKey or accessToken, scope recipes:delete.
   */
  delete(template_id: string, options?: CallOptions): Promise<Result<'delete_recipe'>> {
    return this.caller.call('delete_recipe', { path: { template_id } }, options);
  }

  /**
   * List a recipe’s revisions, newest first.
   *
   * Each change of a recipe is a revision, kept as the recipe stood after it.
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
   * The fields have the values of that time.
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
  restoreRevision(template_id: string, revision: number, body?: RecipeRestore, options?: CallOptions): Promise<Recipe> {
    return this.caller.call('restore_recipe_revision', { path: { template_id, revision }, body }, options);
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
   * A language model drafts; the draft names approved primitives alone, and nothing is kept but the usage, of no instance. It counts for the tenant’s `monthly_cost`: 429 without room, 403 for a model without a price. 503 where no model is configured, 502 where it does not answer within 30 seconds or not in shape.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  assist(body: AiDraftRequest, options?: CallOptions): Promise<AiDraft> {
    return this.caller.call('assist_recipe', { body }, options);
  }
}

export class RulesTemplates extends Resource {
  /**
   * List templates of rules.
   *
   * Newest first. A recipe names one by `rules_template_id`. A page of more than 4 MiB is refused: ask for fewer.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  list(query?: Query<'list_rules_templates'>, options?: CallOptions): Promise<RulesTemplatePage> {
    return this.caller.call('list_rules_templates', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_rules_templates'>, options?: CallOptions): AsyncGenerator<RulesTemplate, void> {
    return this.caller.each('list_rules_templates', { query }, options);
  }

  /**
   * Create a template of rules.
   *
   * A deploy of a recipe that names it copies the rules to a customer who has none.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  create(body: RulesTemplateCreate, options?: CallOptions): Promise<RulesTemplate> {
    return this.caller.call('create_rules_template', { body }, options);
  }

  /**
   * Get a template of rules.
   *
   * With the rules that it gives.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  get(rules_template_id: string, options?: CallOptions): Promise<RulesTemplate> {
    return this.caller.call('get_rules_template', { path: { rules_template_id } }, options);
  }

  /**
   * Change a template of rules.
   *
   * Only supplied fields change. Customers who have a copy keep it as it is.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  update(rules_template_id: string, body?: RulesTemplateUpdate, options?: CallOptions): Promise<RulesTemplate> {
    return this.caller.call('update_rules_template', { path: { rules_template_id }, body }, options);
  }

  /**
   * Delete a template of rules.
   *
   * Copies stay. A recipe that still names it has a violation at its next check.
   *
   * Opened by apiKey or accessToken, scope recipes:delete.
   */
  delete(rules_template_id: string, options?: CallOptions): Promise<Result<'delete_rules_template'>> {
    return this.caller.call('delete_rules_template', { path: { rules_template_id } }, options);
  }
}

export class OnboardingFlows extends Resource {
  /**
   * List onboarding flows.
   *
   * Newest first. A recipe names one by `onboarding_flow_id`.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  list(query?: Query<'list_onboarding_flows'>, options?: CallOptions): Promise<OnboardingFlowPage> {
    return this.caller.call('list_onboarding_flows', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_onboarding_flows'>, options?: CallOptions): AsyncGenerator<OnboardingFlow, void> {
    return this.caller.each('list_onboarding_flows', { query }, options);
  }

  /**
   * Create an onboarding flow.
   *
   * In a sender’s first conversation its steps are asked before the agent answers. The agent then gets the first message and all replies together.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  create(body: OnboardingFlowCreate, options?: CallOptions): Promise<OnboardingFlow> {
    return this.caller.call('create_onboarding_flow', { body }, options);
  }

  /**
   * Get an onboarding flow.
   *
   * With its steps in their order.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  get(onboarding_flow_id: string, options?: CallOptions): Promise<OnboardingFlow> {
    return this.caller.call('get_onboarding_flow', { path: { onboarding_flow_id } }, options);
  }

  /**
   * Change an onboarding flow.
   *
   * Only supplied fields change. A sender who is being asked goes on with the steps of now.
   *
   * Opened by apiKey or accessToken, scope recipes:write.
   */
  update(onboarding_flow_id: string, body?: OnboardingFlowUpdate, options?: CallOptions): Promise<OnboardingFlow> {
    return this.caller.call('update_onboarding_flow', { path: { onboarding_flow_id }, body }, options);
  }

  /**
   * Delete an onboarding flow.
   *
   * A sender who is being asked comes to the agent at the next message. A recipe that still names it has a violation at its next check.
   *
   * Opened by apiKey or accessToken, scope recipes:delete.
   */
  delete(onboarding_flow_id: string, options?: CallOptions): Promise<Result<'delete_onboarding_flow'>> {
    return this.caller.call('delete_onboarding_flow', { path: { onboarding_flow_id } }, options);
  }
}

export class Deployment extends Resource {
  /**
   * Compose a recipe with overrides, and check it against the approved primitives.
   *
   * Nothing is stored. `recipe` is composed in place of the recipe that `recipe_id` names. The answer has the resolved configuration, where each part comes from, and violations.
   *
   * Opened by apiKey or accessToken, scope recipes:read.
   */
  composeRecipe(body?: ComposeRequest, options?: CallOptions): Promise<ComposeResult> {
    return this.caller.call('compose_recipe', { body }, options);
  }

  /**
   * What a deploy would do, and what is missing for it.
   *
   * Nothing is stored. `plan_hash` lets a deploy do exactly what was checked, or nothing. The violation `hostname_in_use` says that an instance of the tenant, which is not terminated, has the hostname; it blocks nothing.
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
   * Newest first, terminated ones too. Filters narrow the list together.
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
   * The configuration is the one composed at its deploy; later changes of the recipe show in its drift.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  get(instance_id: string, options?: CallOptions): Promise<InstanceDetail> {
    return this.caller.call('get_instance', { path: { instance_id } }, options);
  }

  /**
   * Terminate an instance.
   *
   * Its runtime ends, and its secrets and address are given back. The answer’s task tells how far that is.
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
   * Compares the deployed configuration with what the recipe and the instance’s overrides would give now.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  getDrift(instance_id: string, options?: CallOptions): Promise<InstanceDrift> {
    return this.caller.call('get_instance_drift', { path: { instance_id } }, options);
  }

  /**
   * Give an instance another revision of its recipe, or other overrides, in place.
   *
   * The instance, its number, identity, PINs, conversations and status stay. 202: the task is enqueued, or the same upgrade is under way already. 200: nothing is to be changed, or with dry_run what would be. A step that fails for good has the steps before it undone. On a shared instance every deployment is upgraded. A customer who lacks a connection that the running configuration does without is 409 with missing_connections.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  upgrade(instance_id: string, body?: UpgradeRequest, options?: CallOptions): Promise<UpgradeResult> {
    return this.caller.call('upgrade_instance', { path: { instance_id }, body }, options);
  }

  /**
   * Whom an instance serves: several customers where it is shared.
   *
   * Deployments that were not released, the newest first.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  listDeployments(instance_id: string, query?: Query<'list_instance_deployments'>, options?: CallOptions): Promise<InstanceDeploymentPage> {
    return this.caller.call('list_instance_deployments', { path: { instance_id }, query }, options);
  }

  /** Every row of `listDeployments`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllDeployments(instance_id: string, query?: Query<'list_instance_deployments'>, options?: CallOptions): AsyncGenerator<InstanceDeployment, void> {
    return this.caller.each('list_instance_deployments', { path: { instance_id }, query }, options);
  }

  /**
   * Take a customer from an instance; without its last one the instance is terminated.
   *
   * The customer leaves at once; the task takes away what was wired for them.
   *
   * Opened by apiKey or accessToken, scope instances:delete.
   */
  deleteDeployment(instance_id: string, deployment_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('delete_instance_deployment', { path: { instance_id, deployment_id } }, options);
  }

  /**
   * Stop a running instance.
   *
   * Its runtime ends; messages wait until it is started. In another state it is refused.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  stop(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('stop_instance', { path: { instance_id } }, options);
  }

  /**
   * Start a stopped instance.
   *
   * With the configuration that it had. In another state it is refused.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  start(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('start_instance', { path: { instance_id } }, options);
  }

  /**
   * Restart the runtime of a running instance.
   *
   * The old runtime ends, then a new one starts with the tier and the image of now. Messages wait meanwhile. In another state, or while another task is at work, it is refused. Where the new runtime does not come up, the task fails, the instance stays running, and the runtime is tried further.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  restart(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('restart_instance', { path: { instance_id } }, options);
  }

  /**
   * Provision a failed instance again.
   *
   * From the first step that is missing. In another state it is refused.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  retry(instance_id: string, options?: CallOptions): Promise<Task> {
    return this.caller.call('retry_instance', { path: { instance_id } }, options);
  }

  /**
   * Mint the instance a new proxy key; the one before stays valid for 10 minutes.
   *
   * A runtime uses it for internal routes. It is shown once.
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

  /**
   * What an instance’s runtime said: as JSON, or followed live with Accept: text/event-stream.
   *
   * The last lines, oldest first: those that the runtime sent, and with the engine process its own output. They are kept for a day. The stream begins with them (or after Last-Event-ID) and goes on.
   *
   * Opened by apiKey or accessToken, scope instance-logs:read.
   */
  listLogs(instance_id: string, query?: Query<'list_instance_logs'>, options?: CallOptions): Promise<LogLines> {
    return this.caller.call('list_instance_logs', { path: { instance_id }, query }, options);
  }

  /**
   * Keep lines of a runtime’s log.
   *
   * Secrets of the instance and texts in the form of one are removed before anything is kept.
   *
   * Opened by proxyKey or operationsToken.
   */
  sendLogs(instance_id: string, body: LogLinesCreate, options?: CallOptions): Promise<LogLinesKept> {
    return this.caller.call('send_instance_logs', { path: { instance_id }, body }, options);
  }

  /**
   * When an agent speaks by itself, and to whom.
   *
   * The valid triggers of each customer that it serves: the recipe’s, with the overrides and the customer’s own configuration.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  listTriggers(instance_id: string, query?: Query<'list_instance_triggers'>, options?: CallOptions): Promise<TriggerPage> {
    return this.caller.call('list_instance_triggers', { path: { instance_id }, query }, options);
  }

  /** Every row of `listTriggers`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllTriggers(instance_id: string, query?: Query<'list_instance_triggers'>, options?: CallOptions): AsyncGenerator<Trigger, void> {
    return this.caller.each('list_instance_triggers', { path: { instance_id }, query }, options);
  }
}

export class Rollouts extends Resource {
  /**
   * Give the instances of a recipe a revision, in batches, and stop where something breaks.
   *
   * Each live instance of another revision is upgraded in place, five at once, and keeps its overrides. What cannot begin is skipped with its reason. A batch begins `pause_seconds` after the one before ended. 409 while another rollout of the recipe is running, paused or rolling back. With dry_run 200, a page of the plans, and nothing happens.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  start(template_id: string, body: RolloutStart, query?: Query<'start_rollout'>, options?: CallOptions): Promise<StartedRollout> {
    return this.caller.call('start_rollout', { path: { template_id }, body, query }, options);
  }

  /**
   * List the rollouts of a recipe.
   *
   * Newest first, without their instances.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  list(template_id: string, query?: Query<'list_rollouts'>, options?: CallOptions): Promise<RolloutPage> {
    return this.caller.call('list_rollouts', { path: { template_id }, query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(template_id: string, query?: Query<'list_rollouts'>, options?: CallOptions): AsyncGenerator<Rollout, void> {
    return this.caller.each('list_rollouts', { path: { template_id }, query }, options);
  }

  /**
   * How far a rollout is.
   *
   * With a page of its instances, in the order of their batches.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  get(template_id: string, rollout_id: string, query?: Query<'get_rollout'>, options?: CallOptions): Promise<RolloutDetail> {
    return this.caller.call('get_rollout', { path: { template_id, rollout_id }, query }, options);
  }

  /**
   * Let a running rollout rest.
   *
   * Upgrades that have begun end. 409 in every other state.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  pause(template_id: string, rollout_id: string, options?: CallOptions): Promise<RolloutDetail> {
    return this.caller.call('pause_rollout', { path: { template_id, rollout_id } }, options);
  }

  /**
   * Let a paused or stopped rollout go on.
   *
   * It goes on at once with what waits; what was counted before it stopped does not stop it again. 409 in every other state, and after a rollback.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  resume(template_id: string, rollout_id: string, options?: CallOptions): Promise<RolloutDetail> {
    return this.caller.call('resume_rollout', { path: { template_id, rollout_id } }, options);
  }

  /**
   * Stop a running or paused rollout.
   *
   * Upgrades that have begun end; what is upgraded stays so. 409 in every other state.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  stop(template_id: string, rollout_id: string, options?: CallOptions): Promise<RolloutDetail> {
    return this.caller.call('stop_rollout', { path: { template_id, rollout_id } }, options);
  }

  /**
   * Take the instances of a rollout back to the revisions that they had.
   *
   * A paused, stopped or succeeded rollout goes back, for 7 days after its end. An instance that was upgraded again since is skipped; where one cannot go back, the rollout ends stopped, and only a rollback is possible again.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  rollback(template_id: string, rollout_id: string, options?: CallOptions): Promise<RolloutDetail> {
    return this.caller.call('rollback_rollout', { path: { template_id, rollout_id } }, options);
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
   * List tasks.
   *
   * Newest first, finished ones too. Filters narrow the list together.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  list(query?: Query<'list_tasks'>, options?: CallOptions): Promise<TaskPage> {
    return this.caller.call('list_tasks', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_tasks'>, options?: CallOptions): AsyncGenerator<Task, void> {
    return this.caller.each('list_tasks', { query }, options);
  }

  /**
   * How far a task is.
   *
   * Ask until `finished_at` is set. `error` says why a task failed.
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
   * The operator makes them. A deploy names one that is active.
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
   * 201 where it is new. Fields that are left out keep their value.
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
   * The operator makes them. A deploy names one that is active.
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

export class Manifests extends Resource {
  /**
   * List the kinds of runtimes that the operator offers.
   *
   * A recipe or a deploy chooses one by `manifest_id`; without one, `reference` applies. `capabilities` say what it acts on.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  list(query?: Query<'list_manifests'>, options?: CallOptions): Promise<ManifestPage> {
    return this.caller.call('list_manifests', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_manifests'>, options?: CallOptions): AsyncGenerator<Manifest, void> {
    return this.caller.each('list_manifests', { query }, options);
  }

  /**
   * List manifests with what they start.
   *
   * As list_manifests, with command and images.
   *
   * Opened by operationsToken.
   */
  listOperatorManifests(query?: Query<'list_operator_manifests'>, options?: CallOptions): Promise<OperatorManifestPage> {
    return this.caller.call('list_operator_manifests', { query }, options);
  }

  /** Every row of `listOperatorManifests`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllOperatorManifests(query?: Query<'list_operator_manifests'>, options?: CallOptions): AsyncGenerator<OperatorManifest, void> {
    return this.caller.each('list_operator_manifests', { query }, options);
  }

  /**
   * Make or change a manifest.
   *
   * Fields that are left out keep their value. A changed command takes effect at an instance’s next start. `reference` is 409, unless RUNTIME_COMMAND replaces the runtime that the service comes with.
   *
   * Opened by operationsToken.
   */
  put(manifest_id: string, body?: ManifestPut, options?: CallOptions): Promise<OperatorManifest> {
    return this.caller.call('put_manifest', { path: { manifest_id }, body }, options);
  }
}

export class Customers extends Resource {
  /**
   * List customers.
   *
   * Finds by a part of the e-mail address (`search`), or of it or the company’s name (`q`). Names sort without case; what has none comes last.
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
   * The e-mail address is unique within the tenant, without case.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  create(body: CustomerCreate, options?: CallOptions): Promise<CreatedCustomer> {
    return this.caller.call('create_customer', { body }, options);
  }

  /**
   * A customer with its instances and subscriptions.
   *
   * Terminated instances are left out of its counts.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  get(customer_id: string, options?: CallOptions): Promise<CustomerDetail> {
    return this.caller.call('get_customer', { path: { customer_id } }, options);
  }

  /**
   * Change a customer.
   *
   * Only supplied fields change; null clears an optional one. 409 where the e-mail address is taken.
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
   * The texts of `instructions`, a list, are told to the model beside the system prompt; its agents get the whole object.
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
   * Newest first. Ended ones stay listed.
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
   * The service keeps what you say of it, and charges nobody.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  create(customer_id: string, body: SubscriptionCreate, options?: CallOptions): Promise<Subscription> {
    return this.caller.call('create_subscription', { path: { customer_id }, body }, options);
  }

  /**
   * Change a subscription.
   *
   * Only supplied fields change.
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
   * Newest first.
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
   * Its hostname is free again, and agents do not find the customer by it any more.
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
   * Every filter given has to match. In the order of names, unless asked otherwise. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
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
   * For the customer of the instance, which a shared instance names. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  create(instance_id: string, body: StaffCreate, query: Query<'create_staff'>, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('create_staff', { path: { instance_id }, body, query }, options);
  }

  /**
   * Add or change many staff records.
   *
   * Each item that is valid is created, or changes the record that has its external_id: fields that it leaves out stay. The faults of the others are listed. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  import(instance_id: string, body: StaffImportRequest, query: Query<'import_staff'>, options?: CallOptions): Promise<StaffImportResult> {
    return this.caller.call('import_staff', { path: { instance_id }, body, query }, options);
  }

  /**
   * A staff record.
   *
   * 404 where the person belongs to a customer that the instance does not serve. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  get(instance_id: string, person_id: string, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('get_staff', { path: { instance_id, person_id } }, options);
  }

  /**
   * Change a staff record.
   *
   * Only supplied fields change; null clears an optional one. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  update(instance_id: string, person_id: string, body?: StaffUpdate, options?: CallOptions): Promise<StaffRecord> {
    return this.caller.call('update_staff', { path: { instance_id, person_id }, body }, options);
  }

  /**
   * Staff whose certifications expire soon.
   *
   * Soonest first. A page of more than 4 MiB is refused. Days count in the customer’s time zone; who has left (`terminated`) is not listed. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  listExpiringCerts(instance_id: string, query: Query<'list_expiring_certs'>, options?: CallOptions): Promise<StaffWithExpiringCerts[]> {
    return this.caller.call('list_expiring_certs', { path: { instance_id }, query }, options);
  }

  /**
   * A customer’s staff whose certifications expire soon.
   *
   * Soonest first. A page of more than 4 MiB is refused. Days count in the customer’s time zone; who has left (`terminated`) is not listed.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listCustomerExpiringCerts(customer_id: string, query?: Query<'list_customer_expiring_certs'>, options?: CallOptions): Promise<CustomerStaffWithExpiringCerts[]> {
    return this.caller.call('list_customer_expiring_certs', { path: { customer_id }, query }, options);
  }

  /**
   * All customers’ staff whose certifications expire soon.
   *
   * Soonest first. A page of more than 4 MiB is refused. Days count in the customer’s time zone; who has left (`terminated`) is not listed.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listTenantExpiringCerts(query?: Query<'list_tenant_expiring_certs'>, options?: CallOptions): Promise<CustomerStaffWithExpiringCerts[]> {
    return this.caller.call('list_tenant_expiring_certs', { query }, options);
  }

  /**
   * List a customer’s staff.
   *
   * By name, unless asked otherwise.
   *
   * Opened by accessToken, scope staff:read.
   */
  listCustomerStaff(customer_id: string, query?: Query<'list_customer_staff'>, options?: CallOptions): Promise<CustomerStaffPage> {
    return this.caller.call('list_customer_staff', { path: { customer_id }, query }, options);
  }

  /** Every row of `listCustomerStaff`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllCustomerStaff(customer_id: string, query?: Query<'list_customer_staff'>, options?: CallOptions): AsyncGenerator<CustomerStaffRecord, void> {
    return this.caller.each('list_customer_staff', { path: { customer_id }, query }, options);
  }

  /**
   * Add a staff record to a customer.
   *
   * The record is what agents search and what shifts, assignments and bindings name.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createCustomerStaff(customer_id: string, body: StaffCreate, options?: CallOptions): Promise<CustomerStaffRecord> {
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
   * With skills, certifications and inductions.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  getCustomerStaff(customer_id: string, person_id: string, options?: CallOptions): Promise<CustomerStaffRecord> {
    return this.caller.call('get_customer_staff', { path: { customer_id, person_id } }, options);
  }

  /**
   * Change a staff record of a customer.
   *
   * Only supplied fields change; null clears an optional one, and a list replaces the list.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateCustomerStaff(customer_id: string, person_id: string, body?: StaffUpdate, options?: CallOptions): Promise<CustomerStaffRecord> {
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
   * A verified binding lets the person ask an agent about shifts and hours.
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
   * Messages from the address are a stranger’s from then on.
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
   * Newest first.
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
   * `ends_at` is after `starts_at`. The person sees it in the chat.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createShift(customer_id: string, body: ShiftCreate, options?: CallOptions): Promise<CheckedShift> {
    return this.caller.call('create_shift', { path: { customer_id }, body }, options);
  }

  /**
   * Change a shift.
   *
   * Only supplied fields change; null clears an optional one.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateShift(customer_id: string, shift_id: string, body?: ShiftUpdate, options?: CallOptions): Promise<CheckedShift> {
    return this.caller.call('update_shift', { path: { customer_id, shift_id }, body }, options);
  }

  /**
   * Delete a shift; its timesheet stays.
   *
   * It is gone for the person at once.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteShift(customer_id: string, shift_id: string, options?: CallOptions): Promise<Result<'delete_shift'>> {
    return this.caller.call('delete_shift', { path: { customer_id, shift_id } }, options);
  }

  /**
   * List the assignments of a customer’s staff.
   *
   * Newest first.
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
   * An assignment may be open-ended, unlike a shift.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  createAssignment(customer_id: string, body: AssignmentCreate, options?: CallOptions): Promise<CheckedAssignment> {
    return this.caller.call('create_assignment', { path: { customer_id }, body }, options);
  }

  /**
   * Change an assignment.
   *
   * Only supplied fields change; null clears an optional one.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  updateAssignment(customer_id: string, assignment_id: string, body?: AssignmentUpdate, options?: CallOptions): Promise<CheckedAssignment> {
    return this.caller.call('update_assignment', { path: { customer_id, assignment_id }, body }, options);
  }

  /**
   * Delete an assignment.
   *
   * It is gone for the person at once.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteAssignment(customer_id: string, assignment_id: string, options?: CallOptions): Promise<Result<'delete_assignment'>> {
    return this.caller.call('delete_assignment', { path: { customer_id, assignment_id } }, options);
  }

  /**
   * List the timesheets of a customer’s staff.
   *
   * Hours that people submitted in the chat, newest first.
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
   * List the timesheets of all customers’ staff.
   *
   * Hours that people submitted in the chat, newest first.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listTenantTimesheets(query?: Query<'list_tenant_timesheets'>, options?: CallOptions): Promise<TimesheetPage> {
    return this.caller.call('list_tenant_timesheets', { query }, options);
  }

  /** Every row of `listTenantTimesheets`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllTenantTimesheets(query?: Query<'list_tenant_timesheets'>, options?: CallOptions): AsyncGenerator<Timesheet, void> {
    return this.caller.each('list_tenant_timesheets', { query }, options);
  }

  /**
   * Approve or reject several timesheets.
   *
   * Each is decided on its own. `errors` names those that stayed as they were: the unknown ones, and those whose shift has another timesheet.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  decideTimesheets(body: TimesheetsDecideRequest, options?: CallOptions): Promise<TimesheetsDecideResult> {
    return this.caller.call('decide_timesheets', { body }, options);
  }

  /**
   * Approve or reject a timesheet.
   *
   * The decision of a person on submitted hours.
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
   * The person is found by the address that the message came from, which has to be verified.
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

  /**
   * Say whether a worker may work at a place and time.
   *
   * With the worker as the one person of the answer.
   *
   * Opened by proxyKey or operationsToken.
   */
  getMyEligibility(instance_id: string, query: Query<'get_my_eligibility'>, options?: CallOptions): Promise<EligibilityAnswer> {
    return this.caller.call('get_my_eligibility', { path: { instance_id }, query }, options);
  }
}

export class Eligibility extends Resource {
  /**
   * List what a customer’s work demands.
   *
   * In the order of their keys.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  listRequirements(customer_id: string, query?: Query<'list_requirements'>, options?: CallOptions): Promise<RequirementPage> {
    return this.caller.call('list_requirements', { path: { customer_id }, query }, options);
  }

  /** Every row of `listRequirements`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllRequirements(customer_id: string, query?: Query<'list_requirements'>, options?: CallOptions): AsyncGenerator<Requirement, void> {
    return this.caller.each('list_requirements', { path: { customer_id }, query }, options);
  }

  /**
   * A requirement.
   *
   * With its demands.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  getRequirement(customer_id: string, key: string, options?: CallOptions): Promise<Requirement> {
    return this.caller.call('get_requirement', { path: { customer_id, key } }, options);
  }

  /**
   * Make or replace a requirement.
   *
   * It counts where each of site, job_id and title that it gives equals what is asked, without case; one that gives none counts everywhere. At most 200 of a customer.
   *
   * Opened by apiKey or accessToken, scope staff:write.
   */
  putRequirement(customer_id: string, key: string, body: RequirementPut, options?: CallOptions): Promise<Requirement> {
    return this.caller.call('put_requirement', { path: { customer_id, key }, body }, options);
  }

  /**
   * Remove a requirement.
   *
   * It demands nothing any more from then on.
   *
   * Opened by apiKey or accessToken, scope staff:delete.
   */
  deleteRequirement(customer_id: string, key: string, options?: CallOptions): Promise<Result<'delete_requirement'>> {
    return this.caller.call('delete_requirement', { path: { customer_id, key } }, options);
  }

  /**
   * List who of a customer’s staff may work at a place and time, and why not.
   *
   * Computed now from the records, never stored. Every demand has to be met for the whole time, and every reason is told.
   *
   * Opened by apiKey or accessToken, scope staff:read.
   */
  explain(customer_id: string, body?: EligibilityRequest, options?: CallOptions): Promise<EligibilityAnswer> {
    return this.caller.call('explain_eligibility', { path: { customer_id }, body }, options);
  }

  /**
   * List who of a customer’s staff may work at a place and time, for a runtime.
   *
   * Computed now from the records, never stored. Every demand has to be met for the whole time, and every reason is told. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill staff_query is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  ask(instance_id: string, query: Query<'ask_eligibility'>, body?: EligibilityRequest, options?: CallOptions): Promise<EligibilityAnswer> {
    return this.caller.call('ask_eligibility', { path: { instance_id }, query, body }, options);
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
   * Agents know the sender by it. 409 where the customer has the address already.
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
   * The address is a stranger’s from then on. Its PIN goes with it.
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
   * The PIN itself is kept as a hash and never returned.
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
   * Protected skills then ask for no PIN of the customer. 204 also where there is none.
   *
   * Opened by apiKey or accessToken, scope pins:delete.
   */
  deleteCustomerPin(customer_id: string, options?: CallOptions): Promise<Result<'delete_customer_pin'>> {
    return this.caller.call('delete_customer_pin', { path: { customer_id } }, options);
  }

  /**
   * Set the PIN of a sender, who asked for it in the chat.
   *
   * From then on it counts for this identity in place of its customer’s. Where the policy is enforced and a PIN applies, X-Pin-Session or current_pin has to show that the sender knows it; 409 while it is locked. Wrong attempts stay. With X-Sender-Token, the PINs are masked in the sender’s last messages.
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
   * Without such a customer, `has_pin` is false.
   *
   * Opened by accessToken.
   */
  getMyPin(options?: CallOptions): Promise<PinStatus> {
    return this.caller.call('get_my_pin', {}, options);
  }

  /**
   * Check a PIN.
   *
   * The identity’s PIN where it has one, else its customer’s; with neither id, the customer of a dedicated instance. Five wrong ones in a row lock it for this sender, twenty for all. A failure is told in the result. An inactive PIN is told as locked. With X-Sender-Token, the digits are masked in the sender’s last messages; a message that is forwarded again then carries the mask.
   *
   * Opened by proxyKey or operationsToken.
   */
  verify(instance_id: string, body: PinVerifyRequest, options?: CallOptions): Promise<PinVerifyResult> {
    return this.caller.call('verify_pin', { path: { instance_id }, body }, options);
  }

  /**
   * Whether a session that a right PIN began is still valid on this instance.
   *
   * A session belongs to the instance at which the PIN was proven. With X-Sender-Token, a session that another identity began is not valid.
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
   * The skills that need a PIN, whose PIN it is, and how long a proof lasts.
   *
   * Opened by apiKey or accessToken, scope pins:read.
   */
  getPolicy(instance_id: string, options?: CallOptions): Promise<PinPolicy> {
    return this.caller.call('get_pin_policy', { path: { instance_id } }, options);
  }

  /**
   * Change when an instance asks for a PIN.
   *
   * Only supplied fields change.
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
   * The credentials are encrypted and never returned. 409 for the provider `filesystem` where DRIVE_FILESYSTEM_ROOT is `off`.
   *
   * Opened by apiKey or accessToken, scope connections:write.
   */
  create(customer_id: string, body: ConnectionCreate, options?: CallOptions): Promise<Connection> {
    return this.caller.call('create_connection', { path: { customer_id }, body }, options);
  }

  /**
   * List the connections of all customers.
   *
   * Newest first. Revoked ones are left out unless `status` asks for them.
   *
   * Opened by apiKey or accessToken, scope connections:read.
   */
  listAllConnections(query?: Query<'list_all_connections'>, options?: CallOptions): Promise<ConnectionPage> {
    return this.caller.call('list_all_connections', { query }, options);
  }

  /** Every row of `listAllConnections`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllAllConnections(query?: Query<'list_all_connections'>, options?: CallOptions): AsyncGenerator<Connection, void> {
    return this.caller.each('list_all_connections', { query }, options);
  }

  /**
   * Change a connection’s name, credentials, end or hosts.
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
   * Instances that use it lose it with their next refresh of secrets. It cannot be taken back.
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
   * Without connection_name: the customer’s oldest drive that has neither expired nor been revoked. On a shared instance connection_name or customer_id has to tell. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill drive_search is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  search(instance_id: string, query?: Query<'search_drive'>, options?: CallOptions): Promise<DriveSearchResult> {
    return this.caller.call('search_drive', { path: { instance_id }, query }, options);
  }

  /**
   * Read a file of a customer’s drive, of at most 10 MiB.
   *
   * Google documents are exported to text. Without connection_name: the customer’s oldest drive that has neither expired nor been revoked. On a shared instance connection_name or customer_id has to tell. With X-Sender-Token, 403 `not_introduced` for a sender whose identity or address nobody has verified, unless the skill drive_search is `{"public": true}`.
   *
   * Opened by proxyKey or operationsToken.
   */
  readFile(instance_id: string, file_id: string, query?: Query<'read_drive_file'>, options?: CallOptions): Promise<DriveFileContent> {
    return this.caller.call('read_drive_file', { path: { instance_id, file_id }, query }, options);
  }
}

export class Conversations extends Resource {
  /**
   * List conversations, the latest message or the longest wait first.
   *
   * Filters narrow the list together. Messages have a list of their own. While it is read, conversations move to the front: `before`, unlike `page`, shows none twice and leaves out none that stays.
   *
   * Opened by apiKey or accessToken, scope conversations:read.
   */
  list(query?: Query<'list_conversations'>, options?: CallOptions): Promise<ConversationPage> {
    return this.caller.call('list_conversations', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_conversations'>, options?: CallOptions): AsyncGenerator<Conversation, void> {
    return this.caller.each('list_conversations', { query }, options);
  }

  /**
   * Get a conversation.
   *
   * With its mode: whether the agent or a person answers.
   *
   * Opened by apiKey or accessToken, scope conversations:read.
   */
  get(conversation_id: string, options?: CallOptions): Promise<Conversation> {
    return this.caller.call('get_conversation', { path: { conversation_id } }, options);
  }

  /**
   * Take a conversation over, or give it back to the agent.
   *
   * While the mode is `human` nothing is forwarded to the agent. After the switch back the agent gets the messages that nobody answered, as one. Each change of `taken_by` stands in the conversation as a message of the kind `takeover`, which is not sent.
   *
   * Opened by apiKey or accessToken, scope conversations:write.
   */
  update(conversation_id: string, body: ConversationUpdate, options?: CallOptions): Promise<Conversation> {
    return this.caller.call('update_conversation', { path: { conversation_id }, body }, options);
  }

  /**
   * Erase a conversation with all its messages.
   *
   * Queued answers are not sent any more, and waiting messages are dropped.
   *
   * Opened by apiKey or accessToken, scope conversations:delete.
   */
  delete(conversation_id: string, options?: CallOptions): Promise<Result<'delete_conversation'>> {
    return this.caller.call('delete_conversation', { path: { conversation_id } }, options);
  }

  /**
   * A conversation’s newest messages as JSON, or followed live with Accept: text/event-stream.
   *
   * A page holds the newest messages, oldest first; `before` pages back. The stream’s events are messages, new or changed; it resumes after Last-Event-ID.
   *
   * Opened by apiKey or accessToken, scope conversations:read.
   */
  listMessages(conversation_id: string, query?: Query<'list_messages'>, options?: CallOptions): Promise<MessagePage> {
    return this.caller.call('list_messages', { path: { conversation_id }, query }, options);
  }

  /**
   * Answer a sender as a person.
   *
   * Either `text` with or without `buttons`, `options` or `media`, or `media` alone, or a `template` that the channel has approved. The mode has to be `human`, and free text ends at `reply_until` (409).
   *
   * Opened by apiKey or accessToken, scope conversations:write.
   */
  sendMessage(conversation_id: string, body?: MessageCreate, options?: CallOptions): Promise<Message> {
    return this.caller.call('send_message', { path: { conversation_id }, body }, options);
  }

  /**
   * Answer a sender as the agent.
   *
   * Without an idempotency_key, in_reply_to is the key: the first answer to a message stands. 409 while a person has the conversation; that is final.
   *
   * Opened by proxyKey or operationsToken.
   */
  answerMessage(instance_id: string, conversation_id: string, body?: AnswerCreate, options?: CallOptions): Promise<Message> {
    return this.caller.call('answer_message', { path: { instance_id, conversation_id }, body }, options);
  }

  /**
   * Hand a conversation over to a person.
   *
   * The mode `human` ends 24 hours after a person’s last message, or after the handover. The reason stands in the conversation as a message of the kind `handover`, for people alone.
   *
   * Opened by proxyKey or operationsToken.
   */
  handOverConversation(instance_id: string, conversation_id: string, body?: Handover, options?: CallOptions): Promise<HandedOver> {
    return this.caller.call('hand_over_conversation', { path: { instance_id, conversation_id }, body }, options);
  }

  /**
   * Write to an agent without a phone.
   *
   * The way is that of a real message but for the channel: answers count as delivered at once. Without a conversation a new one begins.
   *
   * Opened by apiKey or accessToken, scope instances:write.
   */
  writeInPlayground(instance_id: string, body?: PlaygroundMessage, options?: CallOptions): Promise<PlaygroundAccepted> {
    return this.caller.call('write_in_playground', { path: { instance_id }, body }, options);
  }

  /**
   * Upload a file for an answer.
   *
   * The bytes of one file, for an answer to take (`media`). Its type is what the bytes say: JPEG and PNG up to 5 MiB, MP4, 3GPP, AAC, MP3, OGG, AMR, PDF, DOCX, XLSX and PPTX up to 16 MiB (413); nothing else, and no macros (415). It is stored encrypted, and erased with the conversation, or after a day when no answer has taken it. Two uploads at once for a tenant, four in all (429).
   *
   * Opened by apiKey or accessToken, scope conversations:write.
   */
  uploadMedia(conversation_id: string, body: Body<'upload_media'>, options?: CallOptions): Promise<UploadedMedia> {
    return this.caller.call('upload_media', { path: { conversation_id }, body }, options);
  }

  /**
   * Upload a file for an answer of the agent.
   *
   * The bytes of one file, for an answer to take (`media`). Its type is what the bytes say: JPEG and PNG up to 5 MiB, MP4, 3GPP, AAC, MP3, OGG, AMR, PDF, DOCX, XLSX and PPTX up to 16 MiB (413); nothing else, and no macros (415). It is stored encrypted, and erased with the conversation, or after a day when no answer has taken it. Two uploads at once for a tenant, four in all (429).
   *
   * Opened by proxyKey or operationsToken.
   */
  uploadInstanceMedia(instance_id: string, conversation_id: string, body: Body<'upload_instance_media'>, options?: CallOptions): Promise<UploadedMedia> {
    return this.caller.call('upload_instance_media', { path: { instance_id, conversation_id }, body }, options);
  }

  /**
   * What a sender attached to a message.
   *
   * The content as the channel has it, of at most 25 MiB, with its own Content-Type and as an attachment. 404 once the message’s content was erased.
   *
   * Opened by apiKey or accessToken, scope conversations:read.
   */
  getMedia(conversation_id: string, media_id: string, options?: CallOptions): Promise<Result<'get_conversation_media'>> {
    return this.caller.call('get_conversation_media', { path: { conversation_id, media_id } }, options);
  }

  /**
   * What a sender attached to a message of an instance.
   *
   * The content as the channel has it, of at most 25 MiB, with its own Content-Type and as an attachment. 404 once the message’s content was erased.
   *
   * Opened by proxyKey or operationsToken.
   */
  getInstanceMedia(instance_id: string, media_id: string, options?: CallOptions): Promise<Result<'get_instance_media'>> {
    return this.caller.call('get_instance_media', { path: { instance_id, media_id } }, options);
  }
}

export class Channels extends Resource {
  /**
   * List the templates of a number.
   *
   * Asked of the channel now, with the connection that answers are sent with; at most 1,000. Once free text has ended (`reply_until`), only an approved template reaches the sender.
   *
   * Opened by apiKey or accessToken, scope conversations:write.
   */
  listTemplates(endpoint_id: string, options?: CallOptions): Promise<ChannelTemplateList> {
    return this.caller.call('list_channel_templates', { path: { endpoint_id } }, options);
  }

  /**
   * List the numbers that messages are received for.
   *
   * Secrets of an endpoint are never returned.
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
  createEndpoint(body: ChannelEndpointCreate, options?: CallOptions): Promise<ChannelEndpointSaved> {
    return this.caller.call('create_channel_endpoint', { body }, options);
  }

  /**
   * Change a number, its instance or its secrets.
   *
   * Messages that are not delivered yet follow the endpoint to its new instance.
   *
   * Opened by apiKey or accessToken, scope channels:write.
   */
  updateEndpoint(endpoint_id: string, body?: ChannelEndpointUpdate, options?: CallOptions): Promise<ChannelEndpointSaved> {
    return this.caller.call('update_channel_endpoint', { path: { endpoint_id }, body }, options);
  }

  /**
   * Receive no more messages for a number, and drop the ones that came.
   *
   * The channel’s webhook for the number is answered as for an unknown one from then on.
   *
   * Opened by apiKey or accessToken, scope channels:delete.
   */
  deleteEndpoint(endpoint_id: string, options?: CallOptions): Promise<Result<'delete_channel_endpoint'>> {
    return this.caller.call('delete_channel_endpoint', { path: { endpoint_id } }, options);
  }

  /**
   * List received messages, without what they say.
   *
   * Each says what became of it: waiting, delivered, or given up with its last error.
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
   * 409 unless it was given up.
   *
   * Opened by apiKey or accessToken, scope channels:write.
   */
  retryMessage(channel_message_id: string, options?: CallOptions): Promise<ChannelMessage> {
    return this.caller.call('retry_channel_message', { path: { channel_message_id } }, options);
  }
}

export class Approvals extends Resource {
  /**
   * List calls of tools that wait for a person, and those that did.
   *
   * Newest first, unless `sort_by` says otherwise. One that failed was approved, and the call could not be made, or nobody knows if it was.
   *
   * Opened by apiKey or accessToken, scope approvals:read.
   */
  list(query?: Query<'list_approvals'>, options?: CallOptions): Promise<ApprovalPage> {
    return this.caller.call('list_approvals', { query }, options);
  }

  /** Every row of `list`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAll(query?: Query<'list_approvals'>, options?: CallOptions): AsyncGenerator<Approval, void> {
    return this.caller.each('list_approvals', { query }, options);
  }

  /**
   * Get a call that waits or waited for a person.
   *
   * With the outcome, once there is one.
   *
   * Opened by apiKey or accessToken, scope approvals:read.
   */
  get(approval_id: string, options?: CallOptions): Promise<Approval> {
    return this.caller.call('get_approval', { path: { approval_id } }, options);
  }

  /**
   * Approve or reject a call of a tool.
   *
   * An approved call is made by the service itself, at most once; the agent is told the outcome. 409 where it is decided or expired, or the agent may no longer call the tool.
   *
   * Opened by apiKey or accessToken, scope approvals:write.
   */
  decide(approval_id: string, body: ApprovalDecision, options?: CallOptions): Promise<Approval> {
    return this.caller.call('decide_approval', { path: { approval_id }, body }, options);
  }

  /**
   * The outcome of an instance’s call that waits or waited for a person.
   *
   * For calls outside of a conversation, whose outcome comes as no message, and for those that the instance still has to tell of. `approved` with a `result` of null is being carried out.
   *
   * Opened by proxyKey or operationsToken.
   */
  getInstanceApproval(instance_id: string, approval_id: string, options?: CallOptions): Promise<ApprovalOutcome> {
    return this.caller.call('get_instance_approval', { path: { instance_id, approval_id } }, options);
  }
}

export class Events extends Resource {
  /**
   * List who is told of events.
   *
   * Without their secrets.
   *
   * Opened by apiKey or accessToken, scope events:read.
   */
  listEndpoints(query?: Query<'list_event_endpoints'>, options?: CallOptions): Promise<EventEndpointPage> {
    return this.caller.call('list_event_endpoints', { query }, options);
  }

  /** Every row of `listEndpoints`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllEndpoints(query?: Query<'list_event_endpoints'>, options?: CallOptions): AsyncGenerator<EventEndpoint, void> {
    return this.caller.each('list_event_endpoints', { query }, options);
  }

  /**
   * Send events to an address.
   *
   * Each event is a POST, signed as Standard Webhooks says, and repeated for 24 hours until a 2xx. The secret is in the answer and nowhere else.
   *
   * Opened by apiKey or accessToken, scope events:write.
   */
  createEndpoint(body: EventEndpointCreate, options?: CallOptions): Promise<EventEndpointWithSecret> {
    return this.caller.call('create_event_endpoint', { body }, options);
  }

  /**
   * Get who is told of events.
   *
   * Without its secret.
   *
   * Opened by apiKey or accessToken, scope events:read.
   */
  getEndpoint(event_endpoint_id: string, options?: CallOptions): Promise<EventEndpoint> {
    return this.caller.call('get_event_endpoint', { path: { event_endpoint_id } }, options);
  }

  /**
   * Change where events go, and which.
   *
   * Switching it off fails what waits; switching it on begins with the next event.
   *
   * Opened by apiKey or accessToken, scope events:write.
   */
  updateEndpoint(event_endpoint_id: string, body?: EventEndpointUpdate, options?: CallOptions): Promise<EventEndpoint> {
    return this.caller.call('update_event_endpoint', { path: { event_endpoint_id }, body }, options);
  }

  /**
   * Send no more events to an address.
   *
   * Its deliveries go with it.
   *
   * Opened by apiKey or accessToken, scope events:delete.
   */
  deleteEndpoint(event_endpoint_id: string, options?: CallOptions): Promise<Result<'delete_event_endpoint'>> {
    return this.caller.call('delete_event_endpoint', { path: { event_endpoint_id } }, options);
  }

  /**
   * Replace the secret that signs events.
   *
   * Both secrets sign during the overlap, of a day unless said otherwise.
   *
   * Opened by apiKey or accessToken, scope events:write.
   */
  rotateSecret(event_endpoint_id: string, body?: EventSecretRotateRequest, options?: CallOptions): Promise<EventEndpointWithSecret> {
    return this.caller.call('rotate_event_secret', { path: { event_endpoint_id }, body }, options);
  }

  /**
   * List what was sent to an address, and what waits.
   *
   * Newest first; kept for 7 days.
   *
   * Opened by apiKey or accessToken, scope events:read.
   */
  listDeliveries(event_endpoint_id: string, query?: Query<'list_event_deliveries'>, options?: CallOptions): Promise<EventDeliveryPage> {
    return this.caller.call('list_event_deliveries', { path: { event_endpoint_id }, query }, options);
  }

  /** Every row of `listDeliveries`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllDeliveries(event_endpoint_id: string, query?: Query<'list_event_deliveries'>, options?: CallOptions): AsyncGenerator<EventDelivery, void> {
    return this.caller.each('list_event_deliveries', { path: { event_endpoint_id }, query }, options);
  }

  /**
   * Send an event once more.
   *
   * Now, and again for 24 hours until it is taken. 409 while the endpoint is switched off.
   *
   * Opened by apiKey or accessToken, scope events:write.
   */
  redeliver(event_endpoint_id: string, delivery_id: string, options?: CallOptions): Promise<EventDelivery> {
    return this.caller.call('redeliver_event', { path: { event_endpoint_id, delivery_id } }, options);
  }

  /**
   * Send a `ping` to an address.
   *
   * Delivered as any event is. 409 while the endpoint is switched off.
   *
   * Opened by apiKey or accessToken, scope events:write.
   */
  testEndpoint(event_endpoint_id: string, options?: CallOptions): Promise<EventDelivery> {
    return this.caller.call('test_event_endpoint', { path: { event_endpoint_id } }, options);
  }
}

export class SharedHosting extends Resource {
  /**
   * What an instance is to one of its customers.
   *
   * The tenant’s defaults, the configuration that the customer was deployed with and the customer’s own, merged in this order (RFC 7396). Without secrets, values out of their range and skills that `module_config` turns off. Beside it stand the customer’s rules.
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

  /**
   * Let a model answer.
   *
   * OpenAI’s chat completions, also with `stream`. Listed fields are passed on (docs/models.md), others are left out and named in X-Acp-Ignored; one that would choose a model, a route, a plugin, a key, an address, storage or priority is 400. The model is that of the instance’s model_policy, unless its allowed_models contain the one that the request names; its fallbacks are tried while nothing has reached the caller (docs/models.md). Whatever the provider’s dialect, the answer has one shape: reasoning in reasoning_content, all tokens in the usage. 429 `insufficient_quota` where a budget is spent, and 429 beyond 8 calls at once. Also opened by LLM_API_KEY.
   *
   * Opened by proxyKey or operationsToken.
   */
  completeChat(instance_id: string, body: ChatCompletionRequest, query?: Query<'complete_chat'>, options?: CallOptions): Promise<Result<'complete_chat'>> {
    return this.caller.call('complete_chat', { path: { instance_id }, body, query }, options);
  }

  /**
   * The models that an instance may use.
   *
   * In OpenAI’s shape: the one that answers, its fallbacks, and those that a request may name. Also opened by LLM_API_KEY.
   *
   * Opened by proxyKey or operationsToken.
   */
  listInstanceModels(instance_id: string, query?: Query<'list_instance_models'>, options?: CallOptions): Promise<InstanceModels> {
    return this.caller.call('list_instance_models', { path: { instance_id }, query }, options);
  }

  /**
   * List the operator’s model providers.
   *
   * Without their keys, and without the one of the LLM_ settings, which is `default` unless one of that name is stored.
   *
   * Opened by operationsToken.
   */
  listLlmProviders(query?: Query<'list_llm_providers'>, options?: CallOptions): Promise<LlmProviderPage> {
    return this.caller.call('list_llm_providers', { query }, options);
  }

  /** Every row of `listLlmProviders`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllLlmProviders(query?: Query<'list_llm_providers'>, options?: CallOptions): AsyncGenerator<LlmProvider, void> {
    return this.caller.each('list_llm_providers', { query }, options);
  }

  /**
   * Get a model provider of the operator.
   *
   * Without its key.
   *
   * Opened by operationsToken.
   */
  getLlmProvider(slug: string, options?: CallOptions): Promise<LlmProvider> {
    return this.caller.call('get_llm_provider', { path: { slug } }, options);
  }

  /**
   * Make or replace a model provider of the operator.
   *
   * Models of the catalogue name it in `provider`; `default` serves all others, and takes precedence over the LLM_ settings.
   *
   * Opened by operationsToken.
   */
  putLlmProvider(slug: string, body: LlmProviderPut, options?: CallOptions): Promise<LlmProvider> {
    return this.caller.call('put_llm_provider', { path: { slug }, body }, options);
  }

  /**
   * Remove a model provider of the operator.
   *
   * Its models go to `default` from then on.
   *
   * Opened by operationsToken.
   */
  deleteLlmProvider(slug: string, options?: CallOptions): Promise<Result<'delete_llm_provider'>> {
    return this.caller.call('delete_llm_provider', { path: { slug } }, options);
  }

  /**
   * Try a model provider of the operator.
   *
   * Asks for its models, with its key, for at most 10 seconds. `default` is that of the LLM_ settings unless one is stored.
   *
   * Opened by operationsToken.
   */
  checkLlmProvider(slug: string, options?: CallOptions): Promise<LlmProviderCheck> {
    return this.caller.call('check_llm_provider', { path: { slug } }, options);
  }

  /**
   * Ask a model provider of the operator for its models.
   *
   * Asked now, with its key, for at most 10 seconds; 502 where it does not answer.
   *
   * Opened by operationsToken.
   */
  listLlmProviderModels(slug: string, options?: CallOptions): Promise<LlmProviderModels> {
    return this.caller.call('list_llm_provider_models', { path: { slug } }, options);
  }

  /**
   * List your own model providers.
   *
   * Without their keys. The model `<slug>/<name>` goes to the provider `<slug>`, at your own cost.
   *
   * Opened by apiKey or accessToken, scope models:read.
   */
  listTenantLlmProviders(query?: Query<'list_tenant_llm_providers'>, options?: CallOptions): Promise<LlmProviderPage> {
    return this.caller.call('list_tenant_llm_providers', { query }, options);
  }

  /** Every row of `listTenantLlmProviders`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllTenantLlmProviders(query?: Query<'list_tenant_llm_providers'>, options?: CallOptions): AsyncGenerator<LlmProvider, void> {
    return this.caller.each('list_tenant_llm_providers', { query }, options);
  }

  /**
   * Get a model provider of your own.
   *
   * Without its key.
   *
   * Opened by apiKey or accessToken, scope models:read.
   */
  getTenantLlmProvider(slug: string, options?: CallOptions): Promise<LlmProvider> {
    return this.caller.call('get_tenant_llm_provider', { path: { slug } }, options);
  }

  /**
   * Make or replace a model provider of your own.
   *
   * A public https address. The model `<slug>/<name>` goes there, at your own cost.
   *
   * Opened by apiKey or accessToken, scope models:write.
   */
  putTenantLlmProvider(slug: string, body: LlmProviderPut, options?: CallOptions): Promise<LlmProvider> {
    return this.caller.call('put_tenant_llm_provider', { path: { slug }, body }, options);
  }

  /**
   * Remove a model provider of your own.
   *
   * A model of that prefix goes to the operator’s provider from then on, as any other name.
   *
   * Opened by apiKey or accessToken, scope models:delete.
   */
  deleteTenantLlmProvider(slug: string, options?: CallOptions): Promise<Result<'delete_tenant_llm_provider'>> {
    return this.caller.call('delete_tenant_llm_provider', { path: { slug } }, options);
  }

  /**
   * Try a model provider of your own.
   *
   * Asks for its models, with its key, for at most 10 seconds.
   *
   * Opened by apiKey or accessToken, scope models:write.
   */
  checkTenantLlmProvider(slug: string, options?: CallOptions): Promise<LlmProviderCheck> {
    return this.caller.call('check_tenant_llm_provider', { path: { slug } }, options);
  }

  /**
   * Ask a model provider of your own for its models.
   *
   * Asked now, with its key, for at most 10 seconds; 502 where it does not answer.
   *
   * Opened by apiKey or accessToken, scope models:read.
   */
  listTenantLlmProviderModels(slug: string, options?: CallOptions): Promise<LlmProviderModels> {
    return this.caller.call('list_tenant_llm_provider_models', { path: { slug } }, options);
  }

  /**
   * What language models were used for, and what they cost.
   *
   * Sums of the calls of models by what `group_by` names. Days are UTC. An answer has at most 10,000 items. Single calls are kept for 90 days and daily sums for two years.
   *
   * Opened by apiKey or accessToken, scope usage:read.
   */
  getUsage(query?: Query<'get_usage'>, options?: CallOptions): Promise<Usage> {
    return this.caller.call('get_usage', { query }, options);
  }

  /**
   * List the calls of models in a conversation, the newest first.
   *
   * Kept for 90 days, then summed up by day. What a model was sent and what it said are not kept beside the conversation’s messages.
   *
   * Opened by apiKey or accessToken, scope usage:read.
   */
  listCalls(conversation_id: string, query?: Query<'list_model_calls'>, options?: CallOptions): Promise<ModelCallPage> {
    return this.caller.call('list_model_calls', { path: { conversation_id }, query }, options);
  }

  /** Every row of `listCalls`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllCalls(conversation_id: string, query?: Query<'list_model_calls'>, options?: CallOptions): AsyncGenerator<ModelCall, void> {
    return this.caller.each('list_model_calls', { path: { conversation_id }, query }, options);
  }

  /**
   * A customer’s budget for language models.
   *
   * For all its instances together. Both limits are null where it has none.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  getCustomerBudget(customer_id: string, options?: CallOptions): Promise<CustomerBudget> {
    return this.caller.call('get_customer_budget', { path: { customer_id } }, options);
  }

  /**
   * Limit what a customer’s agents may spend on language models.
   *
   * Only what is supplied changes. Calls beyond the limit are refused with 429 until the next month. A limit in money refuses models without a price.
   *
   * Opened by apiKey or accessToken, scope customers:write.
   */
  putCustomerBudget(customer_id: string, body?: CustomerBudgetPut, options?: CallOptions): Promise<CustomerBudget> {
    return this.caller.call('put_customer_budget', { path: { customer_id }, body }, options);
  }

  /**
   * Remove a customer’s budget.
   *
   * What was spent stays counted.
   *
   * Opened by apiKey or accessToken, scope customers:delete.
   */
  deleteCustomerBudget(customer_id: string, options?: CallOptions): Promise<Result<'delete_customer_budget'>> {
    return this.caller.call('delete_customer_budget', { path: { customer_id } }, options);
  }

  /**
   * List the budgets of customers.
   *
   * Customers that have none are left out; the newest customer comes first.
   *
   * Opened by apiKey or accessToken, scope customers:read.
   */
  listBudgets(query?: Query<'list_budgets'>, options?: CallOptions): Promise<ListedBudgetPage> {
    return this.caller.call('list_budgets', { query }, options);
  }

  /** Every row of `listBudgets`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllBudgets(query?: Query<'list_budgets'>, options?: CallOptions): AsyncGenerator<ListedBudget, void> {
    return this.caller.each('list_budgets', { query }, options);
  }
}

export class Operator extends Resource {
  /**
   * List the whole model catalogue.
   *
   * Inactive models too, newest first.
   *
   * Opened by operationsToken.
   */
  listModels(query?: Query<'list_operator_models'>, options?: CallOptions): Promise<ModelPage> {
    return this.caller.call('list_operator_models', { query }, options);
  }

  /** Every row of `listModels`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllModels(query?: Query<'list_operator_models'>, options?: CallOptions): AsyncGenerator<Model, void> {
    return this.caller.each('list_operator_models', { query }, options);
  }

  /**
   * List the clusters that run runtimes.
   *
   * Newest first. `default` is always there: its engine is that of PROVISIONER.
   *
   * Opened by operationsToken.
   */
  listClusters(query?: Query<'list_clusters'>, options?: CallOptions): Promise<ClusterPage> {
    return this.caller.call('list_clusters', { query }, options);
  }

  /** Every row of `listClusters`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllClusters(query?: Query<'list_clusters'>, options?: CallOptions): AsyncGenerator<Cluster, void> {
    return this.caller.each('list_clusters', { query }, options);
  }

  /**
   * Get a cluster.
   *
   * Without its credentials.
   *
   * Opened by operationsToken.
   */
  getCluster(cluster_id: string, options?: CallOptions): Promise<ClusterDetail> {
    return this.caller.call('get_cluster', { path: { cluster_id } }, options);
  }

  /**
   * Make or change a cluster.
   *
   * Fields that are left out keep their value, and with another engine get their default. 409 while MTLS_PUBLIC_URL or RUNTIME_IMAGE is unset, for `default`, and for another engine or region while instances are there.
   *
   * Opened by operationsToken.
   */
  putCluster(cluster_id: string, body: ClusterPut, options?: CallOptions): Promise<ClusterDetail> {
    return this.caller.call('put_cluster', { path: { cluster_id }, body }, options);
  }

  /**
   * Forget a cluster.
   *
   * 409 while instances are there that are not terminated, and for `default`.
   *
   * Opened by operationsToken.
   */
  deleteCluster(cluster_id: string, options?: CallOptions): Promise<Result<'delete_cluster'>> {
    return this.caller.call('delete_cluster', { path: { cluster_id } }, options);
  }

  /**
   * Move a cluster’s instances away.
   *
   * The cluster takes no new instances. One task of the kind move for each instance, ten at once, tenants in turn: its runtime ends, then it starts in the other cluster, and messages wait meanwhile. Where it does not start, it goes back. After ten failures the others stay. Instances that another task is at work on follow later; those of inactive tenants, and those whose region has no other cluster, stay. 404 for unknown clusters; 409 where `to` takes no instances or serves another region, where the region has no other active cluster, and for a cluster out of reach without `force`.
   *
   * Opened by operationsToken.
   */
  drainCluster(cluster_id: string, body?: ClusterDrain, options?: CallOptions): Promise<ClusterDrainResult> {
    return this.caller.call('drain_cluster', { path: { cluster_id }, body }, options);
  }

  /**
   * List all tiers.
   *
   * Inactive ones too, newest first.
   *
   * Opened by operationsToken.
   */
  listTiers(query?: Query<'list_operator_tiers'>, options?: CallOptions): Promise<TierPage> {
    return this.caller.call('list_operator_tiers', { query }, options);
  }

  /** Every row of `listTiers`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllTiers(query?: Query<'list_operator_tiers'>, options?: CallOptions): AsyncGenerator<Tier, void> {
    return this.caller.each('list_operator_tiers', { query }, options);
  }

  /**
   * List all regions.
   *
   * Inactive ones too, newest first.
   *
   * Opened by operationsToken.
   */
  listRegions(query?: Query<'list_operator_regions'>, options?: CallOptions): Promise<RegionDetailPage> {
    return this.caller.call('list_operator_regions', { query }, options);
  }

  /** Every row of `listRegions`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllRegions(query?: Query<'list_operator_regions'>, options?: CallOptions): AsyncGenerator<RegionDetail, void> {
    return this.caller.each('list_operator_regions', { query }, options);
  }

  /**
   * List the copies of the service that run runtimes.
   *
   * The one that was seen last comes first. A dead one is forgotten after a day.
   *
   * Opened by operationsToken.
   */
  listHosts(query?: Query<'list_operator_hosts'>, options?: CallOptions): Promise<HostPage> {
    return this.caller.call('list_operator_hosts', { query }, options);
  }

  /** Every row of `listHosts`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllHosts(query?: Query<'list_operator_hosts'>, options?: CallOptions): AsyncGenerator<Host, void> {
    return this.caller.each('list_operator_hosts', { query }, options);
  }

  /**
   * List the instances of all tenants.
   *
   * Newest first, terminated ones too.
   *
   * Opened by operationsToken.
   */
  listInstances(query?: Query<'list_operator_instances'>, options?: CallOptions): Promise<OperatorInstancePage> {
    return this.caller.call('list_operator_instances', { query }, options);
  }

  /** Every row of `listInstances`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllInstances(query?: Query<'list_operator_instances'>, options?: CallOptions): AsyncGenerator<OperatorInstance, void> {
    return this.caller.each('list_operator_instances', { query }, options);
  }

  /**
   * List the tasks of all tenants.
   *
   * Newest first, finished ones too.
   *
   * Opened by operationsToken.
   */
  listTasks(query?: Query<'list_operator_tasks'>, options?: CallOptions): Promise<OperatorTaskPage> {
    return this.caller.call('list_operator_tasks', { query }, options);
  }

  /** Every row of `listTasks`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllTasks(query?: Query<'list_operator_tasks'>, options?: CallOptions): AsyncGenerator<OperatorTask, void> {
    return this.caller.each('list_operator_tasks', { query }, options);
  }

  /**
   * List the messages of all tenants, without what they say.
   *
   * Newest first, in both directions. Received ones are pending, delivered or dead; ones to be sent are queued, sent, delivered, read or failed. `total` counts to at most 10000.
   *
   * Opened by operationsToken.
   */
  listMessages(query?: Query<'list_operator_messages'>, options?: CallOptions): Promise<OperatorMessagePage> {
    return this.caller.call('list_operator_messages', { query }, options);
  }

  /** Every row of `listMessages`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllMessages(query?: Query<'list_operator_messages'>, options?: CallOptions): AsyncGenerator<OperatorMessage, void> {
    return this.caller.each('list_operator_messages', { query }, options);
  }

  /**
   * List the keys of the certificate authority.
   *
   * Those at work come first, then retired ones. Private keys are not shown.
   *
   * Opened by operationsToken.
   */
  listCa(query?: Query<'list_operator_ca'>, options?: CallOptions): Promise<AuthorityKeyPage> {
    return this.caller.call('list_operator_ca', { query }, options);
  }

  /** Every row of `listCa`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  listAllCa(query?: Query<'list_operator_ca'>, options?: CallOptions): AsyncGenerator<AuthorityKey, void> {
    return this.caller.each('list_operator_ca', { query }, options);
  }

  /**
   * Restart the running instances of all tenants, a few at a time.
   *
   * One task of the kind restart for each running instance that matches; `list_operator_tasks` shows how far they are. Tenants take turns. Instances that another task is at work on, and those of inactive tenants, are left out. A stop, termination or restart of an instance takes the place of a task that waits; other requests are 409 until it is done or canceled. 404 for an unknown cluster, manifest or tenant.
   *
   * Opened by operationsToken.
   */
  restartInstances(body?: FleetRestart, options?: CallOptions): Promise<FleetRestartResult> {
    return this.caller.call('restart_instances', { body }, options);
  }

  /**
   * The state of the service and of all tenants together.
   *
   * The metrics as JSON. A provider is asked at most every 30 seconds.
   *
   * Opened by operationsToken.
   */
  getOverview(options?: CallOptions): Promise<OperatorOverview> {
    return this.caller.call('get_operator_overview', {}, options);
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

export class Overview extends Resource {
  /**
   * Show what wants a person, and what there is.
   *
   * Parts that the caller’s role or scopes may not read are left out. The answer may be 5 seconds old, but not older than a change that `/v1/live` hints at.
   *
   * Opened by apiKey or accessToken, scope instances:read.
   */
  get(options?: CallOptions): Promise<TenantOverview> {
    return this.caller.call('get_overview', {}, options);
  }

  /**
   * How many messages came and went, and how soon they were answered.
   *
   * By quarters of an hour, beyond 48 hours by hours, oldest first and with zeros; the last one is not over yet. The answer may be a minute old, but not older than a change that `/v1/live` hints at.
   *
   * Opened by apiKey or accessToken, scope conversations:read.
   */
  getActivity(query?: Query<'get_activity'>, options?: CallOptions): Promise<Activity> {
    return this.caller.call('get_activity', { query }, options);
  }

  /**
   * Find customers, people, instances, recipes and conversations by a part of their name or address.
   *
   * At most five of each kind that the caller may read, without case; those whose name begins with the words come first. What is said in conversations is not searched.
   *
   * Opened by apiKey or accessToken.
   */
  searchTenant(query: Query<'search_tenant'>, options?: CallOptions): Promise<FoundItems> {
    return this.caller.call('search_tenant', { query }, options);
  }

  /**
   * Hints that something changed.
   *
   * Server-sent events `change`, of those kinds that the caller may read; never content. At most one a second for the same row, and the last one always comes. Nothing is replayed: read what is shown once more after a reconnect.
   *
   * Opened by apiKey or accessToken.
   */
  followChanges(options?: CallOptions): Promise<Result<'follow_changes'>> {
    return this.caller.call('follow_changes', {}, options);
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
   *
   * Answers as long as the process serves requests. It asks nothing else.
   */
  getHealth(options?: CallOptions): Promise<Health> {
    return this.caller.call('get_health', {}, options);
  }

  /**
   * Whether the database is reachable and migrated.
   *
   * A busy database is ready; one that takes no writes or has no room is not. 503 while the service cannot work, and from the moment at which it is asked to stop.
   */
  getReadiness(options?: CallOptions): Promise<Readiness> {
    return this.caller.call('get_readiness', {}, options);
  }

  /**
   * Prometheus metrics of this process.
   *
   * Text in the format of Prometheus, version 0.0.4. Open to whoever reaches the port.
   */
  getMetrics(options?: CallOptions): Promise<Result<'get_metrics'>> {
    return this.caller.call('get_metrics', {}, options);
  }
}

/** Every group of operations, by the tags of the API's documentation. */
export abstract class Resources implements Caller {
  readonly authentication = new Authentication(this);
  readonly tenants = new Tenants(this);
  readonly users = new Users(this);
  readonly apiKeys = new ApiKeys(this);
  readonly primitives = new Primitives(this);
  readonly recipes = new Recipes(this);
  readonly rulesTemplates = new RulesTemplates(this);
  readonly onboardingFlows = new OnboardingFlows(this);
  readonly deployment = new Deployment(this);
  readonly instances = new Instances(this);
  readonly rollouts = new Rollouts(this);
  readonly instanceIdentity = new InstanceIdentity(this);
  readonly tasks = new Tasks(this);
  readonly tiers = new Tiers(this);
  readonly regions = new Regions(this);
  readonly manifests = new Manifests(this);
  readonly customers = new Customers(this);
  readonly subscriptions = new Subscriptions(this);
  readonly websites = new Websites(this);
  readonly staff = new Staff(this);
  readonly work = new Work(this);
  readonly workers = new Workers(this);
  readonly eligibility = new Eligibility(this);
  readonly identities = new Identities(this);
  readonly pins = new Pins(this);
  readonly connections = new Connections(this);
  readonly drive = new Drive(this);
  readonly conversations = new Conversations(this);
  readonly channels = new Channels(this);
  readonly approvals = new Approvals(this);
  readonly events = new Events(this);
  readonly sharedHosting = new SharedHosting(this);
  readonly models = new Models(this);
  readonly operator = new Operator(this);
  readonly certificateAuthority = new CertificateAuthority(this);
  readonly masterKey = new MasterKey(this);
  readonly overview = new Overview(this);
  readonly audit = new Audit(this);
  readonly operations = new Operations(this);

  abstract call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Result<Id>>;
  abstract each<Id extends PagedId>(id: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void>;
}

/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

import type {
  Activity,
  ActorKind,
  AiDraft,
  AiDraftRequest,
  AnswerCreate,
  ApiKeyContext,
  ApiKeyCreate,
  ApiKeyPage,
  ApiKeyRotateRequest,
  ApiKeyWithSecret,
  Approval,
  ApprovalDecision,
  ApprovalOutcome,
  ApprovalPage,
  ApprovalStatus,
  AssignmentCreate,
  AssignmentPage,
  AssignmentUpdate,
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
  ChangePage,
  ChannelEndpointCreate,
  ChannelEndpointPage,
  ChannelEndpointSaved,
  ChannelEndpointUpdate,
  ChannelMessage,
  ChannelMessagePage,
  ChannelMessageStatus,
  ChannelTemplateList,
  ChatCompletionRequest,
  CheckedAssignment,
  CheckedShift,
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
  ConversationMode,
  ConversationPage,
  ConversationUpdate,
  CreatedCustomer,
  CreatedTenant,
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
  EventDeliveryStatus,
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
  HostPage,
  Identity,
  IdentityCreate,
  IdentityLookupResult,
  IdentityPage,
  IdentityUpdate,
  InstanceDeploymentPage,
  InstanceDetail,
  InstanceDrift,
  InstanceEventPage,
  InstanceModels,
  InstancePage,
  InstanceStatus,
  Invitation,
  InvitationAcceptance,
  InvitationCreate,
  IssuedCertificate,
  IssuingCertificate,
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
  ManifestPage,
  ManifestPut,
  McpAnswer,
  McpCall,
  Me,
  Message,
  MessageCreate,
  MessagePage,
  Model,
  ModelCallPage,
  ModelPage,
  ModelsPut,
  ModelsPutResult,
  OnboardingFlow,
  OnboardingFlowCreate,
  OnboardingFlowPage,
  OnboardingFlowUpdate,
  OpenInvitationPage,
  OperatorInstancePage,
  OperatorManifest,
  OperatorManifestPage,
  OperatorMessagePage,
  OperatorMessageStatus,
  OperatorOverview,
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
  PrimitiveKind,
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
  RegionDetail,
  RegionDetailPage,
  RegionPage,
  RegionPut,
  Requirement,
  RequirementPage,
  RequirementPut,
  ResetAccount,
  RewrapResult,
  RolloutDetail,
  RolloutPage,
  RolloutStart,
  RulesTemplate,
  RulesTemplateCreate,
  RulesTemplatePage,
  RulesTemplateUpdate,
  SecretRefreshRequest,
  SecretRefreshResult,
  SessionPage,
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
  StaffStatus,
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
  TaskStatus,
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
  TimesheetStatus,
  TimesheetUpdate,
  TimesheetsDecideRequest,
  TimesheetsDecideResult,
  TokenPair,
  ToolCallDecision,
  ToolCallPage,
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

export interface operations {
    login: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": LoginRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TokenPair;
                };
            };
        };
    };
    refresh_tokens: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": RefreshTokenRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TokenPair;
                };
            };
        };
    };
    switch_tenant: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": TenantSwitchRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TokenPair;
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": RefreshTokenRequest;
            };
        };
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    create_browser_session: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": BrowserSessionRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": BrowserSession;
                };
            };
        };
    };
    end_browser_session: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    refresh_browser_session: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: {
            content: {
                "application/json": BrowserRefreshRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": BrowserSession;
                };
            };
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    switch_browser_session: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": BrowserTenantRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": BrowserSession;
                };
            };
        };
    };
    open_sign_in_link: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": SignInLinkRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": BrowserSession;
                };
            };
        };
    };
    create_sign_in_link: {
        parameters: {
            query?: never;
            path: {
                /** @description The tenant’s id */
                tenant_id: string;
                /** @description The user’s id */
                user_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": SignInLink;
                };
            };
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": UserPage;
                };
            };
        };
    };
    create_user: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": UserCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": User;
                };
            };
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            path: {
                /** @description The user’s id */
                user_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_user: {
        parameters: {
            query?: never;
            path: {
                /** @description The user’s id */
                user_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": UserUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": User;
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Me;
                };
            };
        };
    };
    change_my_password: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": PasswordChange;
            };
        };
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_invitations: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OpenInvitationPage;
                };
            };
        };
    };
    create_invitation: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": InvitationCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Invitation;
                };
            };
        };
    };
    delete_invitation: {
        parameters: {
            query?: never;
            path: {
                /** @description The `id` of list_invitations */
                invitation_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    accept_invitation: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": InvitationAcceptance;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TokenPair;
                };
            };
        };
    };
    create_password_reset: {
        parameters: {
            query?: never;
            path: {
                /** @description The user’s id */
                user_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": PasswordReset;
                };
            };
        };
    };
    reset_password: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": PasswordResetRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ResetAccount;
                };
            };
        };
    };
    create_operator_password_reset: {
        parameters: {
            query?: never;
            path: {
                /** @description The tenant’s id */
                tenant_id: string;
                /** @description The user’s id */
                user_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": PasswordReset;
                };
            };
        };
    };
    list_my_sessions: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": SessionPage;
                };
            };
        };
    };
    end_my_session: {
        parameters: {
            query?: never;
            path: {
                /** @description The session’s id */
                session_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_api_keys: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ApiKeyPage;
                };
            };
        };
    };
    create_api_key: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": ApiKeyCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": ApiKeyWithSecret;
                };
            };
        };
    };
    delete_api_key: {
        parameters: {
            query?: never;
            path: {
                /** @description The API key’s id */
                api_key_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    rotate_api_key: {
        parameters: {
            query?: never;
            path: {
                /** @description The API key’s id */
                api_key_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": ApiKeyRotateRequest;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": ApiKeyWithSecret;
                };
            };
        };
    };
    get_api_key_context: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ApiKeyContext;
                };
            };
        };
    };
    list_primitives: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the slug or display name, in any case */
                search?: string;
                /** @description The kind of thing it is */
                kind?: PrimitiveKind;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PrimitivePage;
                };
            };
        };
    };
    create_primitive: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": PrimitiveCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Primitive;
                };
            };
        };
    };
    delete_primitive: {
        parameters: {
            query?: never;
            path: {
                /** @description The primitive’s id */
                primitive_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_recipes: {
        parameters: {
            query?: {
                /** @description A part of the name or description, in any case */
                search?: string;
                /** @description summary: only what a list shows */
                view?: "summary";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ListedRecipe[];
                };
            };
        };
    };
    create_recipe: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": RecipeCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Recipe;
                };
            };
        };
    };
    get_recipe: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Recipe;
                };
            };
        };
    };
    update_recipe: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": RecipeUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Recipe;
                };
            };
        };
    };
    delete_recipe: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_recipe_revisions: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The recipe’s id */
                template_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RecipeRevisionPage;
                };
            };
        };
    };
    get_recipe_revision: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The number of the change, as list_recipe_revisions has it */
                revision: number;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RecipeRevision;
                };
            };
        };
    };
    restore_recipe_revision: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The number of the change, as list_recipe_revisions has it */
                revision: number;
            };
        };
        requestBody?: {
            content: {
                "application/json": RecipeRestore;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Recipe;
                };
            };
        };
    };
    save_recipe_from_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": RecipeCaptureRequest;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CapturedRecipe;
                };
            };
        };
    };
    assist_recipe: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": AiDraftRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": AiDraft;
                };
            };
        };
    };
    list_rules_templates: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RulesTemplatePage;
                };
            };
        };
    };
    create_rules_template: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": RulesTemplateCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": RulesTemplate;
                };
            };
        };
    };
    get_rules_template: {
        parameters: {
            query?: never;
            path: {
                /** @description The template’s id */
                rules_template_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RulesTemplate;
                };
            };
        };
    };
    update_rules_template: {
        parameters: {
            query?: never;
            path: {
                /** @description The template’s id */
                rules_template_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": RulesTemplateUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RulesTemplate;
                };
            };
        };
    };
    delete_rules_template: {
        parameters: {
            query?: never;
            path: {
                /** @description The template’s id */
                rules_template_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_onboarding_flows: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OnboardingFlowPage;
                };
            };
        };
    };
    create_onboarding_flow: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": OnboardingFlowCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": OnboardingFlow;
                };
            };
        };
    };
    get_onboarding_flow: {
        parameters: {
            query?: never;
            path: {
                /** @description The flow’s id */
                onboarding_flow_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OnboardingFlow;
                };
            };
        };
    };
    update_onboarding_flow: {
        parameters: {
            query?: never;
            path: {
                /** @description The flow’s id */
                onboarding_flow_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": OnboardingFlowUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OnboardingFlow;
                };
            };
        };
    };
    delete_onboarding_flow: {
        parameters: {
            query?: never;
            path: {
                /** @description The flow’s id */
                onboarding_flow_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    compose_recipe: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: {
            content: {
                "application/json": ComposeRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ComposeResult;
                };
            };
        };
    };
    check_deploy: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": DeployCheckRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": DeployCheckResult;
                };
            };
        };
    };
    deploy_recipe: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": DeployRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": DeployResult;
                };
            };
            /** @description Success */
            202: {
                content: {
                    "application/json": DeployResult;
                };
            };
        };
    };
    list_instances: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the hostname, in any case */
                search?: string;
                /** @description Of pending, provisioning, running, stopped, failed, terminating, terminated: one or several, with commas between them */
                status?: string;
                /** @description true: only those that are not terminated */
                live?: boolean;
                /** @description Only those that serve this customer */
                customer_id?: string;
                /** @description Only those of this recipe */
                recipe_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": InstancePage;
                };
            };
        };
    };
    get_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": InstanceDetail;
                };
            };
        };
    };
    delete_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    list_instance_events: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": InstanceEventPage;
                    "text/event-stream": string;
                };
            };
        };
    };
    get_instance_drift: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": InstanceDrift;
                };
            };
        };
    };
    upgrade_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": UpgradeRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": UpgradeResult;
                };
            };
            /** @description Success */
            202: {
                content: {
                    "application/json": UpgradeResult;
                };
            };
        };
    };
    list_instance_deployments: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": InstanceDeploymentPage;
                };
            };
        };
    };
    delete_instance_deployment: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The deployment’s id, of list_instance_deployments */
                deployment_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    stop_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    start_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    restart_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    retry_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    list_rollouts: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The recipe’s id */
                template_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RolloutPage;
                };
            };
        };
    };
    start_rollout: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The recipe’s id */
                template_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": RolloutStart;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StartedRollout;
                };
            };
            /** @description Success */
            202: {
                content: {
                    "application/json": StartedRollout;
                };
            };
        };
    };
    get_rollout: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The rollout’s id */
                rollout_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RolloutDetail;
                };
            };
        };
    };
    pause_rollout: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The rollout’s id */
                rollout_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RolloutDetail;
                };
            };
        };
    };
    resume_rollout: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The rollout’s id */
                rollout_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": RolloutDetail;
                };
            };
        };
    };
    stop_rollout: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The rollout’s id */
                rollout_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RolloutDetail;
                };
            };
        };
    };
    rollback_rollout: {
        parameters: {
            query?: never;
            path: {
                /** @description The recipe’s id */
                template_id: string;
                /** @description The rollout’s id */
                rollout_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": RolloutDetail;
                };
            };
        };
    };
    create_proxy_key: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": ProxyKey;
                };
            };
        };
    };
    delete_proxy_key: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_instance_logs: {
        parameters: {
            query?: {
                /** @description Only as many of the last lines */
                tail?: number;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LogLines;
                    "text/event-stream": string;
                };
            };
        };
    };
    send_instance_logs: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": LogLinesCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": LogLinesKept;
                };
            };
        };
    };
    enroll_instance: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": EnrollRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": IssuedCertificate;
                };
            };
        };
    };
    create_enrollment_token: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": EnrollmentToken;
                };
            };
        };
    };
    renew_certificate: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": CertificateRenewRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": IssuedCertificate;
                };
            };
        };
    };
    refresh_secrets: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": SecretRefreshRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": SecretRefreshResult;
                };
            };
        };
    };
    list_tunnel_peers: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: TaskStatus;
                /** @description Only those of this instance */
                instance_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TaskPage;
                };
            };
        };
    };
    get_task: {
        parameters: {
            query?: never;
            path: {
                /** @description The task’s id, as the call that began it answered */
                task_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    cancel_task: {
        parameters: {
            query?: never;
            path: {
                /** @description The task’s id, as the call that began it answered */
                task_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": TaskCancelRequest;
            };
        };
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Task;
                };
            };
        };
    };
    list_instance_triggers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TriggerPage;
                };
            };
        };
    };
    list_tiers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TierPage;
                };
            };
        };
    };
    put_tier: {
        parameters: {
            query?: never;
            path: {
                /** @description The tier’s id */
                tier_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": TierPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Tier;
                };
            };
            /** @description Success */
            201: {
                content: {
                    "application/json": Tier;
                };
            };
        };
    };
    list_regions: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RegionPage;
                };
            };
        };
    };
    put_region: {
        parameters: {
            query?: never;
            path: {
                /** @description The region’s id */
                region_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": RegionPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RegionDetail;
                };
            };
            /** @description Success */
            201: {
                content: {
                    "application/json": RegionDetail;
                };
            };
        };
    };
    list_manifests: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ManifestPage;
                };
            };
        };
    };
    list_operator_manifests: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OperatorManifestPage;
                };
            };
        };
    };
    put_manifest: {
        parameters: {
            query?: never;
            path: {
                /** @description The id of the manifest, as recipes name it */
                manifest_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": ManifestPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OperatorManifest;
                };
            };
            /** @description Success */
            201: {
                content: {
                    "application/json": OperatorManifest;
                };
            };
        };
    };
    list_customers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the e-mail address, in any case */
                search?: string;
                /** @description A part of the e-mail address or company name, in any case */
                q?: string;
                /** @description What the rows are ordered by */
                sort_by?: "created_at" | "email" | "company_name" | "updated_at";
                /** @description Upwards or downwards */
                sort_dir?: "asc" | "desc";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerPage;
                };
            };
        };
    };
    create_customer: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": CustomerCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CreatedCustomer;
                };
            };
        };
    };
    get_customer: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerDetail;
                };
            };
        };
    };
    delete_customer: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_customer: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": CustomerUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerDetail;
                };
            };
        };
    };
    clone_customer: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": CustomerCloneRequest;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CreatedCustomer;
                };
            };
        };
    };
    get_customer_rules: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    replace_customer_rules: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    get_customer_config: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    replace_customer_config: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    list_subscriptions: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": SubscriptionPage;
                };
            };
        };
    };
    create_subscription: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": SubscriptionCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Subscription;
                };
            };
        };
    };
    update_subscription: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The subscription’s id */
                subscription_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": SubscriptionUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Subscription;
                };
            };
        };
    };
    list_websites: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": WebsitePage;
                };
            };
        };
    };
    create_website: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": WebsiteCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Website;
                };
            };
        };
    };
    delete_website: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The website’s id */
                website_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_staff: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description Separated by commas; all of them, without case */
                skills?: string;
                /** @description The status */
                status?: StaffStatus;
                /** @description A part of the name, the e-mail address or the external id, in any case */
                search?: string;
                /** @description What the rows are ordered by */
                sort_by?: "name" | "tier" | "created_at";
                /** @description Upwards or downwards; where nothing is said, downwards by created_at and upwards else */
                sort_dir?: "asc" | "desc";
                /** @description Has an induction for this site that has not expired */
                induction_site?: string;
                /** @description Has a certification of this type that has not expired */
                cert_type?: string;
                /** @description The person’s rank */
                tier?: number;
                /** @description Leaves out who has had a certification of a type named in skills and has none of it that is valid */
                exclude_lapsed?: boolean;
                /** @description The number of the page, from 1 */
                page?: number;
                /** @description Rows of a full page */
                per_page?: number;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StaffPage;
                };
            };
        };
    };
    create_staff: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": StaffCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": StaffRecord;
                };
            };
        };
    };
    import_staff: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": StaffImportRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StaffImportResult;
                };
            };
        };
    };
    get_staff: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StaffRecord;
                };
            };
        };
    };
    update_staff: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": StaffUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StaffRecord;
                };
            };
        };
    };
    list_expiring_certs: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description Counted from today */
                within_days?: number;
                /** @description Which page, from 1 */
                page?: number;
                /** @description People of a page; all of them where nothing is said */
                per_page?: number;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StaffWithExpiringCerts[];
                };
            };
        };
    };
    list_customer_expiring_certs: {
        parameters: {
            query?: {
                /** @description Counted from today */
                within_days?: number;
                /** @description Which page, from 1 */
                page?: number;
                /** @description People of a page */
                per_page?: number;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerStaffWithExpiringCerts[];
                };
            };
        };
    };
    list_tenant_expiring_certs: {
        parameters: {
            query?: {
                /** @description Counted from today */
                within_days?: number;
                /** @description Which page, from 1 */
                page?: number;
                /** @description People of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerStaffWithExpiringCerts[];
                };
            };
        };
    };
    list_customer_staff: {
        parameters: {
            query?: {
                /** @description Separated by commas; all of them, without case */
                skills?: string;
                /** @description The status */
                status?: StaffStatus;
                /** @description A part of the name, the e-mail address or the external id, in any case */
                search?: string;
                /** @description What the rows are ordered by */
                sort_by?: "name" | "tier" | "created_at";
                /** @description Upwards or downwards; where nothing is said, downwards by created_at and upwards else */
                sort_dir?: "asc" | "desc";
                /** @description The number of the page, from 1 */
                page?: number;
                /** @description Rows of a full page */
                per_page?: number;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerStaffPage;
                };
            };
        };
    };
    create_customer_staff: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": StaffCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CustomerStaffRecord;
                };
            };
        };
    };
    import_customer_staff: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": StaffImportRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": StaffImportResult;
                };
            };
        };
    };
    get_customer_staff: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerStaffRecord;
                };
            };
        };
    };
    delete_customer_staff: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_customer_staff: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": StaffUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerStaffRecord;
                };
            };
        };
    };
    list_bindings: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": BindingPage;
                };
            };
        };
    };
    create_binding: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": BindingCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Binding;
                };
            };
        };
    };
    delete_binding: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The id of the person of the staff */
                person_id: string;
                /** @description The binding’s id */
                binding_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_shifts: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description Only those of this person of the staff */
                person_id?: string;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ShiftPage;
                };
            };
        };
    };
    create_shift: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": ShiftCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CheckedShift;
                };
            };
        };
    };
    delete_shift: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The shift’s id */
                shift_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_shift: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The shift’s id */
                shift_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": ShiftUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CheckedShift;
                };
            };
        };
    };
    list_assignments: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description Only those of this person of the staff */
                person_id?: string;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": AssignmentPage;
                };
            };
        };
    };
    create_assignment: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": AssignmentCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CheckedAssignment;
                };
            };
        };
    };
    delete_assignment: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The assignment’s id */
                assignment_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_assignment: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The assignment’s id */
                assignment_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": AssignmentUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CheckedAssignment;
                };
            };
        };
    };
    list_timesheets: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: TimesheetStatus;
                /** @description Only those of this person of the staff */
                person_id?: string;
                /** @description The first day of work */
                from?: string;
                /** @description The last day of work, which is included */
                to?: string;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TimesheetPage;
                };
            };
        };
    };
    list_tenant_timesheets: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: TimesheetStatus;
                /** @description Only those of this person of the staff */
                person_id?: string;
                /** @description The first day of work */
                from?: string;
                /** @description The last day of work, which is included */
                to?: string;
                /** @description Only those of this customer’s staff */
                customer_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TimesheetPage;
                };
            };
        };
    };
    decide_timesheets: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": TimesheetsDecideRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TimesheetsDecideResult;
                };
            };
        };
    };
    update_timesheet: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The timesheet’s id */
                timesheet_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": TimesheetUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Timesheet;
                };
            };
        };
    };
    list_my_assignments: {
        parameters: {
            query: {
                /** @description The channel, as chatapp */
                channel_type: string;
                /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
                channel_address: string;
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": WorkerAssignment[];
                };
            };
        };
    };
    list_my_certs: {
        parameters: {
            query: {
                /** @description The channel, as chatapp */
                channel_type: string;
                /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
                channel_address: string;
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": WorkerCertification[];
                };
            };
        };
    };
    list_my_shifts: {
        parameters: {
            query: {
                /** @description The channel, as chatapp */
                channel_type: string;
                /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
                channel_address: string;
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": WorkerShift[];
                };
            };
        };
    };
    list_my_timesheets: {
        parameters: {
            query: {
                /** @description The channel, as chatapp */
                channel_type: string;
                /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
                channel_address: string;
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": WorkerTimesheet[];
                };
            };
        };
    };
    create_my_timesheet: {
        parameters: {
            query: {
                /** @description The channel, as chatapp */
                channel_type: string;
                /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
                channel_address: string;
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": WorkerTimesheetCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": WorkerTimesheet;
                };
            };
        };
    };
    verify_worker: {
        parameters: {
            query?: {
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": WorkerVerifyRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": WorkerVerifyResult;
                };
            };
        };
    };
    list_requirements: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RequirementPage;
                };
            };
        };
    };
    get_requirement: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description A name of your own for the requirement */
                key: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Requirement;
                };
            };
        };
    };
    put_requirement: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description A name of your own for the requirement */
                key: string;
            };
        };
        requestBody: {
            content: {
                "application/json": RequirementPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Requirement;
                };
            };
        };
    };
    delete_requirement: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description A name of your own for the requirement */
                key: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    explain_eligibility: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": EligibilityRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EligibilityAnswer;
                };
            };
        };
    };
    ask_eligibility: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": EligibilityRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EligibilityAnswer;
                };
            };
        };
    };
    get_my_eligibility: {
        parameters: {
            query: {
                /** @description The channel, as chatapp */
                channel_type: string;
                /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
                channel_address: string;
                /** @description Needed where the address is bound with several customers of the instance */
                customer_id?: string;
                /** @description The place of the work */
                site?: string | null;
                /** @description The job, in an id of your own */
                job_id?: string | null;
                /** @description The title of the work */
                title?: string | null;
                /** @description A day of the customer, or a time; today where nothing is said */
                from?: string | null;
                /** @description A day, which is included, or a time; the day of `from` where nothing is said. At most 31 days */
                to?: string | null;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EligibilityAnswer;
                };
            };
        };
    };
    list_identities: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The channel of the address */
                channel?: string;
                /** @description The address within the channel, or the id in another system */
                external_id?: string;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": IdentityPage;
                };
            };
        };
    };
    create_identity: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": IdentityCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Identity;
                };
            };
        };
    };
    delete_identity: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The identity’s id */
                identity_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_identity: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The identity’s id */
                identity_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": IdentityUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Identity;
                };
            };
        };
    };
    look_up_identity: {
        parameters: {
            query: {
                /** @description The channel of the address */
                channel: string;
                /** @description The address within the channel, or the id in another system */
                external_id: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": IdentityLookupResult;
                };
            };
        };
    };
    get_customer_pin: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinStatus;
                };
            };
        };
    };
    set_customer_pin: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": PinSetRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinStatus;
                };
            };
            /** @description Success */
            201: {
                content: {
                    "application/json": PinStatus;
                };
            };
        };
    };
    delete_customer_pin: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    set_identity_pin: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The identity’s id */
                identity_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": OwnPinSetRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinStatus;
                };
            };
            /** @description Success */
            201: {
                content: {
                    "application/json": PinStatus;
                };
            };
        };
    };
    delete_identity_pin: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The identity’s id */
                identity_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    reset_identity_pin: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The identity’s id */
                identity_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    get_my_pin: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinStatus;
                };
            };
        };
    };
    verify_pin: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": PinVerifyRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinVerifyResult;
                };
            };
        };
    };
    check_pin_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": PinSessionRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinSession;
                };
            };
        };
    };
    check_pin_required: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The identity’s id */
                identity_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinRequirement;
                };
            };
        };
    };
    get_pin_policy: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinPolicy;
                };
            };
        };
    };
    update_pin_policy: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": PinPolicyUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": PinPolicy;
                };
            };
        };
    };
    list_connections: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the provider or name, in any case */
                search?: string;
            };
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ConnectionPage;
                };
            };
        };
    };
    create_connection: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": ConnectionCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": Connection;
                };
            };
        };
    };
    list_all_connections: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: "active" | "expired" | "revoked";
                /** @description The service that it belongs to */
                provider?: string;
                /** @description true: only active ones that expire within 42 days */
                expiring?: boolean;
                /** @description The customer’s id */
                customer_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ConnectionPage;
                };
            };
        };
    };
    delete_connection: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The connection’s id */
                connection_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_connection: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
                /** @description The connection’s id */
                connection_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": ConnectionUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Connection;
                };
            };
        };
    };
    search_drive: {
        parameters: {
            query?: {
                /** @description A part of the file’s name */
                query?: string;
                /** @description Only files of this type */
                mime_type?: string;
                /** @description Only what lies in this folder itself */
                folder_id?: string;
                /** @description The connection’s name */
                connection_name?: string;
                /** @description Whose drive */
                customer_id?: string;
                /** @description The largest number of files to answer */
                max_results?: number;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": DriveSearchResult;
                };
            };
        };
    };
    read_drive_file: {
        parameters: {
            query?: {
                /** @description The connection’s name */
                connection_name?: string;
                /** @description Whose drive */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The file’s id in the drive */
                file_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": DriveFileContent;
                };
            };
        };
    };
    list_conversations: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description `next_before` of the page before, or a conversation’s id: only what is further back */
                before?: string;
                /** @description last_message_at: the newest first; waiting_since: who waits longest first, then those that do not wait */
                sort_by?: "last_message_at" | "waiting_since";
                /** @description A part of the name of the sender, the identity or the person, or of an address, in any case */
                search?: string;
                /** @description The instance’s id */
                instance_id?: string;
                /** @description The customer’s id */
                customer_id?: string;
                /** @description agent: the agent answers; human: a person does */
                mode?: ConversationMode;
                /** @description The channel of the address */
                channel?: string;
                /** @description true: only those with a message that nobody answered */
                unanswered?: boolean;
                /** @description true: only those whose newest outgoing message failed */
                failed?: boolean;
                /** @description Only with a last message since then: a day (UTC) or a time */
                from?: string;
                /** @description Only with a last message until then: a day or a time, included */
                to?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ConversationPage;
                };
            };
        };
    };
    get_conversation: {
        parameters: {
            query?: never;
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Conversation;
                };
            };
        };
    };
    delete_conversation: {
        parameters: {
            query?: never;
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_conversation: {
        parameters: {
            query?: never;
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": ConversationUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Conversation;
                };
            };
        };
    };
    list_messages: {
        parameters: {
            query?: {
                /** @description Only messages before this one */
                before?: string;
                /** @description Messages of a page */
                per_page?: number;
            };
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": MessagePage;
                    "text/event-stream": string;
                };
            };
        };
    };
    send_message: {
        parameters: {
            query?: never;
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": MessageCreate;
            };
        };
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": Message;
                };
            };
        };
    };
    answer_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": AnswerCreate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Message;
                };
            };
            /** @description Success */
            202: {
                content: {
                    "application/json": Message;
                };
            };
        };
    };
    hand_over_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": Handover;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": HandedOver;
                };
            };
        };
    };
    write_in_playground: {
        parameters: {
            query?: never;
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": PlaygroundMessage;
            };
        };
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": PlaygroundAccepted;
                };
            };
        };
    };
    upload_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description The file’s name, in UTF-8 or percent-encoded; 255 characters at most */
                "x-filename"?: string;
            };
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/octet-stream": Uint8Array;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": UploadedMedia;
                };
            };
        };
    };
    upload_instance_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/octet-stream": Uint8Array;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": UploadedMedia;
                };
            };
        };
    };
    get_conversation_media: {
        parameters: {
            query?: never;
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
                /** @description The id of an element of a message’s `media` */
                media_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "*/*": Uint8Array;
                };
            };
        };
    };
    get_instance_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description The id of an element of a message’s `media` */
                media_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "*/*": Uint8Array;
                };
            };
        };
    };
    list_channel_templates: {
        parameters: {
            query?: never;
            path: {
                /** @description The channel endpoint’s id */
                endpoint_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChannelTemplateList;
                };
            };
        };
    };
    call_tools: {
        parameters: {
            query?: {
                /** @description On a shared instance, where no X-Sender-Token tells it */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
                /** @description The conversation that the call is for; without it that of X-Sender-Token. 404 unless it is the instance’s and the sender’s */
                "x-conversation-id"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": McpCall;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": McpAnswer;
                };
            };
            /** @description Success */
            202: {
                content?: never;
            };
        };
    };
    list_approvals: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: ApprovalStatus;
                /** @description Only calls of this instance */
                instance_id?: string;
                /** @description Only calls for this customer */
                customer_id?: string;
                /** @description Only calls in this conversation */
                conversation_id?: string;
                /** @description requested_at: the newest first; expires_at: what expires soonest first */
                sort_by?: "requested_at" | "expires_at";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ApprovalPage;
                };
            };
        };
    };
    get_approval: {
        parameters: {
            query?: never;
            path: {
                /** @description The `id` of list_approvals */
                approval_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Approval;
                };
            };
        };
    };
    decide_approval: {
        parameters: {
            query?: never;
            path: {
                /** @description The `id` of list_approvals */
                approval_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": ApprovalDecision;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Approval;
                };
            };
        };
    };
    get_instance_approval: {
        parameters: {
            query?: never;
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
                /** @description As the call was answered */
                approval_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ApprovalOutcome;
                };
            };
        };
    };
    list_channel_endpoints: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the phone_number_id or connection_name, in any case */
                search?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChannelEndpointPage;
                };
            };
        };
    };
    create_channel_endpoint: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": ChannelEndpointCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": ChannelEndpointSaved;
                };
            };
        };
    };
    delete_channel_endpoint: {
        parameters: {
            query?: never;
            path: {
                /** @description The channel endpoint’s id */
                endpoint_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_channel_endpoint: {
        parameters: {
            query?: never;
            path: {
                /** @description The channel endpoint’s id */
                endpoint_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": ChannelEndpointUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChannelEndpointSaved;
                };
            };
        };
    };
    list_channel_messages: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: ChannelMessageStatus;
                /** @description Only those for this instance */
                instance_id?: string;
                /** @description Only those of this conversation */
                conversation_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChannelMessagePage;
                };
            };
        };
    };
    retry_channel_message: {
        parameters: {
            query?: never;
            path: {
                /** @description The `id` of list_channel_messages */
                channel_message_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": ChannelMessage;
                };
            };
        };
    };
    list_event_endpoints: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EventEndpointPage;
                };
            };
        };
    };
    create_event_endpoint: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": EventEndpointCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": EventEndpointWithSecret;
                };
            };
        };
    };
    get_event_endpoint: {
        parameters: {
            query?: never;
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EventEndpoint;
                };
            };
        };
    };
    delete_event_endpoint: {
        parameters: {
            query?: never;
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    update_event_endpoint: {
        parameters: {
            query?: never;
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": EventEndpointUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EventEndpoint;
                };
            };
        };
    };
    rotate_event_secret: {
        parameters: {
            query?: never;
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": EventSecretRotateRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EventEndpointWithSecret;
                };
            };
        };
    };
    list_event_deliveries: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The status */
                status?: EventDeliveryStatus;
            };
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": EventDeliveryPage;
                };
            };
        };
    };
    redeliver_event: {
        parameters: {
            query?: never;
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
                /** @description The `id` of list_event_deliveries */
                delivery_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": EventDelivery;
                };
            };
        };
    };
    test_event_endpoint: {
        parameters: {
            query?: never;
            path: {
                /** @description The event endpoint’s id */
                event_endpoint_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": EventDelivery;
                };
            };
        };
    };
    verify_webhook: {
        parameters: {
            query?: {
                /** @description `subscribe` */
                "hub.mode"?: string;
                /** @description The word that an endpoint was registered with */
                "hub.verify_token"?: string;
                /** @description The text that is sent back */
                "hub.challenge"?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    receive_webhook: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    list_tenants: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the name, in any case */
                search?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TenantPage;
                };
            };
        };
    };
    create_tenant: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": TenantCreate;
            };
        };
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": CreatedTenant;
                };
            };
        };
    };
    get_tenant: {
        parameters: {
            query?: never;
            path: {
                /** @description The tenant’s id */
                tenant_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TenantDetail;
                };
            };
        };
    };
    update_tenant: {
        parameters: {
            query?: never;
            path: {
                /** @description The tenant’s id */
                tenant_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": TenantUpdate;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TenantDetail;
                };
            };
        };
    };
    get_merged_config: {
        parameters: {
            query: {
                /** @description The customer’s id */
                customer_id: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerConfig;
                };
            };
        };
    };
    resolve_domain: {
        parameters: {
            query: {
                /** @description The hostname */
                hostname: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": DomainResolution;
                };
            };
        };
    };
    list_models: {
        parameters: {
            query?: {
                /** @description A part of the model_id, name or provider, in any case */
                search?: string;
                /** @description Only the models of this modality, as text */
                modality?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Model[];
                };
            };
        };
    };
    list_operator_models: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ModelPage;
                };
            };
        };
    };
    put_models: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": ModelsPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ModelsPutResult;
                };
            };
        };
    };
    complete_chat: {
        parameters: {
            query?: {
                /** @description Whom the call is for; required on a shared instance without X-Sender-Token */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The conversation that the call is for: one of this instance and sender (404 otherwise). Without it, the sender’s */
                "x-conversation-id"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": ChatCompletionRequest;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/event-stream": string;
                };
            };
        };
    };
    list_instance_models: {
        parameters: {
            query?: {
                /** @description Whom the call is for; required on a shared instance without X-Sender-Token */
                customer_id?: string;
            };
            header?: {
                /** @description The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it */
                "x-sender-token"?: string;
                /** @description The conversation that the call is for: one of this instance and sender (404 otherwise). Without it, the sender’s */
                "x-conversation-id"?: string;
            };
            path: {
                /** @description The instance’s id */
                instance_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": InstanceModels;
                };
            };
        };
    };
    list_llm_providers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProviderPage;
                };
            };
        };
    };
    get_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProvider;
                };
            };
        };
    };
    put_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": LlmProviderPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProvider;
                };
            };
        };
    };
    delete_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    check_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProviderCheck;
                };
            };
        };
    };
    list_llm_provider_models: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProviderModels;
                };
            };
        };
    };
    list_tenant_llm_providers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProviderPage;
                };
            };
        };
    };
    get_tenant_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProvider;
                };
            };
        };
    };
    put_tenant_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": LlmProviderPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProvider;
                };
            };
        };
    };
    delete_tenant_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    check_tenant_llm_provider: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProviderCheck;
                };
            };
        };
    };
    list_tenant_llm_provider_models: {
        parameters: {
            query?: never;
            path: {
                /** @description The provider’s name, as models name it */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": LlmProviderModels;
                };
            };
        };
    };
    get_usage: {
        parameters: {
            query?: {
                /** @description The first day; by default of this month */
                from?: string;
                /** @description The last day, which is included; by default of this month */
                to?: string;
                /** @description One or several of day, customer, instance, model and recipe, with commas between them; by default day */
                group_by?: string;
                /** @description Only calls for this customer */
                customer_id?: string;
                /** @description Only calls of this instance */
                instance_id?: string;
                /** @description Only calls in this conversation; daily sums are of none */
                conversation_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Usage;
                };
            };
        };
    };
    list_model_calls: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description Only calls that began then or later */
                from?: string;
                /** @description Only calls that began before */
                to?: string;
            };
            path: {
                /** @description The conversation’s id */
                conversation_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ModelCallPage;
                };
            };
        };
    };
    get_customer_budget: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerBudget;
                };
            };
        };
    };
    put_customer_budget: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": CustomerBudgetPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": CustomerBudget;
                };
            };
        };
    };
    delete_customer_budget: {
        parameters: {
            query?: never;
            path: {
                /** @description The customer’s id */
                customer_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    list_budgets: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ListedBudgetPage;
                };
            };
        };
    };
    get_ca_bundle: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/x-pem-file": string;
                };
            };
        };
    };
    get_ca_crl: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/x-pem-file": string;
                };
            };
        };
    };
    rotate_ca: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                content: {
                    "application/json": IssuingCertificate;
                };
            };
        };
    };
    rewrap_master_key: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RewrapResult;
                };
            };
        };
    };
    rotate_master_key: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RewrapResult;
                };
            };
        };
    };
    list_clusters: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ClusterPage;
                };
            };
        };
    };
    get_cluster: {
        parameters: {
            query?: never;
            path: {
                /** @description The cluster’s id */
                cluster_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ClusterDetail;
                };
            };
        };
    };
    put_cluster: {
        parameters: {
            query?: never;
            path: {
                /** @description The cluster’s id */
                cluster_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": ClusterPut;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ClusterDetail;
                };
            };
            /** @description Success */
            201: {
                content: {
                    "application/json": ClusterDetail;
                };
            };
        };
    };
    delete_cluster: {
        parameters: {
            query?: never;
            path: {
                /** @description The cluster’s id */
                cluster_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                content?: never;
            };
        };
    };
    drain_cluster: {
        parameters: {
            query?: never;
            path: {
                /** @description The cluster’s id */
                cluster_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": ClusterDrain;
            };
        };
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": ClusterDrainResult;
                };
            };
        };
    };
    list_operator_tiers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TierPage;
                };
            };
        };
    };
    list_operator_regions: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": RegionDetailPage;
                };
            };
        };
    };
    list_operator_hosts: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": HostPage;
                };
            };
        };
    };
    list_operator_instances: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description Only those of this tenant */
                tenant_id?: string;
                /** @description The status */
                status?: InstanceStatus;
                /** @description Only those on this cluster */
                cluster_id?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OperatorInstancePage;
                };
            };
        };
    };
    list_operator_tasks: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description Only those of this tenant */
                tenant_id?: string;
                /** @description The status */
                status?: TaskStatus;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OperatorTaskPage;
                };
            };
        };
    };
    list_operator_messages: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description Only those of this tenant */
                tenant_id?: string;
                /** @description The status */
                status?: OperatorMessageStatus;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OperatorMessagePage;
                };
            };
        };
    };
    list_operator_ca: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": AuthorityKeyPage;
                };
            };
        };
    };
    restart_instances: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: {
            content: {
                "application/json": FleetRestart;
            };
        };
        responses: {
            /** @description Success */
            202: {
                content: {
                    "application/json": FleetRestartResult;
                };
            };
        };
    };
    get_operator_overview: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": OperatorOverview;
                };
            };
        };
    };
    get_overview: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TenantOverview;
                };
            };
        };
    };
    get_activity: {
        parameters: {
            query?: {
                /** @description Only messages of this instance */
                instance_id?: string;
                /** @description How far back it goes */
                hours?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Activity;
                };
            };
        };
    };
    search_tenant: {
        parameters: {
            query: {
                /** @description A part of a name, hostname, e-mail address or channel address */
                q: string;
                /** @description One or several kinds, with commas between them; by default all */
                kinds?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": FoundItems;
                };
            };
        };
    };
    list_limits: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": TenantLimitList;
                };
            };
        };
    };
    follow_changes: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    call_mcp: {
        parameters: {
            query?: {
                /** @description Neither lists nor calls what changes something */
                read_only?: boolean;
            };
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": McpCall;
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": McpAnswer;
                };
            };
            /** @description Success */
            202: {
                content?: never;
            };
        };
    };
    list_tool_calls: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The tool’s name */
                tool?: string;
                /** @description What was decided about the call */
                decision?: ToolCallDecision;
                /** @description The API key that was used; null for a user */
                key_id?: string;
                /** @description From then on */
                from?: string;
                /** @description Until then, and not then */
                to?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ToolCallPage;
                };
            };
        };
    };
    verify_tool_calls: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChainVerification;
                };
            };
        };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description The operation that was called */
                operation?: string;
                /** @description The kind of caller */
                actor_kind?: ActorKind;
                /** @description The key, user or instance that made the change */
                actor_id?: string;
                /** @description The row that it is about */
                resource_id?: string;
                /** @description From then on */
                from?: string;
                /** @description Until then, and not then */
                to?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChangePage;
                };
            };
        };
    };
    verify_changes: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": ChainVerification;
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Health;
                };
            };
        };
    };
    get_readiness: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Readiness;
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
}

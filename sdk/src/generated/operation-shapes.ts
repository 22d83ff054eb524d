/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

import type {
  ActorKind,
  AiDraft,
  AiDraftRequest,
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
  ChangePage,
  ChannelEndpoint,
  ChannelEndpointCreate,
  ChannelEndpointPage,
  ChannelEndpointUpdate,
  ChannelMessage,
  ChannelMessagePage,
  ChannelMessageStatus,
  ComposeRequest,
  ComposeResult,
  Connection,
  ConnectionCreate,
  ConnectionPage,
  ConnectionUpdate,
  CreatedCustomer,
  CreatedTenant,
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
  InstanceDetail,
  InstanceDrift,
  InstanceEventPage,
  InstancePage,
  InstanceStatus,
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
  PrimitiveKind,
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
  RegionDetail,
  RegionPage,
  RegionPut,
  ResetAccount,
  RewrapResult,
  SecretRefreshRequest,
  SecretRefreshResult,
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
  StaffStatus,
  StaffUpdate,
  StaffWithExpiringCerts,
  Subscription,
  SubscriptionCreate,
  SubscriptionPage,
  SubscriptionUpdate,
  Task,
  TaskCancelRequest,
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
  TimesheetStatus,
  TimesheetUpdate,
  TokenPair,
  ToolCallDecision,
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
                tenant_id: string;
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
            query?: never;
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": Recipe[];
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
    compose_recipe: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
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
                status?: InstanceStatus;
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
    list_customers: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                /** @description A part of the e-mail address */
                search?: string;
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
                customer_id: string;
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
                customer_id: string;
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
                customer_id: string;
                /** @description Separated by commas; all of them, without case */
                skills?: string;
                status?: StaffStatus;
                /** @description Has an induction for this site that has not expired */
                induction_site?: string;
                /** @description Has a certification of this type that has not expired */
                cert_type?: string;
                tier?: number;
                /** @description Leaves out who has had a certification of a type named in skills and has none of it that is valid */
                exclude_lapsed?: boolean;
                page?: number;
                per_page?: number;
            };
            header?: {
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
                customer_id: string;
            };
            header?: {
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
    list_expiring_certs: {
        parameters: {
            query: {
                customer_id: string;
                /** @description Counted from today */
                within_days?: number;
            };
            header?: {
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
    import_staff: {
        parameters: {
            query: {
                customer_id: string;
            };
            header?: {
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
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                instance_id: string;
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
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                instance_id: string;
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
    list_customer_staff: {
        parameters: {
            query?: {
                /** @description Separated by commas; all of them, without case */
                skills?: string;
                status?: StaffStatus;
                page?: number;
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
                    "application/json": StaffPage;
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
                    "application/json": StaffRecord;
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
                customer_id: string;
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
    delete_customer_staff: {
        parameters: {
            query?: never;
            path: {
                customer_id: string;
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
                customer_id: string;
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
    list_bindings: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
            };
            path: {
                customer_id: string;
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
                customer_id: string;
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
                customer_id: string;
                person_id: string;
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
                    "application/json": Shift;
                };
            };
        };
    };
    delete_shift: {
        parameters: {
            query?: never;
            path: {
                customer_id: string;
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
                customer_id: string;
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
                    "application/json": Shift;
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
                    "application/json": Assignment;
                };
            };
        };
    };
    delete_assignment: {
        parameters: {
            query?: never;
            path: {
                customer_id: string;
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
                customer_id: string;
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
                    "application/json": Assignment;
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
                status?: TimesheetStatus;
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
                    "application/json": TimesheetPage;
                };
            };
        };
    };
    update_timesheet: {
        parameters: {
            query?: never;
            path: {
                customer_id: string;
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
    list_identities: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page */
                per_page?: number;
                channel?: string;
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
                customer_id: string;
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
                customer_id: string;
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
                channel: string;
                external_id: string;
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
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                instance_id: string;
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
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                instance_id: string;
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
                customer_id: string;
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
                customer_id: string;
                identity_id?: string;
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
    delete_connection: {
        parameters: {
            query?: never;
            path: {
                customer_id: string;
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
                customer_id: string;
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
                max_results?: number;
            };
            header?: {
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
                /** @description The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required` */
                "x-pin-session"?: string;
            };
            path: {
                instance_id: string;
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
    list_channel_endpoints: {
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
                    "application/json": ChannelEndpoint;
                };
            };
        };
    };
    delete_channel_endpoint: {
        parameters: {
            query?: never;
            path: {
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
                    "application/json": ChannelEndpoint;
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
                status?: ChannelMessageStatus;
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
    verify_webhook: {
        parameters: {
            query?: {
                "hub.mode"?: string;
                "hub.verify_token"?: string;
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
                customer_id: string;
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
                hostname: string;
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
    call_mcp: {
        parameters: {
            query?: {
                read_only?: boolean;
            };
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
                    "application/json": {
                        [key: string]: unknown;
                    };
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
                tool?: string;
                decision?: ToolCallDecision;
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
                operation?: string;
                actor_kind?: ActorKind;
                actor_id?: string;
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

/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

/** @enum {string} */
export type ActorKind = "api_key" | "user" | "instance" | "operations" | "anonymous";
export type AgentSecrets = {
    proxy_key: string | null;
    /** @description By customer: [{provider, name, credentials}] */
    connections: {
        [key: string]: unknown;
    };
};
export type AiDraft = {
    name: string;
    description: string;
    system_prompt: string;
    skills: string[];
    channel_types: string[];
    connection_requirements: unknown[];
    model_policy: {
        [key: string]: unknown;
    };
};
export type AiDraftRequest = {
    /** @description What the agent is to do, in a person’s words */
    description: string;
};
export type ApiKey = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    name: string;
    /** @description The start of the key, to recognise it by */
    prefix: string;
    role: Role;
    scopes: string[];
    rate_limit: RateLimit;
    expires_at: string | null;
    last_used_at: string | null;
    /** Format: date-time */
    created_at: string;
};
export type ApiKeyContext = {
    /** Format: uuid */
    tenant_id: string;
    api_key_id: string | null;
    user_id: string | null;
    role: Role;
    scopes: string[];
};
export type ApiKeyCreate = {
    name: string;
    /** @description What it may do: `resource:verb` as recipes:read, `recipes:*`, or `*`; each operation’s stands in x-scope */
    scopes: string[];
    role?: Role | null;
    rate_limit?: RateLimit | null;
    expires_at?: string | null;
};
export type ApiKeyPage = {
    items: ApiKey[];
    page: number;
    per_page: number;
    total: number;
};
export type ApiKeyRotateRequest = {
    /** @description How long the old key goes on */
    overlap_seconds?: number | null;
};
export type ApiKeyWithSecret = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    name: string;
    /** @description The start of the key, to recognise it by */
    prefix: string;
    role: Role;
    scopes: string[];
    rate_limit: RateLimit;
    expires_at: string | null;
    last_used_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** @description Shown once */
    key: string;
};
export type Assignment = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    /** Format: uuid */
    person_id: string;
    job_id: string | null;
    title: string | null;
    site: string | null;
    starts_at: string | null;
    ends_at: string | null;
    status: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type AssignmentCreate = {
    /** Format: uuid */
    person_id: string;
    starts_at?: string | null;
    ends_at?: string | null;
    job_id?: string | null;
    title?: string | null;
    site?: string | null;
    status?: string | null;
};
export type AssignmentPage = {
    items: Assignment[];
    page: number;
    per_page: number;
    total: number;
};
export type AssignmentUpdate = {
    /** Format: uuid */
    person_id?: string;
    starts_at?: string | null;
    ends_at?: string | null;
    job_id?: string | null;
    title?: string | null;
    site?: string | null;
    status?: string | null;
};
export type Binding = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    /** Format: uuid */
    person_id: string;
    channel_type: string;
    channel_address: string;
    state: BindingState;
    has_code: boolean;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type BindingCreate = {
    /** @description The channel, as chatapp */
    channel_type: string;
    /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
    channel_address: string;
    /** @description What the worker has to answer to be verified; without one, a yes does */
    code?: string | null;
};
export type BindingPage = {
    items: Binding[];
    page: number;
    per_page: number;
    total: number;
};
/** @enum {string} */
export type BindingState = "unverified" | "verified" | "rejected";
export type CapturedRecipe = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** @description Counts the changes */
    revision: number;
    name: string;
    description: string | null;
    system_prompt: string | null;
    manifest_id: string | null;
    hosting_mode: HostingMode;
    shared_node_capacity: number;
    is_active: boolean;
    is_platform_template: boolean;
    source_instance_id: string | null;
    onboarding_flow_id: string | null;
    rules_template_id: string | null;
    approval_rules: {
        [key: string]: unknown;
    } | null;
    channel_config: {
        [key: string]: unknown;
    } | null;
    compliance_config: {
        [key: string]: unknown;
    } | null;
    data_access: {
        [key: string]: unknown;
    } | null;
    model_policy: {
        [key: string]: unknown;
    } | null;
    module_config: {
        [key: string]: unknown;
    } | null;
    voice_config: {
        [key: string]: unknown;
    } | null;
    channel_types: unknown[];
    connection_requirements: unknown[];
    mcp_servers: unknown[];
    skills: unknown[];
    trigger_templates: unknown[];
    workflow_slugs: unknown[];
    sidecars: unknown[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    stripped: StrippedValue[];
};
export type CertificateRenewRequest = {
    csr_pem: string;
    wg_public_key: string;
};
/** @enum {string} */
export type ChainFault = "row_changed" | "row_missing" | "end_changed";
export type ChainVerification = {
    valid: boolean;
    /** @description The rows that are as they were written, from the first that is kept on */
    checked: number;
    first_invalid: number | null;
    fault: ChainFault | null;
    last_hash: string | null;
};
export type Change = {
    /** @description Greater for a later change; not without gaps */
    seq: number;
    /** Format: date-time */
    at: string;
    actor: ChangeActor;
    /** @description The operationId */
    operation: string;
    resource_id: string | null;
    request_id: string;
    status: number;
};
export type ChangeActor = {
    kind: ActorKind;
    id: string | null;
};
export type ChangePage = {
    items: Change[];
    page: number;
    per_page: number;
    total: number;
};
/** @enum {string} */
export type Channel = "chatapp";
export type ChannelEndpoint = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    channel: Channel;
    phone_number_id: string;
    /** Format: uuid */
    instance_id: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type ChannelEndpointCreate = {
    channel: Channel;
    /** @description The channel’s id of the number, not the number itself */
    phone_number_id: string;
    /**
     * Format: uuid
     * @description The instance that answers
     */
    instance_id: string;
    /** @description A word of yours, which the channel’s console asks for */
    verify_token: string;
    /** @description What the channel signs its messages with */
    app_secret: string;
};
export type ChannelEndpointPage = {
    items: ChannelEndpoint[];
    page: number;
    per_page: number;
    total: number;
};
export type ChannelEndpointUpdate = {
    /** @description The channel’s id of the number, not the number itself */
    phone_number_id?: string;
    /**
     * Format: uuid
     * @description The instance that answers
     */
    instance_id?: string;
    /** @description A word of yours, which the channel’s console asks for */
    verify_token?: string;
    /** @description What the channel signs its messages with */
    app_secret?: string;
};
export type ChannelMessage = {
    /** Format: uuid */
    id: string;
    channel: Channel;
    /** @description The channel’s own id */
    message_id: string;
    /** @description The sender */
    external_id: string;
    /** Format: uuid */
    instance_id: string;
    /** Format: uuid */
    endpoint_id: string;
    status: ChannelMessageStatus;
    attempts: number;
    last_error: string | null;
    /** Format: date-time */
    received_at: string;
    finished_at: string | null;
};
export type ChannelMessagePage = {
    items: ChannelMessage[];
    page: number;
    per_page: number;
    total: number;
};
/** @enum {string} */
export type ChannelMessageStatus = "pending" | "delivered" | "dead";
export type ComposeRequest = {
    /**
     * Format: uuid
     * @description The recipe, of list_recipes
     */
    recipe_id: string;
    /** @description What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting */
    instance_overrides?: {
        [key: string]: unknown;
    } | null;
};
export type ComposeResult = {
    template_name: string;
    resolved_config: {
        [key: string]: unknown;
    };
    violations: Violation[];
    /** @description SHA-256 of the plan; a deploy that carries it does exactly this plan */
    plan_hash: string;
    /** @description By JSON pointer; one covers everything below it that has no pointer of its own */
    provenance: {
        [key: string]: "platform" | "recipe" | "override";
    };
};
export type Connection = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    provider: string;
    name: string | null;
    /** @enum {string} */
    status: "active" | "expired";
    expires_at: string | null;
    /** Format: date-time */
    created_at: string;
};
export type ConnectionCreate = {
    /** @description As a recipe’s connection_requirements name it: chatapp, google_drive, filesystem, … */
    provider: string;
    /** @description To tell several of one provider apart */
    name?: string | null;
    /** @description chatapp: {"access_token"}; google_drive: {"client_id", "client_secret", "refresh_token"}; filesystem: {"root"}, a folder below DRIVE_FILESYSTEM_ROOT; of other providers, whatever the agent’s runtime wants */
    credentials: {
        [key: string]: unknown;
    };
    /** @description From then on it counts as expired */
    expires_at?: string | null;
};
export type ConnectionPage = {
    items: Connection[];
    page: number;
    per_page: number;
    total: number;
};
export type ConnectionUpdate = {
    /** @description To tell several of one provider apart */
    name?: string | null;
    /** @description chatapp: {"access_token"}; google_drive: {"client_id", "client_secret", "refresh_token"}; filesystem: {"root"}, a folder below DRIVE_FILESYSTEM_ROOT; of other providers, whatever the agent’s runtime wants */
    credentials?: {
        [key: string]: unknown;
    };
    /** @description From then on it counts as expired */
    expires_at?: string | null;
};
export type CreatedCustomer = {
    /** Format: uuid */
    id: string;
    email: string | null;
    company_name: string | null;
    /** Format: date-time */
    created_at: string;
};
export type CreatedTenant = {
    /** Format: uuid */
    tenant_id: string;
    /** @description null until the invitation is accepted */
    admin_user_id: string | null;
    /** @description Shown once; 7 days; accepted once */
    invitation_token?: string;
    /** Format: date-time */
    expires_at?: string;
};
export type Customer = {
    /** Format: uuid */
    id: string;
    email: string | null;
    company_name: string | null;
    country_code: string | null;
    currency: string | null;
    timezone: string;
    /** Format: date-time */
    created_at: string;
    /** @description Instances that serve the customer and are not terminated */
    instance_count: number;
    running_instance_count: number;
    subscription_count: number;
    /** @description Subscriptions whose status is active; a trial is not */
    active_subscription_count: number;
    latest_subscription_status: SubscriptionStatus | null;
};
export type CustomerCloneRequest = {
    /** @description What the new customer is called */
    company_name: string;
    /**
     * Format: uuid
     * @description Whose rules are copied
     */
    source_customer_id: string;
    /** @description The new customer’s own; none where nothing is said */
    email?: string | null;
};
export type CustomerConfig = {
    config: {
        [key: string]: unknown;
    };
    /** Format: uuid */
    customer_id: string;
    /** Format: uuid */
    instance_id: string;
    /** @description IANA: whose days and hours the customer’s are */
    timezone: string;
};
export type CustomerCreate = {
    /**
     * Format: email
     * @description Unique within the tenant, without case
     */
    email: string;
    /** @description What the customer is called */
    company_name?: string | null;
    /** @description ISO 3166-1 alpha-2, as AU */
    country_code?: string | null;
    /** @description ISO 4217, as AUD */
    currency?: string | null;
    /** @description IANA, as Australia/Sydney: whose days count; UTC where none is given */
    timezone?: string | null;
    /** @description BCP 47, as en-AU */
    locale?: string | null;
};
export type CustomerDetail = {
    /** Format: uuid */
    id: string;
    email: string | null;
    company_name: string | null;
    country_code: string | null;
    currency: string | null;
    timezone: string;
    /** Format: date-time */
    created_at: string;
    /** @description Instances that serve the customer and are not terminated */
    instance_count: number;
    running_instance_count: number;
    subscription_count: number;
    /** @description Subscriptions whose status is active; a trial is not */
    active_subscription_count: number;
    latest_subscription_status: SubscriptionStatus | null;
    locale: string | null;
    payments_customer_id: string | null;
    /** Format: date-time */
    updated_at: string;
    instances: CustomerInstance[];
    subscriptions: Subscription[];
};
export type CustomerInstance = {
    /** Format: uuid */
    id: string;
    status: string;
    hosting_mode: HostingMode;
    hostname: string;
    template_name: string;
    region_id: string;
    /** Format: date-time */
    created_at: string;
};
export type CustomerPage = {
    customers: Customer[];
    page: number;
    per_page: number;
    total: number;
    total_pages: number;
};
export type CustomerUpdate = {
    /**
     * Format: email
     * @description Unique within the tenant, without case
     */
    email?: string;
    /** @description What the customer is called */
    company_name?: string | null;
    /** @description ISO 3166-1 alpha-2, as AU */
    country_code?: string | null;
    /** @description ISO 4217, as AUD */
    currency?: string | null;
    /** @description IANA, as Australia/Sydney: whose days count; UTC where none is given */
    timezone?: string | null;
    /** @description BCP 47, as en-AU */
    locale?: string | null;
};
export type DeployCheckRequest = {
    /**
     * Format: uuid
     * @description Whom the agent works for, of list_customers
     */
    customer_id: string;
    /** @description The agent’s address in the web, as crew.example.com; kept with the instance */
    hostname: string;
    /**
     * Format: uuid
     * @description The recipe, of list_recipes
     */
    recipe_id: string;
    /** @description What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting */
    instance_overrides?: {
        [key: string]: unknown;
    } | null;
};
export type DeployCheckResult = {
    template_name: string;
    resolved_config: {
        [key: string]: unknown;
    };
    violations: Violation[];
    /** @description SHA-256 of the plan; a deploy that carries it does exactly this plan */
    plan_hash: string;
    ready: boolean;
    missing_connections: MissingConnection[];
};
export type DeployRequest = {
    /**
     * Format: uuid
     * @description Whom the agent works for, of list_customers
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The recipe, of list_recipes
     */
    recipe_id: string;
    /**
     * Format: uuid
     * @description The size of the instance, of list_tiers
     */
    tier_id: string;
    /** @description Where it runs, of list_regions */
    region_id: string;
    /** @description The agent’s address in the web, as crew.example.com; kept with the instance */
    hostname: string;
    /** @description One customer for the instance, or several; the recipe’s where nothing is said */
    hosting_mode?: HostingMode | null;
    /** @description How many deployments a shared instance takes that is made for this one; the recipe’s where nothing is said */
    shared_node_capacity?: number | null;
    /** @description A text of your own for this deploy: sent again with it, nothing is deployed twice and the same instance comes back */
    idempotency_key?: string | null;
    /** @description What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting */
    instance_overrides?: {
        [key: string]: unknown;
    } | null;
    /** @description An identifier of your own, in place of the recipe’s */
    manifest_id?: string | null;
    /** @description What check_deploy answered: exactly that plan is deployed, or nothing */
    plan_hash?: string | null;
};
export type DeployResult = {
    instance_id: string | null;
    task_id: string | null;
    idempotency_key: string;
    template_name: string;
    ready: boolean;
    missing_connections: MissingConnection[];
    violations: Violation[];
};
export type Detail = {
    detail: string;
};
export type DomainResolution = {
    /** Format: uuid */
    customer_id: string;
    customer_email: string | null;
    display_name: string | null;
};
export type DriveFile = {
    id: string;
    name: string;
    mime_type: string;
    size: number | null;
    modified_at: string | null;
    folder_id: string | null;
    web_url: string | null;
};
export type DriveFileContent = {
    id: string;
    name: string;
    /** @description Of the content: what a document was exported to */
    mime_type: string;
    size: number | null;
    /** @enum {string} */
    encoding: "utf-8" | "base64";
    content: string;
};
export type DriveSearchResult = {
    files: DriveFile[];
};
export type EnrollRequest = {
    enrollment_token: string;
    csr_pem: string;
    /** @description WireGuard, 32 bytes in base64 */
    wg_public_key: string;
    vpn_ip: string;
};
export type EnrollmentToken = {
    /** @description Shown once */
    enrollment_token: string;
    vpn_ip: string;
    /** Format: date-time */
    expires_at: string;
};
export type Fault = {
    loc: string[];
    msg: string;
    type: string;
};
export type Health = {
    /** @constant */
    status: "ok";
};
/** @enum {string} */
export type HostingMode = "dedicated" | "shared";
export type Identity = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    channel: string;
    external_id: string;
    display_name: string | null;
    role_override: string | null;
    verified: boolean;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type IdentityCreate = {
    /** @description The channel, as chatapp */
    channel: string;
    /** @description The sender’s address there: a phone number, or the channel’s own id */
    external_id: string;
    /** @description What the sender is called */
    display_name?: string | null;
    /** @description What the sender is to the customer; `owner` is one to the PIN policy’s pin_applies_to */
    role_override?: string | null;
    /** @description Whether you know that the address is the sender’s */
    verified?: boolean | null;
};
export type IdentityLookupResult = {
    channel: string;
    external_id: string;
    /** Format: uuid */
    identity_id: string;
    /** Format: uuid */
    customer_id: string;
    customer_email: string | null;
    display_name: string | null;
    role_override: string | null;
    verified: boolean;
};
export type IdentityPage = {
    items: Identity[];
    page: number;
    per_page: number;
    total: number;
};
export type IdentityUpdate = {
    /** @description The channel, as chatapp */
    channel?: string;
    /** @description The sender’s address there: a phone number, or the channel’s own id */
    external_id?: string;
    /** @description What the sender is called */
    display_name?: string | null;
    /** @description What the sender is to the customer; `owner` is one to the PIN policy’s pin_applies_to */
    role_override?: string | null;
    /** @description Whether you know that the address is the sender’s */
    verified?: boolean | null;
};
export type Instance = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** @description Whom it was made for; null once the customer was erased */
    customer_id: string | null;
    /** Format: uuid */
    recipe_id: string;
    recipe_revision: number;
    template_name: string;
    /** Format: uuid */
    tier_id: string;
    region_id: string;
    hostname: string;
    hosting_mode: HostingMode;
    shared_node_capacity: number;
    /** @description Deployments that it serves now */
    deployment_count: number;
    manifest_id: string | null;
    status: InstanceStatus;
    tunnel_address: string | null;
    runtime: RuntimeState;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type InstanceDetail = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** @description Whom it was made for; null once the customer was erased */
    customer_id: string | null;
    /** Format: uuid */
    recipe_id: string;
    recipe_revision: number;
    template_name: string;
    /** Format: uuid */
    tier_id: string;
    region_id: string;
    hostname: string;
    hosting_mode: HostingMode;
    shared_node_capacity: number;
    /** @description Deployments that it serves now */
    deployment_count: number;
    manifest_id: string | null;
    status: InstanceStatus;
    tunnel_address: string | null;
    runtime: RuntimeState;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    resolved_config: {
        [key: string]: unknown;
    };
    provenance: {
        [key: string]: unknown;
    };
};
export type InstanceDrift = {
    /** Format: uuid */
    instance_id: string;
    /** Format: uuid */
    recipe_id: string;
    deployed_revision: number;
    current_revision: number | null;
    drifted: boolean;
    changes: {
        pointer: string;
        /** @description A string or an object */
        deployed: unknown;
        /** @description A string or an object */
        current: unknown;
    }[];
};
export type InstanceEvent = {
    id: number;
    /** Format: date-time */
    at: string;
    from: InstanceStatus | null;
    to: InstanceStatus;
    step: string | null;
    message: string | null;
};
export type InstanceEventPage = {
    items: InstanceEvent[];
    page: number;
    per_page: number;
    total: number;
};
export type InstancePage = {
    items: Instance[];
    page: number;
    per_page: number;
    total: number;
};
/** @enum {string} */
export type InstanceStatus = "pending" | "provisioning" | "running" | "stopped" | "failed" | "terminating" | "terminated";
export type Invitation = {
    /** @description Shown once; 7 days; accepted once */
    invitation_token: string;
    /** Format: date-time */
    expires_at: string;
};
export type InvitationAcceptance = {
    invitation_token: string;
    password?: string;
};
export type InvitationCreate = {
    /** Format: email */
    email: string;
    role: Role;
};
export type IssuedCertificate = {
    cert_pem: string;
    /** @description 32 hexadecimal digits */
    cert_serial: string;
    /** Format: date-time */
    not_before: string;
    /** Format: date-time */
    expires_at: string;
    /** Format: date-time */
    renew_after: string;
    /** @description What the control plane’s own certificate is checked against */
    ca_pem: string;
};
export type IssuingCertificate = {
    issuing_certificate_serial: string;
    /** Format: date-time */
    not_after: string;
};
export type LoginRequest = {
    email: string;
    password: string;
    /** Format: uuid */
    tenant_id?: string;
};
export type Me = {
    user: {
        /** Format: uuid */
        id: string;
        email: string;
    };
    tenant: {
        /** Format: uuid */
        id: string;
        name: string;
    };
    role: Role;
    memberships: Membership[];
};
export type Membership = {
    /** Format: uuid */
    tenant_id: string;
    tenant_name: string;
    role: Role;
};
export type MissingConnection = {
    provider: string;
    name: string | null;
    /** @enum {string} */
    reason: "missing" | "expired" | "revoked";
};
export type Model = {
    /** Format: uuid */
    id: string;
    model_id: string;
    slug: string;
    display_name: string;
    provider: string | null;
    modality: string | null;
    api_format: string | null;
    capabilities: string[];
    context_window: number | null;
    max_output_tokens: number | null;
    typical_tps: number | null;
    speed_tier: string | null;
    cost_input_per_mtok: string | null;
    cost_cached_input_per_mtok: string | null;
    cost_output_per_mtok: string | null;
    is_active: boolean;
    is_deprecated: boolean;
};
export type ModelEntry = {
    model_id: string;
    slug?: string;
    display_name?: string;
    provider?: string | null;
    modality?: string | null;
    api_format?: string | null;
    capabilities?: string[] | null;
    context_window?: number | null;
    max_output_tokens?: number | null;
    typical_tps?: number | null;
    speed_tier?: string | null;
    cost_input_per_mtok?: string | null;
    cost_cached_input_per_mtok?: string | null;
    cost_output_per_mtok?: string | null;
    is_active?: boolean;
    is_deprecated?: boolean;
    source?: string | null;
    observed_on?: string | null;
};
export type ModelsPut = {
    models: ModelEntry[];
} | ModelEntry[];
export type ModelsPutResult = {
    upserted: number;
};
export type OwnPinSetRequest = {
    /** @description 4 to 12 digits */
    pin: string;
    /** @description In place of X-Pin-Session: the PIN that applies now. A wrong one counts as a wrong attempt */
    current_pin?: string | null;
};
export type PasswordChange = {
    current_password: string;
    new_password: string;
};
export type PasswordReset = {
    /** @description Shown once; 24 hours; used once */
    reset_token: string;
    /** Format: date-time */
    expires_at: string;
};
export type PasswordResetRequest = {
    reset_token: string;
    password: string;
};
/** @enum {string} */
export type PinAudience = "owner" | "customer" | "all";
export type PinPolicy = {
    /** Format: uuid */
    instance_id: string;
    pin_applies_to: PinAudience;
    pin_required_skills: string[];
    pin_session_ttl_minutes: number;
    /** @description true: the service itself asks for X-Pin-Session on the routes of these skills and on changes of a PIN */
    enforced: boolean;
};
export type PinPolicyUpdate = {
    /** @description Who is asked: owners, the other senders, or all */
    pin_applies_to?: PinAudience | null;
    /** @description The slugs of the skills that ask for a PIN first */
    pin_required_skills?: string[] | null;
    /** @description How long a PIN that was right counts */
    pin_session_ttl_minutes?: number | null;
    /** @description Whether the service itself asks for the session, and not the runtime alone */
    enforced?: boolean | null;
};
export type PinRequirement = {
    required: boolean;
    has_pin: boolean;
    /** @description This sender can enter no PIN now */
    is_locked: boolean;
    pin_required_skills: string[];
    pin_applies_to: PinAudience;
};
export type PinSession = {
    valid: boolean;
    expires_at: string | null;
};
export type PinSessionRequest = {
    session_token: string;
    /** @description What it has to count for; without one, a session for one purpose alone is not valid */
    purpose?: string | null;
};
export type PinSetRequest = {
    /** @description 4 to 12 digits */
    pin: string;
};
export type PinStatus = {
    has_pin: boolean;
    /** @description false after 100 wrong attempts in a row, until a PIN is set anew */
    is_active: boolean;
    /** @description For all, or for anybody whose PIN it is */
    is_locked: boolean;
    locked_until: string | null;
    created_at: string | null;
};
export type PinVerifyRequest = {
    /** @description What does not look like a PIN counts as a wrong one */
    pin: string;
    customer_id?: string | null;
    identity_id?: string | null;
    /** @description The slug of the skill, or the tool, that the session is to count for alone; without one it counts for all */
    purpose?: string | null;
};
export type PinVerifyResult = {
    verified: boolean;
    session_token: string | null;
    session_ttl_minutes: number | null;
    /** @description Before the PIN is locked, for this sender or for all */
    remaining_attempts: number;
    error: ("pin_invalid" | "pin_locked" | "pin_not_set") | null;
};
export type Primitive = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    kind: PrimitiveKind;
    slug: string;
    display_name: string | null;
    /** Format: date-time */
    created_at: string;
};
export type PrimitiveCreate = {
    kind: PrimitiveKind;
    slug: string;
    display_name?: string | null;
};
/** @enum {string} */
export type PrimitiveKind = "skill" | "channel" | "integration" | "mcp_server" | "workflow" | "model" | "sidecar_runtime";
export type PrimitivePage = {
    items: Primitive[];
    page: number;
    per_page: number;
    total: number;
};
export type ProxyKey = {
    /** @description Shown once */
    proxy_key: string;
};
export type RateLimit = {
    limit: number;
    window_seconds: number;
};
export type Readiness = {
    /** @constant */
    status: "ready";
    checks: {
        /** @description How far runtimes are isolated: on, off or missing: … */
        isolation: string;
    };
};
export type Recipe = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** @description Counts the changes */
    revision: number;
    name: string;
    description: string | null;
    system_prompt: string | null;
    manifest_id: string | null;
    hosting_mode: HostingMode;
    shared_node_capacity: number;
    is_active: boolean;
    is_platform_template: boolean;
    source_instance_id: string | null;
    onboarding_flow_id: string | null;
    rules_template_id: string | null;
    approval_rules: {
        [key: string]: unknown;
    } | null;
    channel_config: {
        [key: string]: unknown;
    } | null;
    compliance_config: {
        [key: string]: unknown;
    } | null;
    data_access: {
        [key: string]: unknown;
    } | null;
    model_policy: {
        [key: string]: unknown;
    } | null;
    module_config: {
        [key: string]: unknown;
    } | null;
    voice_config: {
        [key: string]: unknown;
    } | null;
    channel_types: unknown[];
    connection_requirements: unknown[];
    mcp_servers: unknown[];
    skills: unknown[];
    trigger_templates: unknown[];
    workflow_slugs: unknown[];
    sidecars: unknown[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type RecipeCaptureRequest = {
    /** @description What the new recipe is called */
    name: string;
    /** @description What the new recipe is for */
    description?: string | null;
};
export type RecipeCreate = {
    /** @description What the recipe is called */
    name: string;
    /** @description What the recipe is for, to choose it by */
    description?: string | null;
    /** @description What the agent is told before a conversation */
    system_prompt?: string | null;
    /** @description An identifier of your own, kept with the instance */
    manifest_id?: string | null;
    /** @description Whether an instance serves one customer (dedicated, where nothing is said) or several (shared) */
    hosting_mode?: HostingMode | null;
    /** @description How many deployments a shared instance takes; 50 where nothing is said */
    shared_node_capacity?: number | null;
    /** @description The onboarding flow that a new instance is given */
    onboarding_flow_id?: string | null;
    /** @description An id of your own; kept with the configuration */
    rules_template_id?: string | null;
    /** @description What a person has to approve; the inside is your own */
    approval_rules?: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of the channels; the inside is your own */
    channel_config?: {
        [key: string]: unknown;
    } | null;
    /** @description Compliance settings; the inside is your own */
    compliance_config?: {
        [key: string]: unknown;
    } | null;
    /** @description What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads */
    data_access?: {
        [key: string]: unknown;
    } | null;
    /** @description Which models: `model`, `default_model`, `fallback_model`, `primary_model`, and the lists `models`, `allowed_models`, `fallback_models` are held against the approved ones; the rest is your own */
    model_policy?: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of modules; the inside is your own */
    module_config?: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks; the inside is your own */
    voice_config?: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent answers in, as "chatapp". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    channel_types?: unknown[] | null;
    /** @description What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks */
    connection_requirements?: unknown[] | null;
    /** @description The MCP servers that the agent may use. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    mcp_servers?: unknown[] | null;
    /** @description What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    skills?: unknown[] | null;
    /** @description What starts the agent by itself; the elements are your own */
    trigger_templates?: unknown[] | null;
    /** @description The workflows that the agent may start. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    workflow_slugs?: unknown[] | null;
    /** @description Processes beside the agent; only `name` is needed */
    sidecars?: Sidecar[] | null;
};
export type RecipeRevision = {
    /** Format: uuid */
    recipe_id: string;
    /** @description Counts the changes */
    revision: number;
    name: string;
    description: string | null;
    system_prompt: string | null;
    manifest_id: string | null;
    hosting_mode: HostingMode;
    shared_node_capacity: number;
    is_active: boolean;
    source_instance_id: string | null;
    onboarding_flow_id: string | null;
    rules_template_id: string | null;
    approval_rules: {
        [key: string]: unknown;
    } | null;
    channel_config: {
        [key: string]: unknown;
    } | null;
    compliance_config: {
        [key: string]: unknown;
    } | null;
    data_access: {
        [key: string]: unknown;
    } | null;
    model_policy: {
        [key: string]: unknown;
    } | null;
    module_config: {
        [key: string]: unknown;
    } | null;
    voice_config: {
        [key: string]: unknown;
    } | null;
    channel_types: unknown[];
    connection_requirements: unknown[];
    mcp_servers: unknown[];
    skills: unknown[];
    trigger_templates: unknown[];
    workflow_slugs: unknown[];
    sidecars: unknown[];
    /** Format: date-time */
    created_at: string;
};
export type RecipeRevisionPage = {
    items: RecipeRevision[];
    page: number;
    per_page: number;
    total: number;
};
export type RecipeUpdate = {
    /** @description What the recipe is called */
    name?: string;
    /** @description What the recipe is for, to choose it by */
    description?: string | null;
    /** @description What the agent is told before a conversation */
    system_prompt?: string | null;
    /** @description An identifier of your own, kept with the instance */
    manifest_id?: string | null;
    /** @description Whether an instance serves one customer (dedicated, where nothing is said) or several (shared) */
    hosting_mode?: HostingMode | null;
    /** @description How many deployments a shared instance takes; 50 where nothing is said */
    shared_node_capacity?: number | null;
    /** @description The onboarding flow that a new instance is given */
    onboarding_flow_id?: string | null;
    /** @description An id of your own; kept with the configuration */
    rules_template_id?: string | null;
    /** @description What a person has to approve; the inside is your own */
    approval_rules?: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of the channels; the inside is your own */
    channel_config?: {
        [key: string]: unknown;
    } | null;
    /** @description Compliance settings; the inside is your own */
    compliance_config?: {
        [key: string]: unknown;
    } | null;
    /** @description What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads */
    data_access?: {
        [key: string]: unknown;
    } | null;
    /** @description Which models: `model`, `default_model`, `fallback_model`, `primary_model`, and the lists `models`, `allowed_models`, `fallback_models` are held against the approved ones; the rest is your own */
    model_policy?: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of modules; the inside is your own */
    module_config?: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks; the inside is your own */
    voice_config?: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent answers in, as "chatapp". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    channel_types?: unknown[] | null;
    /** @description What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks */
    connection_requirements?: unknown[] | null;
    /** @description The MCP servers that the agent may use. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    mcp_servers?: unknown[] | null;
    /** @description What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    skills?: unknown[] | null;
    /** @description What starts the agent by itself; the elements are your own */
    trigger_templates?: unknown[] | null;
    /** @description The workflows that the agent may start. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    workflow_slugs?: unknown[] | null;
    /** @description Processes beside the agent; only `name` is needed */
    sidecars?: Sidecar[] | null;
    /** @description An inactive recipe is not deployed */
    is_active?: boolean;
};
export type RefreshTokenRequest = {
    refresh_token: string;
};
export type Region = {
    id: string;
    name: string;
    is_active: boolean;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type RegionDetail = {
    id: string;
    name: string;
    is_active: boolean;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    chatapp_api_base_url: string | null;
};
export type RegionPage = {
    items: Region[];
    page: number;
    per_page: number;
    total: number;
};
export type RegionPut = {
    name?: string;
    chatapp_api_base_url?: string | null;
    is_active?: boolean;
};
export type ResetAccount = {
    email: string;
    /** Format: uuid */
    tenant_id: string;
};
export type RewrapResult = {
    tenant_keys: number;
    ca_keys: number;
    chain_heads: number;
    service_keys: number;
    /** @description What is not under the current master key. Above 0, call again: a call ends after 20 seconds. */
    remaining: number;
};
/** @enum {string} */
export type Role = "admin" | "member";
/** @enum {string} */
export type RuntimeReason = "unschedulable" | "image_pull_failed" | "spec_rejected" | "name_taken" | "start_timeout" | "crashed" | "out_of_memory" | "identity_refused" | "evicted" | "node_lost" | "cluster_unreachable";
export type RuntimeState = {
    /** @enum {string} */
    state: "absent" | "starting" | "up" | "unready" | "ending" | "asleep" | "lost";
    reason: RuntimeReason | null;
    /** @description Restarts since the start of this generation */
    restarts: number;
    /** @description Grows with each start */
    generation: number;
    /** Format: date-time */
    since: string;
};
export type SecretRefreshRequest = {
    vpn_ip: string;
    wg_public_key: string;
};
export type SecretRefreshResult = {
    agent_secrets: AgentSecrets;
};
export type Session = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    tenant_name: string;
    /** @description True for the session that asks */
    is_current: boolean;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When its tokens were last renewed
     */
    last_used_at: string;
    /** Format: date-time */
    expires_at: string;
};
export type SessionPage = {
    items: Session[];
    page: number;
    per_page: number;
    total: number;
};
export type Shift = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    /** Format: uuid */
    person_id: string;
    job_id: string | null;
    title: string | null;
    site: string | null;
    /** Format: date-time */
    starts_at: string;
    /** Format: date-time */
    ends_at: string;
    status: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type ShiftCreate = {
    /** Format: uuid */
    person_id: string;
    /** Format: date-time */
    starts_at: string;
    /** Format: date-time */
    ends_at: string;
    job_id?: string | null;
    title?: string | null;
    site?: string | null;
    status?: string | null;
};
export type ShiftPage = {
    items: Shift[];
    page: number;
    per_page: number;
    total: number;
};
export type ShiftUpdate = {
    /** Format: uuid */
    person_id?: string;
    /** Format: date-time */
    starts_at?: string;
    /** Format: date-time */
    ends_at?: string;
    job_id?: string | null;
    title?: string | null;
    site?: string | null;
    status?: string | null;
};
export type Sidecar = {
    name: string;
    port?: number | null;
    path?: string | null;
    health?: unknown;
    runtime?: string | null;
} & {
    [key: string]: unknown;
};
export type StaffCreate = {
    name: string;
    email?: string | null;
    phone?: string | null;
    role?: StaffRole | null;
    /** @description What the person can do, as "forklift"; found without case */
    skills?: string[] | null;
    /** @description Types, or objects {"type": "first_aid", "expires_at": "2027-03-31", …}; their other fields are your own */
    certifications?: (string | ({
        type?: string;
        name?: string;
        expires_at?: string | null;
    } & {
        [key: string]: unknown;
    }))[] | null;
    /** @description Sites, or objects {"site": "Pier 4", "expires_at": …, …}; their other fields are your own */
    inductions?: (string | ({
        site?: string;
        name?: string;
        expires_at?: string | null;
    } & {
        [key: string]: unknown;
    }))[] | null;
    /** @description A grade of your own; 1 where nothing is said */
    tier?: number | null;
    /** @description When the person can work, in words */
    availability_notes?: string | null;
    /** @description What your own system calls the person; unique within the customer */
    external_id?: string | null;
};
export type StaffImportFault = {
    index: number;
    loc: string[];
    msg: string;
    type: string;
};
export type StaffImportRequest = {
    /** @description Records as create_staff takes them; one with a known external_id changes that record */
    staff: unknown[];
};
export type StaffImportResult = {
    created: number;
    updated: number;
    errors: StaffImportFault[];
};
export type StaffPage = {
    page: number;
    per_page: number;
    total: number;
    staff: StaffRecord[];
};
export type StaffRecord = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    name: string;
    email: string | null;
    phone: string | null;
    role: StaffRole;
    skills: string[];
    certifications: unknown[];
    inductions: unknown[];
    tier: number;
    status: StaffStatus;
    availability_notes: string | null;
    external_id: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
/** @enum {string} */
export type StaffRole = "employee" | "contractor" | "supplier" | "customer_contact";
/** @enum {string} */
export type StaffStatus = "active" | "inactive" | "on_leave" | "suspended" | "terminated";
export type StaffUpdate = {
    name?: string;
    email?: string | null;
    phone?: string | null;
    role?: StaffRole | null;
    /** @description What the person can do, as "forklift"; found without case */
    skills?: string[] | null;
    /** @description Types, or objects {"type": "first_aid", "expires_at": "2027-03-31", …}; their other fields are your own */
    certifications?: (string | ({
        type?: string;
        name?: string;
        expires_at?: string | null;
    } & {
        [key: string]: unknown;
    }))[] | null;
    /** @description Sites, or objects {"site": "Pier 4", "expires_at": …, …}; their other fields are your own */
    inductions?: (string | ({
        site?: string;
        name?: string;
        expires_at?: string | null;
    } & {
        [key: string]: unknown;
    }))[] | null;
    /** @description A grade of your own; 1 where nothing is said */
    tier?: number | null;
    /** @description When the person can work, in words */
    availability_notes?: string | null;
    /** @description What your own system calls the person; unique within the customer */
    external_id?: string | null;
    status?: StaffStatus;
};
export type StaffWithExpiringCerts = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    name: string;
    email: string | null;
    phone: string | null;
    role: StaffRole;
    skills: string[];
    certifications: unknown[];
    inductions: unknown[];
    tier: number;
    status: StaffStatus;
    availability_notes: string | null;
    external_id: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    expiring_certifications: ({
        days_left: number;
    } & {
        [key: string]: unknown;
    })[];
};
export type StrippedValue = {
    /** @description JSON pointer into the instance’s resolved configuration */
    pointer: string;
    /** @enum {string} */
    kind: "customer_id" | "api_key" | "phone_number" | "email" | "credential" | "secret" | "instance_id";
};
export type Subscription = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    status: SubscriptionStatus;
    plan: string | null;
    current_period_end: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type SubscriptionCreate = {
    status: SubscriptionStatus;
    plan?: string | null;
    current_period_end?: string | null;
};
export type SubscriptionPage = {
    items: Subscription[];
    page: number;
    per_page: number;
    total: number;
};
/** @enum {string} */
export type SubscriptionStatus = "trialing" | "active" | "past_due" | "paused" | "canceled";
export type SubscriptionUpdate = {
    status?: SubscriptionStatus;
    plan?: string | null;
    current_period_end?: string | null;
};
export type Task = {
    /** Format: uuid */
    task_id: string;
    /** Format: uuid */
    instance_id: string;
    kind: TaskKind;
    status: TaskStatus;
    step: string | null;
    /** @description Percent */
    progress: number;
    error: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    finished_at: string | null;
};
export type TaskCancelRequest = {
    /** @description Cancel only while the task is in this status */
    expect_status?: TaskStatus | null;
};
/** @enum {string} */
export type TaskKind = "provision" | "join" | "start" | "stop" | "terminate";
/** @enum {string} */
export type TaskStatus = "queued" | "running" | "succeeded" | "failed" | "canceling" | "canceled";
export type Tenant = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    name: string;
    is_active: boolean;
    /** Format: date-time */
    created_at: string;
};
export type TenantCreate = {
    name: string;
    /** Format: email */
    admin_email: string;
    admin_password?: string;
    expect_none?: boolean;
};
export type TenantDetail = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    name: string;
    is_active: boolean;
    /** Format: date-time */
    created_at: string;
    limits: TenantLimits;
};
export type TenantLimits = {
    /** @description Instances that are not terminated */
    instances: number | null;
    /** @description Recipes */
    recipes: number | null;
    /** @description Customers */
    customers: number | null;
    /** @description Staff of all customers together */
    staff: number | null;
    /** @description API keys that were neither revoked nor rotated */
    keys: number | null;
    /** @description Users */
    users: number | null;
    /** @description Channel endpoints */
    channel_endpoints: number | null;
    /** @description USD per month at the operator’s model providers; stored now, it acts once the model gateway exists */
    monthly_cost: number | null;
    /** @description Instances that are provisioned at once; others wait in pending */
    starting: number | null;
    /** @description Files of drives read at once; others wait 5 seconds, then get 429 */
    drive_reads_at_once: number | null;
    /** @description Event streams at once */
    streams: number | null;
    /** @description Revisions kept of a recipe, besides those that an instance runs */
    revisions_kept: number | null;
    /** @description Conversations kept; stored now, it acts once conversations are kept */
    conversations_stored: number | null;
    /** @description Messages of one sender that are forwarded in 10 minutes; stored now, it acts in a later version */
    sender_messages: number | null;
};
export type TenantLimitsUpdate = {
    /** @description Instances that are not terminated */
    instances?: number | null;
    /** @description Recipes */
    recipes?: number | null;
    /** @description Customers */
    customers?: number | null;
    /** @description Staff of all customers together */
    staff?: number | null;
    /** @description API keys that were neither revoked nor rotated */
    keys?: number | null;
    /** @description Users */
    users?: number | null;
    /** @description Channel endpoints */
    channel_endpoints?: number | null;
    /** @description USD per month at the operator’s model providers; stored now, it acts once the model gateway exists */
    monthly_cost?: number | null;
    /** @description Instances that are provisioned at once; others wait in pending */
    starting?: number | null;
    /** @description Files of drives read at once; others wait 5 seconds, then get 429 */
    drive_reads_at_once?: number | null;
    /** @description Event streams at once */
    streams?: number | null;
    /** @description Revisions kept of a recipe, besides those that an instance runs */
    revisions_kept?: number | null;
    /** @description Conversations kept; stored now, it acts once conversations are kept */
    conversations_stored?: number | null;
    /** @description Messages of one sender that are forwarded in 10 minutes; stored now, it acts in a later version */
    sender_messages?: number | null;
};
export type TenantPage = {
    items: Tenant[];
    page: number;
    per_page: number;
    total: number;
};
export type TenantSwitchRequest = {
    /** Format: uuid */
    tenant_id: string;
};
export type TenantUpdate = {
    name?: string;
    is_active?: boolean;
    limits?: TenantLimitsUpdate;
};
export type Tier = {
    /** Format: uuid */
    id: string;
    name: string;
    description: string | null;
    cpu_millis: number | null;
    memory_mib: number | null;
    is_active: boolean;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type TierPage = {
    items: Tier[];
    page: number;
    per_page: number;
    total: number;
};
export type TierPut = {
    name?: string;
    description?: string | null;
    cpu_millis?: number | null;
    memory_mib?: number | null;
    is_active?: boolean;
};
export type Timesheet = {
    /** Format: uuid */
    id: string;
    /** Format: date */
    date: string;
    hours: number;
    description: string | null;
    job_id: string | null;
    rate: number | null;
    shift_id: string | null;
    status: TimesheetStatus;
    /** @description future: it was submitted before the day began, by the customer’s time zone; over_24_h: with it and earlier entries that were not rejected, the person’s day has more than 24 hours */
    warnings: ("future" | "over_24_h")[];
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    /** @description null once the staff record was deleted */
    person_id: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type TimesheetPage = {
    items: Timesheet[];
    page: number;
    per_page: number;
    total: number;
};
/** @enum {string} */
export type TimesheetStatus = "submitted" | "approved" | "rejected";
export type TimesheetUpdate = {
    status: TimesheetStatus;
};
export type TokenPair = {
    /** @description A JWT; 15 minutes */
    access_token: string;
    /** @description 30 days; replaced at each use */
    refresh_token: string;
    /** @constant */
    token_type: "bearer";
    /** @description Seconds until the access token expires */
    expires_in: number;
    /** Format: uuid */
    tenant_id: string;
    role: Role;
};
export type ToolCall = {
    /** @description Counts the tenant’s calls from 1, without a gap */
    seq: number;
    /** Format: date-time */
    at: string;
    tool: string;
    scope: string | null;
    decision: ToolCallDecision;
    reason: ToolCallDenial | null;
    status: number | null;
    latency_ms: number;
    key_id: string | null;
    user_id: string | null;
    client_name: string | null;
    client_version: string | null;
    arguments_fingerprint: string | null;
    request_id: string;
    /** @description A keyed hash in hex, over this row and the hash of the one before */
    hash: string;
};
/** @enum {string} */
export type ToolCallDecision = "allowed" | "denied" | "asked";
/** @enum {string} */
export type ToolCallDenial = "scope" | "role" | "read_only" | "unknown_tool" | "declined";
export type ToolCallPage = {
    items: ToolCall[];
    page: number;
    per_page: number;
    total: number;
};
export type User = {
    /** Format: uuid */
    id: string;
    email: string;
    role: Role;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type UserCreate = {
    /** Format: email */
    email: string;
    password: string;
    role: Role;
};
export type UserPage = {
    items: User[];
    page: number;
    per_page: number;
    total: number;
};
export type UserUpdate = {
    /** Format: email */
    email?: string;
    password?: string;
    role?: Role;
};
export type ValidationError = {
    detail: Fault[];
};
export type Violation = {
    /** @enum {string} */
    code: "not_approved" | "unknown_field" | "invalid_value" | "pin_not_set";
    /** @description JSON pointer */
    path: string;
    kind: PrimitiveKind | null;
    slug: string | null;
    message: string;
};
export type Website = {
    /** Format: uuid */
    id: string;
    /** Format: uuid */
    tenant_id: string;
    /** Format: uuid */
    customer_id: string;
    /** @description Lower case, without port and trailing dot */
    hostname: string;
    /** Format: date-time */
    created_at: string;
};
export type WebsiteCreate = {
    hostname: string;
};
export type WebsitePage = {
    items: Website[];
    page: number;
    per_page: number;
    total: number;
};
export type WorkerAssignment = {
    /** Format: uuid */
    id: string;
    job_id: string | null;
    site: string | null;
    status: string;
    title: string | null;
    starts_at: string | null;
    ends_at: string | null;
};
export type WorkerCertification = {
    days_left: number | null;
    /** @enum {string} */
    status: "valid" | "expiring" | "expired";
} & {
    [key: string]: unknown;
};
export type WorkerShift = {
    /** Format: uuid */
    id: string;
    job_id: string | null;
    site: string | null;
    status: string;
    /** Format: date-time */
    starts_at: string;
    /** Format: date-time */
    ends_at: string;
};
export type WorkerTimesheet = {
    /** Format: uuid */
    id: string;
    /** Format: date */
    date: string;
    hours: number;
    description: string | null;
    job_id: string | null;
    rate: number | null;
    shift_id: string | null;
    status: TimesheetStatus;
    /** @description future: it was submitted before the day began, by the customer’s time zone; over_24_h: with it and earlier entries that were not rejected, the person’s day has more than 24 hours */
    warnings: ("future" | "over_24_h")[];
};
export type WorkerTimesheetCreate = {
    /**
     * Format: date
     * @description The day that was worked
     */
    date: string;
    /** @description How long */
    hours: number;
    /** @description What was done */
    description?: string | null;
    /** @description What it was for, in an id of your own */
    job_id?: string | null;
    /** @description Pay for an hour */
    rate?: number | null;
    /** @description Which of the worker’s shifts it was; each is submitted once */
    shift_id?: string | null;
};
export type WorkerVerifyRequest = {
    /** @description The channel, as chatapp */
    channel_type: string;
    /** @description The worker’s address there: a phone number, or the channel’s id of the sender */
    channel_address: string;
    /** @description What the worker wrote */
    response: string;
};
export type WorkerVerifyResult = {
    state: BindingState;
    verified: boolean;
    /** Format: uuid */
    person_id: string;
    name: string;
};

/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

export type Activity = {
    /** @description The rows of the page */
    items: ActivityItem[];
    /** @description From a sender’s first unanswered message to the answer, in half of the cases at most; null without an answer */
    answer_seconds_p50: number | null;
};
export type ActivityItem = {
    /**
     * Format: date-time
     * @description When the quarter of an hour, or the hour, begins
     */
    at: string;
    /** @description Messages from senders */
    received: number;
    /** @description Messages that agents wrote */
    by_agent: number;
    /** @description Messages that people wrote */
    by_person: number;
    /** @description Those of agents and people that could not be sent */
    failed: number;
};
/** @enum {string} */
export type ActorKind = "api_key" | "user" | "instance" | "operations" | "anonymous";
export type AgentSecrets = {
    /** @description The key for the service’s internal routes; null where it did not change */
    proxy_key: string | null;
    /** @description By customer: [{provider, name, credentials}] */
    connections: {
        [key: string]: unknown;
    };
};
export type AiDraft = {
    /** @description The name */
    name: string;
    /** @description What it is about, in free words */
    description: string;
    /** @description What the agent is told before a conversation */
    system_prompt: string;
    /** @description Skills, as slugs */
    skills: string[];
    /** @description The channels that the agent serves */
    channel_types: string[];
    /** @description The services whose credentials the agent needs */
    connection_requirements: unknown[];
    /** @description The models that the agent uses */
    model_policy: {
        [key: string]: unknown;
    };
};
export type AiDraftRequest = {
    /** @description What the agent is to do, in a person’s words */
    description: string;
};
export type AnswerCreate = {
    /** @description The words */
    text?: string | null;
    /** @description Up to three answers to tap on, below the text */
    buttons?: MessageButton[] | null;
    /** @description Up to ten answers in a list that opens, below the text */
    options?: MessageOptions | null;
    /** @description A file that was uploaded to this conversation and that no answer has taken; the text is its caption */
    media?: AttachedMedia[] | null;
    /** @description One of the message_ids that were forwarded; null for something that nobody asked */
    in_reply_to?: string | null;
    /** @description The same key again returns the message that there is */
    idempotency_key?: string | null;
    /** @description Tokens that the answer cost */
    usage?: MessageUsage | null;
    /** @description Why a model had no part in the answer, for the people who run the agent; shown as the message’s `error` */
    error?: string | null;
    /** @description The tools that the agent called for it */
    tool_calls?: unknown[] | null;
};
export type ApiKey = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The name */
    name: string;
    /** @description The start of the key, to recognise it by */
    prefix: string;
    /** @description The role */
    role: Role;
    /** @description What the key may do, as resource:verb */
    scopes: string[];
    /** @description Requests that the key may make in a window */
    rate_limit: RateLimit;
    /** @description When it ends; null: never */
    expires_at: string | null;
    /** @description When the key was used last; null: never */
    last_used_at: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type ApiKeyContext = {
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The key that asks; null for a user’s token */
    api_key_id: string | null;
    /** @description The user of the token; null for a key */
    user_id: string | null;
    /** @description The role */
    role: Role;
    /** @description What the key may do, as resource:verb */
    scopes: string[];
};
export type ApiKeyCreate = {
    /** @description The name */
    name: string;
    /** @description What it may do: `resource:verb` as recipes:read, `recipes:*`, or `*`; each operation’s stands in x-scope */
    scopes: string[];
    /** @description The role */
    role?: Role | null;
    /** @description Requests that the key may make in a window */
    rate_limit?: RateLimit | null;
    /** @description When it ends; null: never */
    expires_at?: string | null;
};
export type ApiKeyPage = {
    /** @description The rows of the page */
    items: ApiKey[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ApiKeyRotateRequest = {
    /** @description How long the old key goes on */
    overlap_seconds?: number | null;
};
export type ApiKeyWithSecret = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The name */
    name: string;
    /** @description The start of the key, to recognise it by */
    prefix: string;
    /** @description The role */
    role: Role;
    /** @description What the key may do, as resource:verb */
    scopes: string[];
    /** @description Requests that the key may make in a window */
    rate_limit: RateLimit;
    /** @description When it ends; null: never */
    expires_at: string | null;
    /** @description When the key was used last; null: never */
    last_used_at: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description Shown once */
    key: string;
};
export type Approval = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description Of the instance */
    hostname: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description null where the call belongs to none, or once it was deleted */
    conversation_id: string | null;
    /** @description The gateway name: the server, two underscores, the tool */
    tool: string;
    /** @description Of the call; null once they were erased */
    arguments: {
        [key: string]: unknown;
    } | null;
    /** @description The status */
    status: ApprovalStatus;
    /** @description The result as MCP tells it; null before, or once it was erased */
    result: {
        [key: string]: unknown;
    } | null;
    /**
     * Format: date-time
     * @description When the agent called
     */
    requested_at: string;
    /**
     * Format: date-time
     * @description Until then it waits
     */
    expires_at: string;
    /** @description The person, or the key of a program, that decided */
    decided_by: {
        /**
         * @description The kind of thing it is
         * @enum {string}
         */
        kind: "user" | "api_key";
        /**
         * Format: uuid
         * @description The row’s id
         */
        id: string;
        /** @description The user’s e-mail address, the key’s name; null once it is gone */
        name: string | null;
    } | null;
    /** @description When it was approved or rejected */
    decided_at: string | null;
    /** @description For the agent; null once it was erased */
    comment: string | null;
    /** @description The rule by which it waits; null in calls from before there was this field */
    rule: WaitingRule | null;
    /** @description True in a list whose page has reached 4 MiB: arguments, result and comment are null, and get_approval has them */
    is_shortened: boolean;
};
export type ApprovalDecision = {
    /**
     * @description What was decided about the call
     * @enum {string}
     */
    decision: "approve" | "reject";
    /** @description For the agent */
    comment?: string | null;
};
export type ApprovalOutcome = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The gateway name: the server, two underscores, the tool */
    tool: string;
    /** @description The status */
    status: ApprovalStatus;
    /** @description The result as MCP tells it; null before the call was made, or once it was erased */
    result: {
        [key: string]: unknown;
    } | null;
    /** @description Of the person that decided */
    comment: string | null;
    /**
     * Format: date-time
     * @description Until then it waits
     */
    expires_at: string;
};
export type ApprovalPage = {
    /** @description The rows of the page */
    items: Approval[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type ApprovalStatus = "waiting" | "approved" | "rejected" | "expired" | "failed";
export type Assignment = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The name of the person of the staff; null once erased */
    person_name: string | null;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description A short title */
    title: string | null;
    /** @description Where the work is */
    site: string | null;
    /** @description When it begins */
    starts_at: string | null;
    /** @description When it ends */
    ends_at: string | null;
    /** @description The status */
    status: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type AssignmentCreate = {
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description When it begins */
    starts_at?: string | null;
    /** @description When it ends */
    ends_at?: string | null;
    /** @description The job’s id in another system */
    job_id?: string | null;
    /** @description A short title */
    title?: string | null;
    /** @description Where the work is */
    site?: string | null;
    /** @description The status */
    status?: string | null;
    /**
     * @description Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)
     * @default none
     * @enum {string}
     */
    check?: "none" | "report" | "require";
};
export type AssignmentPage = {
    /** @description The rows of the page */
    items: Assignment[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type AssignmentUpdate = {
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id?: string;
    /** @description When it begins */
    starts_at?: string | null;
    /** @description When it ends */
    ends_at?: string | null;
    /** @description The job’s id in another system */
    job_id?: string | null;
    /** @description A short title */
    title?: string | null;
    /** @description Where the work is */
    site?: string | null;
    /** @description The status */
    status?: string | null;
    /**
     * @description Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)
     * @default none
     * @enum {string}
     */
    check?: "none" | "report" | "require";
};
export type AttachedMedia = {
    /** @description The `media_id` of an upload */
    id: string;
};
export type AuthorityKey = {
    /**
     * Format: uuid
     * @description The key’s id
     */
    id: string;
    /**
     * @description issuing: it signs instances’ certificates
     * @enum {string}
     */
    kind: "root" | "issuing";
    /** @description The serial number of its certificate, in hexadecimal digits */
    serial: string;
    /** @description The key that signed its certificate; null: a root */
    issued_by: string | null;
    /** @description False where the private key is kept elsewhere */
    is_kept_here: boolean;
    /**
     * Format: date-time
     * @description When its certificate begins to be valid
     */
    not_before: string;
    /**
     * Format: date-time
     * @description When its certificate ends
     */
    not_after: string;
    /** @description Since when it signs nothing any more; null: it is at work */
    retired_at: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type AuthorityKeyPage = {
    /** @description The rows of the page */
    items: AuthorityKey[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type Binding = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The name of the person of the staff; null once erased */
    person_name: string | null;
    /** @description The channel of the address */
    channel_type: string;
    /** @description The address within the channel that the person writes from */
    channel_address: string;
    /** @description The state */
    state: BindingState;
    /** @description True while a code is waited for */
    has_code: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
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
    /** @description The rows of the page */
    items: Binding[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type BindingState = "unverified" | "verified" | "rejected";
export type BrowserRefreshRequest = {
    /** @description The tenant’s id */
    tenant_id?: string | null;
};
export type BrowserSession = {
    /** @description A JWT; 15 minutes */
    access_token: string;
    /**
     * @description `bearer`
     * @constant
     */
    token_type: "bearer";
    /** @description Seconds until the access token expires */
    expires_in: number;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The role */
    role: Role;
};
export type BrowserSessionRequest = {
    /** @description E-mail address */
    email: string;
    /** @description The password */
    password: string;
    /** @description The tenant’s id */
    tenant_id?: string | null;
};
export type BrowserTenantRequest = {
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
};
export type Capabilities = {
    /** @description True where the service has a model of its own, which drafts recipes */
    language_model: boolean;
    /** @description The name of that model */
    model: string | null;
    /** @description The version of the service */
    version: string;
    /** @description Where browsers and other people’s programs reach the service */
    base_url: string;
};
export type CapturedRecipe = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description Counts the changes */
    revision: number;
    /** @description The name */
    name: string;
    /** @description What it is about, in free words */
    description: string | null;
    /** @description What the agent is told before a conversation */
    system_prompt: string | null;
    /** @description The kind of runtime that was asked for, of list_manifests */
    manifest_id: string | null;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Deployments that a shared instance takes */
    shared_node_capacity: number;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /** @description True for a template of the platform, which every tenant sees */
    is_platform_template: boolean;
    /** @description The instance that the recipe was saved from; null where it was written */
    source_instance_id: string | null;
    /** @description The onboarding flow that new senders are asked first */
    onboarding_flow_id: string | null;
    /** @description The rules template for customers who have no rules */
    rules_template_id: string | null;
    /** @description What a person has to approve */
    approval_rules: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of the channels */
    channel_config: {
        [key: string]: unknown;
    } | null;
    /** @description Compliance settings */
    compliance_config: {
        [key: string]: unknown;
    } | null;
    /** @description The data that the agent may reach */
    data_access: {
        [key: string]: unknown;
    } | null;
    /** @description The models that the agent uses */
    model_policy: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of modules */
    module_config: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks */
    voice_config: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent serves */
    channel_types: unknown[];
    /** @description The services whose credentials the agent needs */
    connection_requirements: unknown[];
    /** @description MCP servers that the agent may use */
    mcp_servers: unknown[];
    /** @description Skills, as slugs */
    skills: unknown[];
    /** @description What starts the agent by itself */
    trigger_templates: unknown[];
    /** @description Workflows that the agent may start */
    workflow_slugs: unknown[];
    /** @description After so many minutes without message or task its runtime sleeps; null: never */
    idle_minutes: number | null;
    /** @description Programs that run beside the agent */
    sidecars: unknown[];
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Values that were left out because they look secret or personal */
    stripped: StrippedValue[];
};
export type CertificateRenewRequest = {
    /** @description The certificate signing request, in PEM */
    csr_pem: string;
    /** @description The public WireGuard key */
    wg_public_key: string;
    /** @description RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started */
    generation?: number;
};
/** @enum {string} */
export type ChainFault = "row_changed" | "row_missing" | "end_changed";
export type ChainVerification = {
    /** @description True where everything is as it should be */
    valid: boolean;
    /** @description The rows that are as they were written, from the first that is kept on */
    checked: number;
    /** @description The place in the chain of the first row that is not. The place of a tool call is its seq */
    first_invalid: number | null;
    /** @description The first fault that was found; null where the chain is whole */
    fault: ChainFault | null;
    /** @description Of the last row that was checked */
    last_hash: string | null;
};
export type Change = {
    /** @description Greater for a later change; not without gaps */
    seq: number;
    /**
     * Format: date-time
     * @description When it happened
     */
    at: string;
    /** @description The caller that made the change */
    actor: ChangeActor;
    /** @description The operationId */
    operation: string;
    /** @description What was created, else the last id in the path */
    resource_id: string | null;
    /** @description The request’s id, as in X-Request-Id */
    request_id: string;
    /** @description The status */
    status: number;
};
export type ChangeActor = {
    /** @description The kind of thing it is */
    kind: ActorKind;
    /** @description Of the key, the user or the instance */
    id: string | null;
    /** @description A user’s e-mail address, a key’s name or an instance’s hostname; null once it is gone */
    name: string | null;
};
export type ChangePage = {
    /** @description The rows of the page */
    items: Change[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type Channel = "chatapp";
export type ChannelEndpoint = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The channel of the address */
    channel: Channel;
    /** @description The channel’s id of the number */
    phone_number_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The instance’s hostname */
    hostname: string | null;
    /** @description Whose number it is, where the instance is shared */
    customer_id: string | null;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The connection that answers are sent with */
    connection_name: string | null;
    /** @description When the channel last showed the verify token, or a signature by the app secret; to the minute */
    verified_at: string | null;
    /** @description When the last message came; to the second */
    last_received_at: string | null;
    /** @description The address for the channel’s console */
    webhook_url: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type ChannelEndpointCreate = {
    /** @description The channel of the address */
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
    /** @description A customer of the instance: who writes to the number writes to this customer. Required on a shared instance */
    customer_id?: string | null;
    /** @description The customer’s chatapp connection that answers are sent with; without, the oldest one that is active */
    connection_name?: string | null;
};
export type ChannelEndpointPage = {
    /** @description The rows of the page */
    items: ChannelEndpoint[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ChannelEndpointSaved = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The channel of the address */
    channel: Channel;
    /** @description The channel’s id of the number */
    phone_number_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The instance’s hostname */
    hostname: string | null;
    /** @description Whose number it is, where the instance is shared */
    customer_id: string | null;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The connection that answers are sent with */
    connection_name: string | null;
    /** @description When the channel last showed the verify token, or a signature by the app secret; to the minute */
    verified_at: string | null;
    /** @description When the last message came; to the second */
    last_received_at: string | null;
    /** @description The address for the channel’s console */
    webhook_url: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Fields that were taken although they are weak: secrets shorter than 16 characters can be guessed */
    warnings?: string[];
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
    /** @description A customer of the instance: who writes to the number writes to this customer. Required on a shared instance */
    customer_id?: string | null;
    /** @description The customer’s chatapp connection that answers are sent with; without, the oldest one that is active */
    connection_name?: string | null;
};
export type ChannelMessage = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The channel of the address */
    channel: Channel;
    /** @description The channel’s own id */
    message_id: string;
    /** @description The sender */
    external_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The instance’s hostname */
    hostname: string | null;
    /**
     * Format: uuid
     * @description The channel endpoint’s id
     */
    endpoint_id: string;
    /** @description The conversation’s id */
    conversation_id: string | null;
    /** @description The status */
    status: ChannelMessageStatus;
    /** @description Deliveries that were tried */
    attempts: number;
    /** @description Why the last delivery failed; null where it did not */
    last_error: string | null;
    /**
     * Format: date-time
     * @description When it was received
     */
    received_at: string;
    /** @description When it ended; null while it goes on */
    finished_at: string | null;
};
export type ChannelMessagePage = {
    /** @description The rows of the page */
    items: ChannelMessage[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type ChannelMessageStatus = "pending" | "delivered" | "dead";
export type ChannelTemplate = {
    /** @description The `name` to send it with */
    name: string;
    /** @description The language of the template, as the channel names it */
    language: string;
    /** @description The channel’s word: it takes only APPROVED ones */
    status: string;
    /** @description The body, with its places: {{1}}, {{2}} and so on */
    text: string | null;
    /** @description How many places the body has, in which `parameters` are put */
    parameters: number;
};
export type ChannelTemplateList = {
    /** @description The rows of the page */
    items: ChannelTemplate[];
};
export type ChatCompletionRequest = {
    /** @description Used only if the policy allows it */
    model?: string | null;
    /** @description The conversation, in OpenAI’s shape */
    messages: unknown[];
    /** @description Answer with server-sent events */
    stream?: boolean | null;
};
export type CheckedAssignment = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The name of the person of the staff; null once erased */
    person_name: string | null;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description A short title */
    title: string | null;
    /** @description Where the work is */
    site: string | null;
    /** @description When it begins */
    starts_at: string | null;
    /** @description When it ends */
    ends_at: string | null;
    /** @description The status */
    status: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Whether the person may do this work, where `check` asked for it */
    eligibility?: WorkEligibility;
};
export type CheckedShift = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The name of the person of the staff; null once erased */
    person_name: string | null;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description A short title */
    title: string | null;
    /** @description Where the work is */
    site: string | null;
    /**
     * Format: date-time
     * @description When it begins
     */
    starts_at: string;
    /**
     * Format: date-time
     * @description When it ends
     */
    ends_at: string;
    /** @description The status */
    status: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Whether the person may do this work, where `check` asked for it */
    eligibility?: WorkEligibility;
};
export type Cluster = {
    /** @description The cluster’s id */
    id: string;
    /** @description null for `default`, which serves regions without an active one */
    region_id: string | null;
    /**
     * @description `process`: each copy runs its own runtimes
     * @enum {string}
     */
    engine: "process" | "docker" | "kubernetes";
    /** @description False: it gets no new instances */
    is_active: boolean;
    /** @description The instances that it takes; null: any number */
    max_instances: number | null;
    /** @description Its instances that are not terminated */
    instances: number;
    /** @description null where no copy has tried yet, and with `process` */
    reachable: boolean | null;
    /** @description When a copy had its whole list for the last time */
    last_seen_at: string | null;
    /** @description The copy that reconciles it now */
    lease_holder: string | null;
};
export type ClusterDetail = {
    /** @description The cluster’s id */
    id: string;
    /** @description null for `default`, which serves regions without an active one */
    region_id: string | null;
    /**
     * @description `process`: each copy runs its own runtimes
     * @enum {string}
     */
    engine: "process" | "docker" | "kubernetes";
    /** @description False: it gets no new instances */
    is_active: boolean;
    /** @description The instances that it takes; null: any number */
    max_instances: number | null;
    /** @description Its instances that are not terminated */
    instances: number;
    /** @description null where no copy has tried yet, and with `process` */
    reachable: boolean | null;
    /** @description When a copy had its whole list for the last time */
    last_seen_at: string | null;
    /** @description The copy that reconciles it now */
    lease_holder: string | null;
    /** @description Its address; null: that of the settings */
    endpoint: string | null;
    /** @description They are never shown */
    has_credentials: boolean;
    /** @description What pods are like there */
    options: {
        /** @description The namespace that runtimes run in */
        namespace?: string;
        /** @description The runtime class of their pods */
        runtime_class?: string;
        /** @description Labels of the nodes for them */
        node_selector?: {
            [key: string]: string;
        };
        /** @description Taints that they bear */
        tolerations?: ClusterToleration[];
        /** @description The secret with which their images are pulled */
        pull_secret?: string;
        /** @description False: with users of their own (user namespaces), where nodes have them */
        host_users?: boolean;
        /** @description The service account of their pods, which needs no rights; `default` where it is left out */
        service_account?: string;
    };
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type ClusterDrain = {
    /** @description The cluster that they go to; else each goes to an active cluster of its region with room */
    to?: string | null;
    /**
     * @description Also where the cluster is out of reach: its runtimes are left behind, and are refused once they are back
     * @default false
     */
    force?: boolean;
};
export type ClusterDrainResult = {
    /** @description How many instances move; others may follow */
    count: number;
};
export type ClusterPage = {
    /** @description The rows of the page */
    items: Cluster[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ClusterPut = {
    /** @description The region that it serves */
    region_id: string;
    /**
     * @description What runs the runtimes there
     * @enum {string}
     */
    engine: "docker" | "kubernetes";
    /** @description False: it gets no new instances */
    is_active?: boolean;
    /** @description The instances that it takes; null: any number */
    max_instances?: number | null;
    /** @description docker: unix:///… or tcp://…, kubernetes: https://…; null: that of the settings. It is not tried */
    endpoint?: string | null;
    /** @description kubernetes: token and ca, docker: ca, cert and key, which tcp:// requires. Encrypted and never returned */
    credentials?: {
        /** @description kubernetes: the token of a service account */
        token?: string;
        /** @description The authority of its server, PEM */
        ca?: string;
        /** @description docker: the client’s certificate, PEM */
        cert?: string;
        /** @description docker: the certificate’s key, PEM */
        key?: string;
    } | null;
    /** @description Only for kubernetes */
    options?: {
        /** @description The namespace that runtimes run in */
        namespace?: string;
        /** @description The runtime class of their pods */
        runtime_class?: string;
        /** @description Labels of the nodes for them */
        node_selector?: {
            [key: string]: string;
        };
        /** @description Taints that they bear */
        tolerations?: ClusterToleration[];
        /** @description The secret with which their images are pulled */
        pull_secret?: string;
        /** @description False: with users of their own (user namespaces), where nodes have them */
        host_users?: boolean;
        /** @description The service account of their pods, which needs no rights; `default` where it is left out */
        service_account?: string;
    } | null;
};
export type ClusterToleration = {
    /** @description The taint’s key; every one where it is left out */
    key?: string;
    /**
     * @description `Equal` where it is left out
     * @enum {string}
     */
    operator?: "Exists" | "Equal";
    /** @description The taint’s value */
    value?: string;
    /**
     * @description Of the taint
     * @enum {string}
     */
    effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
};
export type ComposeRequest = {
    /**
     * Format: uuid
     * @description The recipe, of list_recipes; needed without `recipe`
     */
    recipe_id?: string;
    /** @description A recipe that is not stored, with the fields of create_recipe, in place of recipe_id */
    recipe?: {
        /** @description What the recipe is called */
        name: string;
        /** @description What the recipe is for, to choose it by */
        description?: string | null;
        /** @description What the agent is told before a conversation */
        system_prompt?: string | null;
        /** @description The kind of runtime, of list_manifests; `reference` applies where nothing is said or there is no such manifest */
        manifest_id?: string | null;
        /** @description Whether an instance serves one customer (dedicated, where nothing is said) or several (shared) */
        hosting_mode?: HostingMode | null;
        /** @description How many deployments a shared instance takes; 50 where nothing is said */
        shared_node_capacity?: number | null;
        /** @description The onboarding flow whose steps new senders are asked first */
        onboarding_flow_id?: string | null;
        /** @description The rules template that a deploy copies to a customer who has no rules */
        rules_template_id?: string | null;
        /** @description What a person or a PIN has to approve: `require`, a list of {tool, by: person or pin, expires_minutes} */
        approval_rules?: {
            [key: string]: unknown;
        } | null;
        /** @description What is said and when: `greeting`, `business_hours`, `away_message`, `burst_seconds`, `echo_minutes` */
        channel_config?: {
            [key: string]: unknown;
        } | null;
        /** @description `retention_days`, `disclaimer` (below the agent’s first answer) and `pin_enforced` */
        compliance_config?: {
            [key: string]: unknown;
        } | null;
        /** @description What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads */
        data_access?: {
            [key: string]: unknown;
        } | null;
        /** @description Which model answers: `model`, `fallback_models`, `allowed_models`, `temperature`, `max_output_tokens` and `budget`; models are held against the approved ones */
        model_policy?: {
            [key: string]: unknown;
        } | null;
        /** @description By the slug of a skill: {"enabled": false} turns it off */
        module_config?: {
            [key: string]: unknown;
        } | null;
        /** @description How the agent speaks, for a runtime whose manifest names the field; the built-in one does nothing with it */
        voice_config?: {
            [key: string]: unknown;
        } | null;
        /** @description The channels that the agent answers in, as "chatapp". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
        channel_types?: unknown[] | null;
        /** @description What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks */
        connection_requirements?: unknown[] | null;
        /** @description The MCP servers whose tools the agent may use: objects {"name": …, "url": …, "provider": …, "allowed_tools": […], "timeout_seconds": …} */
        mcp_servers?: unknown[] | null;
        /** @description What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
        skills?: unknown[] | null;
        /** @description When the agent speaks by itself: `name`, `schedule` (cron), `prompt`, `to` (an address), `template` */
        trigger_templates?: unknown[] | null;
        /** @description Workflows, for a runtime whose manifest names the field; the built-in one has none. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
        workflow_slugs?: unknown[] | null;
        /** @description After so many minutes without message or task its runtime sleeps, and the next message wakes it; null: it never sleeps */
        idle_minutes?: number | null;
        /** @description Processes beside the agent, which no engine starts yet; only `name` is needed */
        sidecars?: Sidecar[] | null;
    };
    /** @description What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting */
    instance_overrides?: {
        [key: string]: unknown;
    } | null;
};
export type ComposeResult = {
    /** @description The recipe’s name */
    template_name: string;
    /** @description The configuration, composed of recipe and overrides */
    resolved_config: {
        [key: string]: unknown;
    };
    /** @description Who acts on what is set, by JSON pointer; one covers everything below it that has no pointer of its own */
    effects: {
        [key: string]: "control_plane" | "runtime" | "nobody";
    };
    /** @description What the recipe may not use, or has wrong, and what a deploy should know of; none of them blocks */
    violations: Violation[];
    /** @description SHA-256 of the plan; a deploy that carries it does exactly this plan */
    plan_hash: string;
    /** @description By JSON pointer; one covers everything below it that has no pointer of its own */
    provenance: {
        [key: string]: "platform" | "recipe" | "override";
    };
};
export type Connection = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The service that it belongs to */
    provider: string;
    /** @description The name */
    name: string | null;
    /**
     * @description expired also while the channel refuses the credentials
     * @enum {string}
     */
    status: "active" | "expired" | "revoked";
    /** @description Why the channel refused the credentials */
    last_error: string | null;
    /** @description When it ends; null: never */
    expires_at: string | null;
    /** @description The hosts of MCP servers that the gateway sends the credentials to */
    allowed_hosts: string[];
    /**
     * Format: date-time
     * @description When it was made
     */
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
    /** @description The hosts of MCP servers that the gateway may send the credentials to, as `mcp.example.com`, or with a port for that port alone; none by default */
    allowed_hosts?: string[] | null;
};
export type ConnectionPage = {
    /** @description The rows of the page */
    items: Connection[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
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
    /** @description The hosts of MCP servers that the gateway may send the credentials to, as `mcp.example.com`, or with a port for that port alone; none by default */
    allowed_hosts?: string[] | null;
};
export type Conversation = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The instance’s */
    hostname: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The channel of the address */
    channel: string;
    /**
     * @description A group is read and answered by people alone
     * @enum {string}
     */
    kind: "direct" | "group";
    /** @description The address with which it began: the user id where both came first; of a group its id */
    external_id: string;
    /** @description Each phone number and user id that the channel told for the sender */
    addresses: string[];
    /** @description null where the sender is not known to the customer */
    identity_id: string | null;
    /** @description The member of the staff whose verified address it is */
    person_id: string | null;
    /** @description That person’s name */
    person_name: string | null;
    /** @description As the channel tells it, else the identity’s, else the person’s name */
    display_name: string | null;
    /** @description agent: the agent answers; human: a person does */
    mode: ConversationMode;
    /** @description When the mode `human` began; null while the agent answers */
    human_since: string | null;
    /** @description When the mode `human` ends by itself */
    human_until: string | null;
    /** @description By whom it was taken over, or answered first; null after a handover that nobody has answered */
    taken_by: ConversationTaker | null;
    /** @description Why the agent handed over, as long as it is kept */
    handover_reason: string | null;
    /** @description Incoming messages since the last answer */
    unanswered: number;
    /** @description When the oldest of them was written; null without one */
    waiting_since: string | null;
    /** @description Until then the channel takes free text, afterwards only templates; null in a channel without such an end */
    reply_until: string | null;
    /** @description Replies that were kept under a name */
    attributes: {
        [key: string]: unknown;
    };
    /** @description The latest message */
    last_message: {
        /** @description Who wrote it: the sender, the agent, a person or the service */
        author: MessageAuthor;
        /** @description The words */
        text: string | null;
        /**
         * Format: date-time
         * @description When it happened
         */
        at: string;
    } | null;
    /**
     * Format: date-time
     * @description When the latest message came or went
     */
    last_message_at: string;
    /** @description When the newest content is erased; null once nothing is kept */
    retention_until: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
/** @enum {string} */
export type ConversationMode = "agent" | "human";
export type ConversationPage = {
    /** @description The rows of the page */
    items: Conversation[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
    /** @description `before` of the next page; null when nothing is further back */
    next_before: string | null;
};
export type ConversationTaker = {
    /**
     * @description channel: a colleague who writes on the phone of the number
     * @enum {string}
     */
    kind: "user" | "key" | "channel";
    /** @description Of the user or the API key; null for channel */
    id: string | null;
    /** @description The e-mail address of the user, the name of the key; null once erased */
    name: string | null;
};
export type ConversationUpdate = {
    /** @description agent: the agent answers; human: a person does */
    mode: ConversationMode;
    /** @description After so many minutes the mode `human` ends by itself; without, when a person ends it */
    minutes?: number | null;
    /** @description Of a takeover: the id in `taken_by` as it was seen, null for none; 412 if it is another one by now */
    expect_taken_by?: string | null;
};
export type CountedDemand = {
    /** @description What the reasons call it */
    id: string;
    /**
     * @description What is demanded
     * @enum {string}
     */
    kind: "skill" | "certification" | "induction" | "role" | "tier" | "on_shift" | "assigned" | "any_of";
    /** @description A text, which is compared without case, or the least tier */
    value?: string | number | null;
    /** @description The requirement’s key, or `request` */
    source: string;
    /** @description Of which one is enough */
    any_of?: DemandAlternative[];
};
export type CreatedCustomer = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description E-mail address */
    email: string | null;
    /** @description What the customer is called */
    company_name: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type CreatedTenant = {
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description null until the invitation is accepted */
    admin_user_id: string | null;
    /** @description Shown once; 7 days; accepted once */
    invitation_token?: string;
    /**
     * Format: date-time
     * @description When the invitation ends
     */
    expires_at?: string;
};
export type Customer = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description E-mail address */
    email: string | null;
    /** @description What the customer is called */
    company_name: string | null;
    /** @description ISO 3166-1 alpha-2 */
    country_code: string | null;
    /** @description ISO 4217 */
    currency: string | null;
    /** @description IANA time zone */
    timezone: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description Instances that serve the customer and are not terminated */
    instance_count: number;
    /** @description Instances that run */
    running_instance_count: number;
    /** @description Subscriptions of every status */
    subscription_count: number;
    /** @description Subscriptions whose status is active; a trial is not */
    active_subscription_count: number;
    /** @description The status of the newest subscription; null without one */
    latest_subscription_status: SubscriptionStatus | null;
};
export type CustomerBudget = {
    /** @description US dollars per month, decimal text; null for no such limit */
    monthly_cost: string | null;
    /** @description Tokens per month, input and output together; null for no such limit */
    monthly_tokens: number | null;
    /** @description US dollars of this month’s calls, decimal text */
    spent_cost: string;
    /** @description Tokens of this month’s calls */
    spent_tokens: number;
    /**
     * Format: date-time
     * @description When the next month begins, in UTC
     */
    resets_at: string;
};
export type CustomerBudgetPut = {
    /** @description US dollars per month, a number or decimal text; null for no such limit */
    monthly_cost?: (number | string) | null;
    /** @description Tokens per month, input and output together; null for no such limit */
    monthly_tokens?: number | null;
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
    /** @description The configuration of the customer, merged for its agent */
    config: {
        [key: string]: unknown;
    };
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description IANA: whose days and hours the customer’s are */
    timezone: string;
    /** @description The customer’s rules; the texts of `instructions` are what the model is told beside the system prompt */
    rules: {
        [key: string]: unknown;
    };
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
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description E-mail address */
    email: string | null;
    /** @description What the customer is called */
    company_name: string | null;
    /** @description ISO 3166-1 alpha-2 */
    country_code: string | null;
    /** @description ISO 4217 */
    currency: string | null;
    /** @description IANA time zone */
    timezone: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description Instances that serve the customer and are not terminated */
    instance_count: number;
    /** @description Instances that run */
    running_instance_count: number;
    /** @description Subscriptions of every status */
    subscription_count: number;
    /** @description Subscriptions whose status is active; a trial is not */
    active_subscription_count: number;
    /** @description The status of the newest subscription; null without one */
    latest_subscription_status: SubscriptionStatus | null;
    /** @description BCP 47 */
    locale: string | null;
    /** @description The customer’s id at a payment service */
    payments_customer_id: string | null;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The instances that serve the customer */
    instances: CustomerInstance[];
    /** @description The customer’s subscriptions */
    subscriptions: Subscription[];
};
export type CustomerInstance = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The status */
    status: string;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description The hostname */
    hostname: string;
    /** @description The recipe’s name */
    template_name: string;
    /** @description The region’s id */
    region_id: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type CustomerPage = {
    /** @description The rows of the page */
    customers: Customer[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
    /** @description The number of pages */
    total_pages: number;
};
export type CustomerStaffPage = {
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
    /** @description The rows of the page */
    staff: CustomerStaffRecord[];
};
export type CustomerStaffRecord = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The name */
    name: string;
    /** @description E-mail address */
    email: string | null;
    /** @description Telephone number */
    phone: string | null;
    /** @description The role */
    role: StaffRole;
    /** @description Skills, as slugs */
    skills: string[];
    /** @description Certificates of the person, with their ends */
    certifications: unknown[];
    /** @description Sites that the person was introduced to, with their ends */
    inductions: unknown[];
    /** @description The person’s rank */
    tier: number;
    /** @description The status */
    status: StaffStatus;
    /** @description When the person can work, in free words */
    availability_notes: string | null;
    /** @description The person’s id in another system */
    external_id: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
};
export type CustomerStaffWithExpiringCerts = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The name */
    name: string;
    /** @description E-mail address */
    email: string | null;
    /** @description Telephone number */
    phone: string | null;
    /** @description The role */
    role: StaffRole;
    /** @description Skills, as slugs */
    skills: string[];
    /** @description Certificates of the person, with their ends */
    certifications: unknown[];
    /** @description Sites that the person was introduced to, with their ends */
    inductions: unknown[];
    /** @description The person’s rank */
    tier: number;
    /** @description The status */
    status: StaffStatus;
    /** @description When the person can work, in free words */
    availability_notes: string | null;
    /** @description The person’s id in another system */
    external_id: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description Certificates that end soon */
    expiring_certifications: ({
        /** @description Days until it ends */
        days_left: number;
    } & {
        [key: string]: unknown;
    })[];
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
export type Demand = {
    /**
     * @description skill, certification, induction and role take a text, tier the least one (1 to 5), on_shift and assigned nothing
     * @enum {string}
     */
    kind?: "skill" | "certification" | "induction" | "role" | "tier" | "on_shift" | "assigned";
    /** @description A text, which is compared without case, or the least tier */
    value?: string | number | null;
    /** @description Instead of `kind`: demands of which one is enough */
    any_of?: DemandAlternative[];
};
export type DemandAlternative = {
    /**
     * @description skill, certification, induction and role take a text, tier the least one (1 to 5), on_shift and assigned nothing
     * @enum {string}
     */
    kind: "skill" | "certification" | "induction" | "role" | "tier" | "on_shift" | "assigned";
    /** @description A text, which is compared without case, or the least tier */
    value?: string | number | null;
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
    /** @description The recipe’s name */
    template_name: string;
    /** @description The configuration, composed of recipe and overrides */
    resolved_config: {
        [key: string]: unknown;
    };
    /** @description Who acts on what is set, by JSON pointer; one covers everything below it that has no pointer of its own */
    effects: {
        [key: string]: "control_plane" | "runtime" | "nobody";
    };
    /** @description What the recipe may not use, or has wrong, and what a deploy should know of; none of them blocks */
    violations: Violation[];
    /** @description SHA-256 of the plan; a deploy that carries it does exactly this plan */
    plan_hash: string;
    /** @description True where nothing is missing */
    ready: boolean;
    /** @description Connections that the customer lacks */
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
    /** @description The manifest, of list_manifests, in place of the recipe’s */
    manifest_id?: string | null;
    /** @description What check_deploy answered: exactly that plan is deployed, or nothing */
    plan_hash?: string | null;
};
export type DeployResult = {
    /** @description The instance’s id */
    instance_id: string | null;
    /** @description The task’s id */
    task_id: string | null;
    /** @description The key of the deploy; made where the request had none */
    idempotency_key: string;
    /** @description The recipe’s name */
    template_name: string;
    /** @description True where nothing is missing */
    ready: boolean;
    /** @description Connections that the customer lacks */
    missing_connections: MissingConnection[];
    /** @description What the recipe may not use, or has wrong, and what a deploy should know of; none of them blocks */
    violations: Violation[];
};
export type Detail = {
    /** @description What is wrong, in words */
    detail: string;
};
export type DomainResolution = {
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s e-mail address */
    customer_email: string | null;
    /** @description The company’s name, else the e-mail address */
    display_name: string | null;
};
export type DriveFile = {
    /** @description The row’s id */
    id: string;
    /** @description The name */
    name: string;
    /** @description The media type */
    mime_type: string;
    /** @description Bytes */
    size: number | null;
    /** @description When the file was changed last */
    modified_at: string | null;
    /** @description The folder that the file stands in */
    folder_id: string | null;
    /** @description The file’s address in the web */
    web_url: string | null;
};
export type DriveFileContent = {
    /** @description The row’s id */
    id: string;
    /** @description The name */
    name: string;
    /** @description Of the content: what a document was exported to */
    mime_type: string;
    /** @description Bytes of the content */
    size: number | null;
    /**
     * @description How the content is written: as text, or in base64
     * @enum {string}
     */
    encoding: "utf-8" | "base64";
    /** @description The file’s content, in the encoding named beside it */
    content: string;
};
export type DriveSearchResult = {
    /** @description The files that were found */
    files: DriveFile[];
};
export type EligibilityAlternative = {
    /**
     * @description Why, as a word
     * @enum {string}
     */
    code: "status_not_active" | "skill_missing" | "tier_too_low" | "role_not_allowed" | "certification_missing" | "certification_expired" | "certification_expires_during" | "certification_not_yet_valid" | "induction_missing" | "induction_expired" | "induction_expires_during" | "induction_not_yet_valid" | "not_on_shift" | "on_shift_elsewhere" | "not_assigned" | "assigned_elsewhere" | "none_of";
    /** @description Which of `demands` is not met; null for the status */
    demand_id: string | null;
    /** @description The value of the demand; of the status the status, but not to runtimes */
    value: string | number | null;
    /** @description Since when; null where no record tells */
    since: string | null;
    /** @description When it ends by itself; null where it does not */
    until: string | null;
    /** @description Why, in words */
    message: string;
    /** @description Words for the change that makes this reason go */
    remedy: string;
};
export type EligibilityAnswer = {
    /**
     * Format: date-time
     * @description The first moment of the time that was asked
     */
    from: string;
    /**
     * Format: date-time
     * @description The moment at which it ends
     */
    to: string;
    /** @description Of the customer, in which days count */
    timezone: string;
    /**
     * Format: date-time
     * @description When it was computed
     */
    evaluated_at: string;
    /** @description All that count, by requirement, then those of the request */
    demands: CountedDemand[];
    /** @description People, whatever is shown */
    totals: EligibilityTotals;
    /** @description Those of the page: who is eligible first, then by name */
    people: EligiblePerson[];
    /** @description What of the question is doubtful */
    warnings: ("site_unknown" | "job_unknown" | "type_unknown" | "no_demands" | "past")[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description People of all pages */
    total: number;
};
export type EligibilityReason = {
    /**
     * @description Why, as a word
     * @enum {string}
     */
    code: "status_not_active" | "skill_missing" | "tier_too_low" | "role_not_allowed" | "certification_missing" | "certification_expired" | "certification_expires_during" | "certification_not_yet_valid" | "induction_missing" | "induction_expired" | "induction_expires_during" | "induction_not_yet_valid" | "not_on_shift" | "on_shift_elsewhere" | "not_assigned" | "assigned_elsewhere" | "none_of";
    /** @description Which of `demands` is not met; null for the status */
    demand_id: string | null;
    /** @description The value of the demand; of the status the status, but not to runtimes */
    value: string | number | null;
    /** @description Since when; null where no record tells */
    since: string | null;
    /** @description When it ends by itself; null where it does not */
    until: string | null;
    /** @description Why, in words */
    message: string;
    /** @description Words for the change that makes this reason go */
    remedy: string;
    /** @description Of none_of: why each of its demands is not met */
    alternatives?: EligibilityAlternative[];
};
export type EligibilityRequest = {
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
    /** @description Beside those of the requirements that count */
    demands?: Demand[];
    /** @description These people alone; everybody where nothing is said */
    person_ids?: string[];
    /**
     * @description Which people of the answer
     * @default all
     * @enum {string}
     */
    show?: "all" | "eligible" | "ineligible";
    /**
     * @description Which page, from 1
     * @default 1
     */
    page?: number;
    /**
     * @description People of a page
     * @default 50
     */
    per_page?: number;
};
/** @description People, whatever is shown */
export type EligibilityTotals = {
    /** @description People who may */
    eligible: number;
    /** @description People who may not */
    ineligible: number;
    /** @description People of whom nothing is demanded */
    unknown: number;
};
export type EligiblePerson = {
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The name */
    name: string;
    /** @description null where nothing is demanded, so nobody can be called eligible */
    eligible: boolean | null;
    /** @description All of them: the status first, then in the order of `demands` */
    reasons: EligibilityReason[];
    /** @description When the first of the records that count ends; null without an end, and where not eligible */
    eligible_until: string | null;
    /** @description The first moment from which the records as they are meet every demand; null where time alone does not help */
    unblocks_at: string | null;
};
export type EnrollRequest = {
    /** @description The one-time token that the instance was given */
    enrollment_token: string;
    /** @description The certificate signing request, in PEM */
    csr_pem: string;
    /** @description WireGuard, 32 bytes in base64 */
    wg_public_key: string;
    /** @description The instance’s address in the tunnel */
    vpn_ip: string;
    /** @description RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started */
    generation?: number;
};
export type EnrollmentToken = {
    /** @description Shown once */
    enrollment_token: string;
    /** @description The instance’s address in the tunnel */
    vpn_ip: string;
    /**
     * Format: date-time
     * @description When it ends; null: never
     */
    expires_at: string;
};
export type EventDelivery = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The `webhook-id` that the receiver gets, each time the same
     */
    event_id: string;
    /** @description The kind of the event */
    type: string;
    /** @description The status */
    status: EventDeliveryStatus;
    /** @description Calls that ended */
    attempts: number;
    /** @description When it is tried next, at the earliest; null once it is over */
    next_attempt_at: string | null;
    /** @description The status of the last answer; null without one */
    last_status: number | null;
    /** @description The status of the last answer, or timeout, unreachable, not_public, unreadable, overflow, switched_off */
    last_error: string | null;
    /**
     * Format: date-time
     * @description When it happened
     */
    at: string;
};
export type EventDeliveryPage = {
    /** @description The rows of the page */
    items: EventDelivery[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type EventDeliveryStatus = "pending" | "delivered" | "failed";
export type EventEndpoint = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description Where events are sent; of chats the host alone, because the address is a credential. null where it cannot be deciphered */
    url: string | null;
    /** @description The kinds that it is told of; `*` is all */
    events: string[];
    /** @description What it is for */
    description: string | null;
    /** @description `standard`, `slack` or `teams` */
    format: string;
    /** @description False: nothing is sent, and nothing is kept for it */
    is_active: boolean;
    /** @description When it last took an event */
    last_delivered_at: string | null;
    /** @description Since then: the status of the last answer, or why there was none, or why it was switched off */
    last_error: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type EventEndpointCreate = {
    /**
     * Format: http-url
     * @description An https URL of a public address; encrypted
     */
    url: string;
    /** @description The kinds that it is told of; `*` is all, those of later versions included */
    events: WantedEvent[];
    /** @description What it is for */
    description?: string | null;
    /**
     * @description How events are written; default: standard
     * @enum {string}
     */
    format?: "standard" | "slack" | "teams";
    /** @description False: nothing is sent, and nothing is kept for it */
    is_active?: boolean;
};
export type EventEndpointPage = {
    /** @description The rows of the page */
    items: EventEndpoint[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type EventEndpointUpdate = {
    /**
     * Format: http-url
     * @description An https URL of a public address; encrypted
     */
    url?: string;
    /** @description The kinds that it is told of; `*` is all, those of later versions included */
    events?: WantedEvent[];
    /** @description What it is for */
    description?: string | null;
    /**
     * @description How events are written; default: standard
     * @enum {string}
     */
    format?: "standard" | "slack" | "teams";
    /** @description False: nothing is sent, and nothing is kept for it */
    is_active?: boolean;
};
export type EventEndpointWithSecret = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description Where events are sent; of chats the host alone, because the address is a credential. null where it cannot be deciphered */
    url: string | null;
    /** @description The kinds that it is told of; `*` is all */
    events: string[];
    /** @description What it is for */
    description: string | null;
    /** @description `standard`, `slack` or `teams` */
    format: string;
    /** @description False: nothing is sent, and nothing is kept for it */
    is_active: boolean;
    /** @description When it last took an event */
    last_delivered_at: string | null;
    /** @description Since then: the status of the last answer, or why there was none, or why it was switched off */
    last_error: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Checks signatures (Standard Webhooks); shown once */
    signing_secret: string;
};
export type EventSecretRotateRequest = {
    /** @description How long the former secret signs as well */
    overlap_seconds?: number | null;
};
export type Fault = {
    /** @description The place of the fault: path, query, header or body, then field by field */
    loc: string[];
    /** @description What is wrong, in words */
    msg: string;
    /** @description The kind of fault, by the names of Pydantic */
    type: string;
};
export type FleetRestart = {
    /** @description Only those of this cluster */
    cluster_id?: string | null;
    /** @description Only those that run with this manifest */
    manifest_id?: string | null;
    /** @description Only those of this tenant */
    tenant_id?: string | null;
    /**
     * @description How many restart at the same time
     * @default 10
     */
    at_once?: number;
};
export type FleetRestartResult = {
    /** @description How many instances restart */
    count: number;
};
export type FoundItem = {
    /**
     * @description `person`: of a customer’s staff
     * @enum {string}
     */
    kind: "customer" | "person" | "instance" | "recipe" | "conversation";
    /**
     * Format: uuid
     * @description The id of what was found
     */
    id: string;
    /** @description A company, a person, a hostname, a recipe, or a sender’s name or address */
    name: string;
    /** @description An address, a status or a description */
    detail: string | null;
    /** @description The customer’s id */
    customer_id?: string | null;
};
export type FoundItems = {
    /** @description The rows of the page */
    items: FoundItem[];
};
export type HandedOver = {
    /**
     * Format: uuid
     * @description The conversation’s id
     */
    conversation_id: string;
    /** @description agent: the agent answers; human: a person does */
    mode: string;
    /** @description When the agent takes over again; null: when a person says so */
    human_until: string | null;
};
export type Handover = {
    /** @description What the person should know; neither the sender nor the agent reads it */
    reason?: string | null;
};
export type Health = {
    /**
     * @description The status
     * @constant
     */
    status: "ok";
};
export type Host = {
    /**
     * Format: uuid
     * @description The copy’s own id, which it keeps in its data directory
     */
    id: string;
    /**
     * @description dead: not seen for 30 seconds
     * @enum {string}
     */
    state: "alive" | "dead";
    /**
     * Format: date-time
     * @description When it was last seen
     */
    seen_at: string;
    /** @description Instances whose runtime it is responsible for */
    instances: number;
};
export type HostCounts = {
    /** @description Copies of the service that run runtimes */
    alive: number;
    /** @description Copies that were not seen for 30 seconds */
    dead: number;
};
export type HostPage = {
    /** @description The rows of the page */
    items: Host[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type HostingMode = "dedicated" | "shared";
export type Identity = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The channel of the address */
    channel: string;
    /** @description The address within the channel, or the id in another system */
    external_id: string;
    /** @description The name to show */
    display_name: string | null;
    /** @description A role in place of the one that the agent would give */
    role_override: string | null;
    /** @description True where it was proven */
    verified: boolean;
    /** @description Replies to onboarding steps, by the name that each is kept as: 4,096 characters of each, and the newest up to 32 KiB together */
    attributes: {
        [key: string]: unknown;
    };
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
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
    /** @description The channel of the address */
    channel: string;
    /** @description The address within the channel, or the id in another system */
    external_id: string;
    /**
     * Format: uuid
     * @description The identity’s id
     */
    identity_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s e-mail address */
    customer_email: string | null;
    /** @description The name to show */
    display_name: string | null;
    /** @description A role in place of the one that the agent would give */
    role_override: string | null;
    /** @description True where it was proven */
    verified: boolean;
};
export type IdentityPage = {
    /** @description The rows of the page */
    items: Identity[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
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
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description Whom it was made for; null once the customer was erased */
    customer_id: string | null;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description The recipe’s revision */
    recipe_revision: number;
    /** @description The recipe’s name */
    template_name: string;
    /**
     * Format: uuid
     * @description The tier’s id
     */
    tier_id: string;
    /** @description The region’s id */
    region_id: string;
    /** @description The cluster that its runtime runs on */
    cluster_id: string;
    /** @description The hostname */
    hostname: string;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Deployments that a shared instance takes */
    shared_node_capacity: number;
    /** @description Deployments that it serves now */
    deployment_count: number;
    /** @description The kind of runtime that was asked for, of list_manifests */
    manifest_id: string | null;
    /** @description The status */
    status: InstanceStatus;
    /** @description The instance’s address in the tunnel */
    tunnel_address: string | null;
    /** @description The runtime of the instance */
    runtime: RuntimeState;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description What the recipe is called now */
    recipe_name: string | null;
    /** @description The recipe’s revision now; null once it was deleted */
    latest_revision: number | null;
    /** @description Why it failed, while it is failed */
    last_error: string | null;
    /** @description What is unfinished; null where nothing is */
    task: InstanceTask | null;
};
export type InstanceBudget = {
    /** @description US dollars per month, decimal text; null for no such limit */
    monthly_cost: string | null;
    /** @description Tokens per month, input and output together; null for no such limit */
    monthly_tokens: number | null;
    /**
     * @description Whose calls count: the instance’s, or all those of its customer
     * @enum {string}
     */
    per: "instance" | "customer";
    /** @description US dollars of this month’s calls that count, decimal text */
    spent_cost: string;
    /** @description Tokens of this month’s calls that count */
    spent_tokens: number;
    /**
     * Format: date-time
     * @description When the next month begins, in UTC
     */
    resets_at: string;
};
export type InstanceCounts = {
    /** @description Instances that wait to be provisioned */
    pending: number;
    /** @description Instances that are being provisioned */
    provisioning: number;
    /** @description Instances that run */
    running: number;
    /** @description Instances that are stopped */
    stopped: number;
    /** @description Instances that failed */
    failed: number;
    /** @description Instances that are being ended */
    terminating: number;
    /** @description Instances that have ended */
    terminated: number;
};
export type InstanceDeployment = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description null once the customer was erased */
    customer_id: string | null;
    /** @description The customer’s e-mail address */
    customer_email: string | null;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description What the recipe is called now */
    recipe_name: string | null;
    /** @description The recipe’s revision */
    recipe_revision: number;
    /** @description The hostname */
    hostname: string;
    /** @description The overrides that the customer was deployed with */
    instance_overrides: {
        [key: string]: unknown;
    } | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type InstanceDeploymentPage = {
    /** @description The rows of the page */
    items: InstanceDeployment[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type InstanceDetail = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description Whom it was made for; null once the customer was erased */
    customer_id: string | null;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description The recipe’s revision */
    recipe_revision: number;
    /** @description The recipe’s name */
    template_name: string;
    /**
     * Format: uuid
     * @description The tier’s id
     */
    tier_id: string;
    /** @description The region’s id */
    region_id: string;
    /** @description The cluster that its runtime runs on */
    cluster_id: string;
    /** @description The hostname */
    hostname: string;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Deployments that a shared instance takes */
    shared_node_capacity: number;
    /** @description Deployments that it serves now */
    deployment_count: number;
    /** @description The kind of runtime that was asked for, of list_manifests */
    manifest_id: string | null;
    /** @description The status */
    status: InstanceStatus;
    /** @description The instance’s address in the tunnel */
    tunnel_address: string | null;
    /** @description The runtime of the instance */
    runtime: RuntimeState;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description What the recipe is called now */
    recipe_name: string | null;
    /** @description The recipe’s revision now; null once it was deleted */
    latest_revision: number | null;
    /** @description Why it failed, while it is failed */
    last_error: string | null;
    /** @description What is unfinished; null where nothing is */
    task: InstanceTask | null;
    /** @description What the configuration lets it spend on models in a month */
    budget: InstanceBudget;
    /** @description How the servers of the agent’s tools were found the last time */
    mcp_servers: ToolServer[];
    /** @description The configuration, composed of recipe and overrides */
    resolved_config: {
        [key: string]: unknown;
    };
    /** @description Where each part of the configuration comes from, by JSON pointer */
    provenance: {
        [key: string]: unknown;
    };
    /** @description Who acted on what at its deploy or last upgrade; null where an earlier version of the service deployed it */
    effects: {
        [key: string]: "control_plane" | "runtime" | "nobody";
    } | null;
};
export type InstanceDrift = {
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description The recipe’s revision that the instance was deployed with */
    deployed_revision: number;
    /** @description null when the recipe was deleted */
    current_revision: number | null;
    /** @description True where the instance differs from what its recipe would give now */
    drifted: boolean;
    /** @description The differences, by JSON pointer */
    changes: {
        /** @description JSON pointer to the place */
        pointer: string;
        /** @description A string or an object */
        deployed: unknown;
        /** @description A string or an object */
        current: unknown;
    }[];
};
export type InstanceEvent = {
    /** @description The row’s id */
    id: number;
    /**
     * Format: date-time
     * @description When it happened
     */
    at: string;
    /** @description The state before */
    from: InstanceStatus | null;
    /** @description The state after */
    to: InstanceStatus;
    /** @description The step of the work */
    step: string | null;
    /** @description What happened, in words */
    message: string | null;
};
export type InstanceEventPage = {
    /** @description The rows of the page */
    items: InstanceEvent[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type InstanceModel = {
    /** @description The model’s name */
    id: string;
    /** @description model */
    object: string;
    /** @description 0 */
    created: number;
    /** @description Always this service */
    owned_by: string;
    /** @description As the catalogue has them: a runtime may show pictures to a model with `vision` */
    capabilities: string[];
};
export type InstanceModels = {
    /** @description list */
    object: string;
    /** @description The models */
    data: InstanceModel[];
};
export type InstancePage = {
    /** @description The rows of the page */
    items: Instance[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type InstanceStatus = "pending" | "provisioning" | "running" | "stopped" | "failed" | "terminating" | "terminated";
export type InstanceTask = {
    /**
     * Format: uuid
     * @description The task’s id
     */
    id: string;
    /** @description The kind of thing it is */
    kind: TaskKind;
    /** @description The status */
    status: TaskStatus;
    /** @description The step that it is at, or ended at */
    step: string | null;
    /** @description Percent */
    progress: number;
};
export type Invitation = {
    /** @description Shown once; 7 days; accepted once */
    invitation_token: string;
    /**
     * Format: date-time
     * @description When it ends; null: never
     */
    expires_at: string;
};
export type InvitationAcceptance = {
    /** @description The token of the invitation */
    invitation_token: string;
    /** @description The password */
    password?: string | null;
};
export type InvitationCreate = {
    /**
     * Format: email
     * @description E-mail address
     */
    email: string;
    /** @description The role */
    role: Role;
};
export type IssuedCertificate = {
    /** @description The certificate, in PEM */
    cert_pem: string;
    /** @description 32 hexadecimal digits */
    cert_serial: string;
    /**
     * Format: date-time
     * @description When the certificate begins
     */
    not_before: string;
    /**
     * Format: date-time
     * @description When it ends; null: never
     */
    expires_at: string;
    /**
     * Format: date-time
     * @description From when on the certificate should be renewed
     */
    renew_after: string;
    /** @description What the control plane’s own certificate is checked against */
    ca_pem: string;
};
export type IssuingCertificate = {
    /** @description Serial number of the issuing certificate */
    issuing_certificate_serial: string;
    /**
     * Format: date-time
     * @description When the certificate ends
     */
    not_after: string;
};
export type ItemFault = {
    /** @description The row’s place in the request, from 0 */
    index: number;
    /** @description The place of the fault: path, query, header or body, then field by field */
    loc: string[];
    /** @description What is wrong, in words */
    msg: string;
    /** @description The kind of fault, by the names of Pydantic */
    type: string;
};
export type JsonRpcError = {
    /** @description As JSON-RPC and MCP number it */
    code: number;
    /** @description What is wrong, in words */
    message: string;
    /** @description Details, where there are any */
    data?: unknown;
};
export type JsonRpcRequest = {
    /**
     * @description The version of JSON-RPC
     * @constant
     */
    jsonrpc: "2.0";
    /** @description Comes back with the answer; a notification has none */
    id?: string | number;
    /** @description As tools/list or tools/call */
    method: string;
    /** @description The parameters of the method */
    params?: {
        [key: string]: unknown;
    };
};
export type JsonRpcResponse = {
    /**
     * @description The version of JSON-RPC
     * @constant
     */
    jsonrpc: "2.0";
    /** @description The request’s; null where the error belongs to none */
    id: (string | number) | null;
    /** @description The result of the method */
    result?: {
        [key: string]: unknown;
    };
    /** @description Why it failed; null where it did not */
    error?: JsonRpcError;
};
export type ListedBudget = {
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description US dollars per month, decimal text; null for no such limit */
    monthly_cost: string | null;
    /** @description Tokens per month, input and output together; null for no such limit */
    monthly_tokens: number | null;
    /** @description US dollars of this month’s calls, decimal text */
    spent_cost: string;
    /** @description Tokens of this month’s calls */
    spent_tokens: number;
    /**
     * Format: date-time
     * @description When the next month begins, in UTC
     */
    resets_at: string;
};
export type ListedBudgetPage = {
    /** @description The rows of the page */
    items: ListedBudget[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ListedRecipe = Recipe | RecipeSummary;
export type LiveInstanceCounts = {
    /** @description Instances that wait to be provisioned */
    pending: number;
    /** @description Instances that are being provisioned */
    provisioning: number;
    /** @description Instances that run */
    running: number;
    /** @description Instances that are stopped */
    stopped: number;
    /** @description Instances that failed */
    failed: number;
    /** @description Instances that are being ended */
    terminating: number;
};
export type LlmFailure = {
    /** @description What is wrong, in words */
    detail: string;
    /** @description As OpenAI’s API says it: message, type, param, code; with the provider’s status and words */
    error: {
        [key: string]: unknown;
    };
};
export type LlmProvider = {
    /** @description The short name */
    slug: string;
    /** @description An OpenAI-compatible endpoint */
    base_url: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type LlmProviderCheck = {
    /** @description Whether it answered */
    ok: boolean;
    /** @description How long it took, in milliseconds */
    latency_ms: number;
    /** @description Why it does not answer, without its key */
    error: string | null;
};
export type LlmProviderModel = {
    /** @description As `model` of a call names it */
    id: string;
};
export type LlmProviderModels = {
    /** @description The rows of the page */
    items: LlmProviderModel[];
};
export type LlmProviderPage = {
    /** @description The rows of the page */
    items: LlmProvider[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type LlmProviderPut = {
    /**
     * Format: http-url
     * @description An OpenAI-compatible endpoint, as https://api.openai.com/v1
     */
    base_url: string;
    /** @description Its key, encrypted and never returned; empty for an endpoint without one */
    api_key: string;
};
export type LogLine = {
    /** @description Grows from line to line */
    id: number;
    /**
     * Format: date-time
     * @description When it arrived
     */
    at: string;
    /** @description Without secrets; cut off after 4,000 characters */
    line: string;
};
export type LogLines = {
    /** @description The rows of the page */
    items: LogLine[];
};
export type LogLinesCreate = {
    /** @description Lines without their ends, oldest first; each is cut off after 4,000 characters */
    lines: string[];
};
export type LogLinesKept = {
    /** @description How many lines were kept */
    kept: number;
};
export type LoginRequest = {
    /** @description E-mail address */
    email: string;
    /** @description The password */
    password: string;
    /** @description The tenant’s id */
    tenant_id?: string | null;
};
export type Manifest = {
    /** @description The id that a recipe’s or a deploy’s `manifest_id` names */
    id: string;
    /** @description The name */
    name: string;
    /** @description What the model can do, as the catalogue names it */
    capabilities: ManifestCapabilities;
    /** @description False: it is not chosen any more; instances that run by it stay */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type ManifestCapabilities = {
    /** @description The fields of a recipe that the runtime acts on, by their names */
    fields: ("system_prompt" | "manifest_id" | "onboarding_flow_id" | "rules_template_id" | "approval_rules" | "channel_config" | "compliance_config" | "data_access" | "model_policy" | "module_config" | "voice_config" | "channel_types" | "connection_requirements" | "mcp_servers" | "skills" | "trigger_templates" | "workflow_slugs" | "idle_minutes" | "sidecars")[];
    /** @description The slugs of the skills that it has */
    skills: string[];
    /** @description The slugs of the channels that it answers in */
    channels: string[];
};
export type ManifestPage = {
    /** @description The rows of the page */
    items: Manifest[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ManifestPut = {
    /** @description What people call it; the id where nothing was ever said */
    name?: string;
    /** @description The container image: what the other engines start */
    image?: string | null;
    /** @description The program, which must not be empty, then its arguments: what the engine `process` starts */
    command?: string[] | null;
    /** @description The image of each sidecar, by the name that a recipe’s `sidecars` call it in `runtime` */
    sidecar_images?: {
        [key: string]: string;
    } | null;
    /** @description The runtime reaches public addresses by a proxy, where it has a network of its own; nothing else outside of it */
    internet?: boolean;
    /** @description What the model can do, as the catalogue names it */
    capabilities?: ManifestCapabilities;
    /** @description False: it is not chosen any more */
    is_active?: boolean;
};
export type McpAnswer = JsonRpcResponse | JsonRpcResponse[];
export type McpCall = JsonRpcRequest | JsonRpcRequest[];
export type Me = {
    /** @description The signed-in user */
    user: {
        /**
         * Format: uuid
         * @description The row’s id
         */
        id: string;
        /** @description E-mail address */
        email: string;
    };
    /** @description The tenant of the token */
    tenant: {
        /**
         * Format: uuid
         * @description The row’s id
         */
        id: string;
        /** @description The name */
        name: string;
    };
    /** @description The role */
    role: Role;
    /** @description The tenants that the user belongs to */
    memberships: Membership[];
    /** @description The service’s own */
    capabilities: Capabilities;
};
export type Media = {
    /** @description The row’s id */
    id: string;
    /** @description The media type */
    mime_type: string | null;
    /** @description Bytes, where the channel tells */
    size: number | null;
    /** @description The file’s name */
    filename?: string;
};
export type Membership = {
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The tenant’s name */
    tenant_name: string;
    /** @description The role */
    role: Role;
};
export type Message = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description Grows with each change of a message, of its status too: the stream’s event id, so the greatest one of a page follows it */
    change: number;
    /**
     * Format: uuid
     * @description The conversation’s id
     */
    conversation_id: string;
    /**
     * @description in: from the sender; out: to the sender
     * @enum {string}
     */
    direction: "in" | "out";
    /** @description Who wrote it: the sender, the agent, a person or the service */
    author: MessageAuthor;
    /** @description The user who wrote it, where a person did */
    user_id: string | null;
    /** @description That user; of a takeover whoever has the conversation then */
    user: MessageUser | null;
    /** @description The API key in the place of a user */
    key: MessageKey | null;
    /** @description text, image, audio, edit, template, handover (why the agent handed over), takeover (who has it from then on), … */
    kind: string;
    /** @description null where there is none, or once it was erased */
    text: string | null;
    /** @description The files of the message */
    media: Media[];
    /** @description Answers to tap on; empty without */
    buttons: MessageButton[];
    /** @description Answers in a list that opens */
    options: MessageOptions | null;
    /** @description The message that it answers or reacts to */
    quoted: QuotedMessage | null;
    /** @description The ad, post or product that it comes from */
    referral: MessageReferral | null;
    /** @description The emoji of a reaction */
    reaction: MessageReaction | null;
    /** @description In a group: the name or address of the member who wrote it */
    said_by: string | null;
    /** @description The status */
    status: MessageStatus;
    /** @description Why it waits or failed */
    error: string | null;
    /**
     * Format: date-time
     * @description When it was written
     */
    at: string;
    /** @description Tokens that the answer cost */
    usage: MessageUsage | null;
    /** @description The tools that the agent called for it */
    tool_calls: unknown[];
};
/** @enum {string} */
export type MessageAuthor = "sender" | "agent" | "person" | "system";
export type MessageButton = {
    /** @description Comes back as `reply_id` of a tap */
    id: string;
    /** @description Comes back as the text of a tap */
    title: string;
};
export type MessageCreate = {
    /** @description The words */
    text?: string | null;
    /** @description A template that the channel has approved, in place of text */
    template?: MessageTemplate | null;
    /** @description Up to three answers to tap on, below the text */
    buttons?: MessageButton[] | null;
    /** @description Up to ten answers in a list that opens, below the text */
    options?: MessageOptions | null;
    /** @description A file that was uploaded to this conversation and that no answer has taken; the text is its caption */
    media?: AttachedMedia[] | null;
    /** @description The same key again returns the message that there is */
    idempotency_key?: string | null;
};
export type MessageKey = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The key’s name; null once erased */
    name: string | null;
};
export type MessageOption = {
    /** @description Comes back as `reply_id` of a tap */
    id: string;
    /** @description Comes back as the text of a tap */
    title: string;
    /** @description A line below the title */
    description?: string | null;
};
export type MessageOptions = {
    /** @description The word that opens the list */
    button: string;
    /** @description The rows of the page */
    items: MessageOption[];
};
export type MessagePage = {
    /** @description The rows of the page */
    items: Message[];
    /** @description `before` of the page further back; null when nothing is further back */
    next_before: string | null;
};
export type MessageReaction = {
    /** @description null: the sender has taken it back */
    emoji: string | null;
};
export type MessageReferral = {
    /** @description Of the ad or post from which the sender came */
    headline: string | null;
    /** @description Of the ad or post */
    body: string | null;
    /** @description The channel’s id of the ad or post */
    source_id: string | null;
    /** @description The product of the catalogue that the sender asks about */
    product_id: string | null;
};
/** @enum {string} */
export type MessageStatus = "pending" | "handled" | "dead" | "queued" | "sent" | "delivered" | "read" | "failed";
export type MessageTemplate = {
    /** @description The name */
    name: string;
    /** @description The language of the template, as the channel names it */
    language: string;
    /** @description The texts of the template’s places, in their order; left out where it has none */
    parameters?: string[] | null;
};
export type MessageUsage = {
    /** @description The model that answered */
    model?: string;
    /** @description Input tokens */
    input_tokens?: number;
    /** @description Input tokens that the provider had cached */
    cached_input_tokens?: number;
    /** @description Output tokens */
    output_tokens?: number;
};
export type MessageUser = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The e-mail address; null once erased */
    name: string | null;
};
export type MissingConnection = {
    /** @description The service that it belongs to */
    provider: string;
    /** @description The name */
    name: string | null;
    /**
     * @description Why
     * @enum {string}
     */
    reason: "missing" | "expired" | "revoked";
};
export type Model = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The model’s key in the catalogue */
    model_id: string;
    /** @description The short name */
    slug: string;
    /** @description The name to show */
    display_name: string;
    /** @description The service that it belongs to */
    provider: string | null;
    /** @description The kind of input and output, as text */
    modality: string | null;
    /** @description The wire format in which the model is called */
    api_format: string | null;
    /** @description What the model can do, as the catalogue names it */
    capabilities: string[];
    /** @description The longest input and output together, in tokens */
    context_window: number | null;
    /** @description The longest output, in tokens */
    max_output_tokens: number | null;
    /** @description Output tokens per second, as usually seen */
    typical_tps: number | null;
    /** @description How fast the model is, in words */
    speed_tier: string | null;
    /** @description US dollars per million input tokens */
    cost_input_per_mtok: string | null;
    /** @description US dollars per million cached input tokens */
    cost_cached_input_per_mtok: string | null;
    /** @description US dollars per million output tokens */
    cost_output_per_mtok: string | null;
    /** @description US dollars per minute of a transcribed recording */
    cost_audio_per_minute: string | null;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /** @description True where the provider will withdraw it */
    is_deprecated: boolean;
};
export type ModelCall = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: date-time
     * @description When it began
     */
    at: string;
    /** @description The model that the recipe’s policy or the caller named */
    asked_model: string;
    /** @description The model that answered */
    model: string;
    /** @description The slug of the provider */
    provider: string;
    /** @description The status */
    status: ModelCallStatus;
    /** @description Input tokens */
    input_tokens: number;
    /** @description Input tokens that the provider had cached */
    cached_input_tokens: number;
    /** @description Output tokens */
    output_tokens: number;
    /** @description Seconds of a transcribed recording */
    audio_seconds: number;
    /** @description The provider told no tokens */
    estimated: boolean;
    /** @description US dollars, decimal text; null where the model has no price, and while it runs */
    cost: string | null;
    /** @description How long it took; null while it runs */
    latency_ms: number | null;
};
export type ModelCallPage = {
    /** @description The rows of the page */
    items: ModelCall[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type ModelCallStatus = "running" | "ok" | "failed" | "aborted";
export type ModelEntry = {
    /** @description The model’s key in the catalogue */
    model_id: string;
    /** @description The short name */
    slug?: string;
    /** @description The name to show */
    display_name?: string;
    /** @description The service that it belongs to */
    provider?: string | null;
    /** @description The kind of input and output, as text */
    modality?: string | null;
    /** @description The wire format in which the model is called */
    api_format?: string | null;
    /** @description What the model can do, as the catalogue names it */
    capabilities?: string[] | null;
    /** @description The longest input and output together, in tokens */
    context_window?: number | null;
    /** @description The longest output, in tokens */
    max_output_tokens?: number | null;
    /** @description Output tokens per second, as usually seen */
    typical_tps?: number | null;
    /** @description How fast the model is, in words */
    speed_tier?: string | null;
    /** @description US dollars per million input tokens */
    cost_input_per_mtok?: string | null;
    /** @description US dollars per million cached input tokens */
    cost_cached_input_per_mtok?: string | null;
    /** @description US dollars per million output tokens */
    cost_output_per_mtok?: string | null;
    /** @description US dollars per minute of a transcribed recording */
    cost_audio_per_minute?: string | null;
    /** @description False where it is not used for new work */
    is_active?: boolean;
    /** @description True where the provider will withdraw it */
    is_deprecated?: boolean;
    /** @description Where the facts come from */
    source?: string | null;
    /** @description The day on which the facts were looked up */
    observed_on?: string | null;
};
export type ModelPage = {
    /** @description The rows of the page */
    items: Model[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ModelsPut = {
    /** @description The entries of the catalogue */
    models: ModelEntry[];
} | ModelEntry[];
export type ModelsPutResult = {
    /** @description Entries that were made or changed */
    upserted: number;
};
export type Need = {
    /** @description The kind of thing it is */
    kind: NeedKind;
    /** @description How many cases of the kind there are */
    count: number;
    /** @description Since when the most urgent case wants somebody */
    since: string | null;
    /** @description Until when it can be seen to: the end of free text, of a wait or of validity */
    until: string | null;
    /**
     * Format: uuid
     * @description The conversation (also of a failed message), approval, instance, connection, dead message, timesheet, or the person with the certificate
     */
    id: string;
    /** @description What it is about: a sender, a tool, a hostname, a connection or a person */
    title: string;
    /** @description More of it: an error, a channel, hours or the certificate; never content */
    detail: string | null;
    /** @description The instance’s id */
    instance_id: string | null;
    /** @description The hostname */
    hostname: string | null;
    /** @description The customer’s id */
    customer_id: string | null;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
};
/** @enum {string} */
export type NeedKind = "waiting_conversation" | "waiting_approval" | "failed_instance" | "expired_connection" | "failed_message" | "dead_message" | "submitted_timesheet" | "expiring_connection" | "expiring_cert";
export type NotEligible = {
    /** @description What is wrong, in words */
    detail: string;
    /** @description Why not, every reason */
    reasons?: EligibilityReason[];
};
export type OnboardingFlow = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The name */
    name: string;
    /** @description What is asked, in its order */
    steps: OnboardingStep[];
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type OnboardingFlowCreate = {
    /** @description What the flow is called */
    name: string;
    /** @description In the order in which they are asked */
    steps: OnboardingStep[];
};
export type OnboardingFlowPage = {
    /** @description The rows of the page */
    items: OnboardingFlow[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type OnboardingFlowUpdate = {
    /** @description What the flow is called */
    name?: string;
    /** @description In the order in which they are asked */
    steps?: OnboardingStep[];
};
export type OnboardingStep = {
    /** @description What the sender is asked or told; the next step waits for a reply to it */
    text: string;
    /** @description The name of the attribute that the reply is kept as */
    save_as?: string | null;
};
export type OpenInvitation = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description E-mail address */
    email: string;
    /** @description The role */
    role: Role;
    /** @description The user, key or operator that invited; null in invitations from before there was this field */
    created_by: {
        /**
         * @description The kind of thing it is
         * @enum {string}
         */
        kind: "user" | "api_key" | "operations";
        /** @description The row’s id */
        id: string | null;
        /** @description The user’s e-mail address, the key’s name; null once it is gone, and for the operator */
        name: string | null;
    } | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description From then on nobody can accept it
     */
    expires_at: string;
};
export type OpenInvitationPage = {
    /** @description The rows of the page */
    items: OpenInvitation[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type OpenMessageCounts = {
    /** @description Messages that wait for an agent; at most 100000 are counted, as of each status */
    pending: number;
    /** @description Messages that wait for the channel */
    queued: number;
    /** @description Received messages that were given up */
    dead: number;
    /** @description Messages that could not be sent */
    failed: number;
};
export type OperatorInstance = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description Whom it was made for; null once the customer was erased */
    customer_id: string | null;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description The recipe’s revision */
    recipe_revision: number;
    /** @description The recipe’s name */
    template_name: string;
    /**
     * Format: uuid
     * @description The tier’s id
     */
    tier_id: string;
    /** @description The region’s id */
    region_id: string;
    /** @description The cluster that its runtime runs on */
    cluster_id: string;
    /** @description The hostname */
    hostname: string;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Deployments that a shared instance takes */
    shared_node_capacity: number;
    /** @description Deployments that it serves now */
    deployment_count: number;
    /** @description The kind of runtime that was asked for, of list_manifests */
    manifest_id: string | null;
    /** @description The status */
    status: InstanceStatus;
    /** @description The instance’s address in the tunnel */
    tunnel_address: string | null;
    /** @description The runtime of the instance */
    runtime: RuntimeState;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The copy of the service, or the cluster’s own id for this, that is responsible for its runtime; null: none */
    host_id: string | null;
};
export type OperatorInstancePage = {
    /** @description The rows of the page */
    items: OperatorInstance[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type OperatorManifest = {
    /** @description The id that a recipe’s or a deploy’s `manifest_id` names */
    id: string;
    /** @description The name */
    name: string;
    /** @description What the model can do, as the catalogue names it */
    capabilities: ManifestCapabilities;
    /** @description False: it is not chosen any more; instances that run by it stay */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description The program, which must not be empty, then its arguments: what the engine `process` starts */
    command: string[] | null;
    /** @description The container image: what the other engines start */
    image: string | null;
    /** @description The image of each sidecar, by the name that a recipe’s `sidecars` call it in `runtime` */
    sidecar_images: {
        [key: string]: string;
    } | null;
    /** @description The runtime reaches public addresses by a proxy, where it has a network of its own; nothing else outside of it */
    internet: boolean;
};
export type OperatorManifestPage = {
    /** @description The rows of the page */
    items: OperatorManifest[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type OperatorMessage = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The conversation’s id */
    conversation_id: string | null;
    /**
     * @description in: from the sender; out: to the sender
     * @enum {string}
     */
    direction: "in" | "out";
    /** @description The channel of the address */
    channel: string;
    /** @description The status */
    status: OperatorMessageStatus;
    /** @description Deliveries that were tried */
    attempts: number;
    /** @description Why the last delivery failed; null where it did not */
    last_error: string | null;
    /**
     * Format: date-time
     * @description When it was received
     */
    received_at: string;
    /** @description When it ended; null while it goes on */
    finished_at: string | null;
};
export type OperatorMessagePage = {
    /** @description The rows of the page */
    items: OperatorMessage[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type OperatorMessageStatus = "pending" | "delivered" | "dead" | "queued" | "sent" | "read" | "failed";
export type OperatorOverview = {
    /** @description The version of the service */
    version: string;
    /** @description Tenants, inactive ones too */
    tenants: number;
    /** @description The instances that serve the customer */
    instances: LiveInstanceCounts;
    /** @description Copies of the service, by state */
    hosts: HostCounts;
    /** @description Messages that wait or were given up, by status */
    messages: OpenMessageCounts;
    /** @description Age of the oldest message that an agent should have by now; 0 without one */
    oldest_message_seconds: number;
    /** @description Each kind of job that is due */
    queues: {
        [key: string]: {
            /** @description Jobs that are due and that nobody works on; at most 100000 are counted */
            depth: number;
            /** @description For how long the oldest of them has been due */
            oldest_seconds: number;
        };
    };
    /** @description Certificates that should have been renewed by now */
    certificates_expiring: number;
    /** @description The operator’s model providers */
    providers: ProviderState[];
    /** @description How far runtimes are isolated: on, off or missing: … */
    isolation: string;
    /** @description ok, busy, read_only, full or unreachable */
    database: string;
};
export type OperatorTask = {
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The task’s id
     */
    task_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The kind of thing it is */
    kind: TaskKind;
    /** @description The status */
    status: TaskStatus;
    /** @description The step that it is at, or ended at */
    step: string | null;
    /** @description Percent */
    progress: number;
    /** @description Why it failed; null where it did not */
    error: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description When it ended; null while it goes on */
    finished_at: string | null;
};
export type OperatorTaskPage = {
    /** @description The rows of the page */
    items: OperatorTask[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type OverviewMonth = {
    /**
     * Format: date
     * @description The first day of this month, in UTC
     */
    from: string;
    /** @description US dollars, decimal text; null where no call has a price */
    cost: string | null;
    /** @description The tenant’s limit of a month at the operator’s providers, in US dollars */
    limit: number | null;
    /** @description Calls of models that have ended */
    calls: number;
    /** @description Those of them that have no price */
    unpriced_calls: number;
};
export type OwnPinSetRequest = {
    /** @description 4 to 12 digits */
    pin: string;
    /** @description In place of X-Pin-Session: the PIN that applies now. A wrong one counts as a wrong attempt */
    current_pin?: string | null;
};
export type PasswordChange = {
    /** @description The password that applies now; may be left out once within an hour of a sign-in by a one-time link */
    current_password?: string;
    /** @description The password that applies from now on */
    new_password: string;
};
export type PasswordReset = {
    /** @description Shown once; 24 hours; used once */
    reset_token: string;
    /**
     * Format: date-time
     * @description When it ends; null: never
     */
    expires_at: string;
};
export type PasswordResetRequest = {
    /** @description The token of the reset */
    reset_token: string;
    /** @description The password */
    password: string;
};
/** @enum {string} */
export type PinAudience = "owner" | "customer" | "all";
export type PinPolicy = {
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The instance’s hostname */
    hostname: string;
    /** @description Whose PIN is asked for */
    pin_applies_to: PinAudience;
    /** @description The skills that need a PIN */
    pin_required_skills: string[];
    /** @description Minutes that a proof lasts */
    pin_session_ttl_minutes: number;
    /** @description true: the service itself asks for X-Pin-Session on the routes of these skills and on changes of a PIN */
    enforced: boolean;
    /** @description true: the internal routes take no call without X-Sender-Token, but for those of the runtime itself */
    require_sender_token: boolean;
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
    /** @description Whether internal calls without a sender’s token are refused, with 403 `sender_token_required` */
    require_sender_token?: boolean | null;
};
export type PinRequirement = {
    /** @description True where a PIN is needed */
    required: boolean;
    /** @description True where a PIN is set */
    has_pin: boolean;
    /** @description This sender can enter no PIN now */
    is_locked: boolean;
    /** @description The skills that need a PIN */
    pin_required_skills: string[];
    /** @description Whose PIN is asked for */
    pin_applies_to: PinAudience;
};
export type PinSession = {
    /** @description True where everything is as it should be */
    valid: boolean;
    /** @description When it ends; null: never */
    expires_at: string | null;
};
export type PinSessionRequest = {
    /** @description The token that a right PIN was answered with */
    session_token: string;
    /** @description What it has to count for; without one, a session for one purpose alone is not valid */
    purpose?: string | null;
};
export type PinSetRequest = {
    /** @description 4 to 12 digits */
    pin: string;
};
export type PinStatus = {
    /** @description True where a PIN is set */
    has_pin: boolean;
    /** @description false after 100 wrong attempts in a row, until a PIN is set anew */
    is_active: boolean;
    /** @description For all, or for anybody whose PIN it is */
    is_locked: boolean;
    /** @description When a PIN is accepted again; null where it is not locked */
    locked_until: string | null;
    /** @description When it was made */
    created_at: string | null;
};
export type PinVerifyRequest = {
    /** @description What does not look like a PIN counts as a wrong one */
    pin: string;
    /** @description The customer’s id */
    customer_id?: string | null;
    /** @description The identity’s id */
    identity_id?: string | null;
    /** @description The slug of the skill, or the tool, that the session is to count for alone; without one it counts for all */
    purpose?: string | null;
};
export type PinVerifyResult = {
    /** @description True where it was proven */
    verified: boolean;
    /** @description Shown once */
    session_token: string | null;
    /** @description Minutes that the proof lasts */
    session_ttl_minutes: number | null;
    /** @description Before the PIN is locked, for this sender or for all */
    remaining_attempts: number;
    /** @description Why the PIN was not accepted */
    error: ("pin_invalid" | "pin_locked" | "pin_not_set") | null;
};
export type PlannedRolloutItem = {
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description Of the instance */
    hostname: string;
    /** @description Where a rollback takes it */
    from_revision: number;
    /** @description From 1 */
    batch: number;
    /** @description The status */
    status: RolloutItemStatus;
    /** @description Why it was skipped, or failed */
    error: string | null;
    /** @description As upgrade_instance with dry_run answers, without the configuration; null where it would be skipped */
    plan: {
        /** @description Of what the instance would get */
        plan_hash: string;
        /** @description True where nothing is missing */
        ready: boolean;
        /** @description Connections that the customer lacks */
        missing_connections: MissingConnection[];
        /** @description What the recipe may not use, or has wrong, and what a deploy should know of; none of them blocks */
        violations: Violation[];
        /** @description The differences, by JSON pointer */
        changes: {
            /** @description JSON pointer to the place */
            pointer: string;
            /** @description A string or an object */
            deployed: unknown;
            /** @description A string or an object */
            current: unknown;
        }[];
    } | null;
};
export type PlaygroundAccepted = {
    /**
     * Format: uuid
     * @description The conversation’s id
     */
    conversation_id: string;
    /**
     * Format: uuid
     * @description The message’s id
     */
    message_id: string;
};
export type PlaygroundMessage = {
    /** @description What is written to the agent; may be left out with reply_id */
    text?: string | null;
    /** @description A tap on the button or option with this id, of one of the last 20 messages; its title is the text */
    reply_id?: string | null;
    /** @description Goes on with a conversation of the playground */
    conversation_id?: string | null;
    /** @description Who writes; on a shared instance it tells the customer */
    identity_id?: string | null;
};
export type Primitive = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The kind of thing it is */
    kind: PrimitiveKind;
    /** @description The short name */
    slug: string;
    /** @description The name to show */
    display_name: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type PrimitiveCreate = {
    /** @description The kind of thing it is */
    kind: PrimitiveKind;
    /** @description The short name */
    slug: string;
    /** @description The name to show */
    display_name?: string | null;
};
/** @enum {string} */
export type PrimitiveKind = "skill" | "channel" | "integration" | "mcp_server" | "workflow" | "model" | "sidecar_runtime";
export type PrimitivePage = {
    /** @description The rows of the page */
    items: Primitive[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ProviderState = {
    /** @description The short name */
    slug: string;
    /** @description True where it answered */
    ok: boolean;
    /**
     * Format: date-time
     * @description When it was asked
     */
    at: string;
    /** @description Why it did not */
    error: string | null;
};
export type ProxyKey = {
    /** @description Shown once */
    proxy_key: string;
};
export type QuotedMessage = {
    /** @description null where it has none or is not kept */
    text: string | null;
    /** @description Who wrote it: the sender, the agent, a person or the service */
    author?: MessageAuthor;
    /**
     * Format: date-time
     * @description When it happened
     */
    at?: string;
};
export type RateLimit = {
    /** @description Requests in the window */
    limit: number;
    /** @description The length of the window, in seconds */
    window_seconds: number;
};
export type Readiness = {
    /**
     * @description The status
     * @constant
     */
    status: "ready";
    /** @description The state of parts that do not stop the service */
    checks: {
        /**
         * @description `busy`: reached, and requests wait for it; `full`: its disk has no room
         * @enum {string}
         */
        database: "ok" | "busy" | "read_only" | "full" | "unreachable";
        /**
         * @description `ahead`: a newer version has migrated, and this one may still run on its schema
         * @enum {string}
         */
        migrations: "applied" | "ahead" | "incompatible" | "unknown";
        /** @description How far runtimes are isolated: on, off or missing: … */
        isolation: string;
    };
};
export type Recipe = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description Counts the changes */
    revision: number;
    /** @description The name */
    name: string;
    /** @description What the recipe is for, to choose it by */
    description: string | null;
    /** @description What the agent is told before a conversation */
    system_prompt: string | null;
    /** @description The kind of runtime that was asked for, of list_manifests */
    manifest_id: string | null;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Deployments that a shared instance takes */
    shared_node_capacity: number;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /** @description True for a template of the platform, which every tenant sees */
    is_platform_template: boolean;
    /** @description The instance that the recipe was saved from; null where it was written */
    source_instance_id: string | null;
    /** @description The onboarding flow that new senders are asked first */
    onboarding_flow_id: string | null;
    /** @description The rules template for customers who have no rules */
    rules_template_id: string | null;
    /** @description What a person has to approve */
    approval_rules: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of the channels */
    channel_config: {
        [key: string]: unknown;
    } | null;
    /** @description Compliance settings */
    compliance_config: {
        [key: string]: unknown;
    } | null;
    /** @description The data that the agent may reach */
    data_access: {
        [key: string]: unknown;
    } | null;
    /** @description The models that the agent uses */
    model_policy: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of modules */
    module_config: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks */
    voice_config: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent serves */
    channel_types: unknown[];
    /** @description The services whose credentials the agent needs */
    connection_requirements: unknown[];
    /** @description MCP servers that the agent may use */
    mcp_servers: unknown[];
    /** @description Skills, as slugs */
    skills: unknown[];
    /** @description What starts the agent by itself */
    trigger_templates: unknown[];
    /** @description Workflows that the agent may start */
    workflow_slugs: unknown[];
    /** @description After so many minutes without message or task its runtime sleeps; null: never */
    idle_minutes: number | null;
    /** @description Programs that run beside the agent */
    sidecars: unknown[];
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
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
    /** @description The kind of runtime, of list_manifests; `reference` applies where nothing is said or there is no such manifest */
    manifest_id?: string | null;
    /** @description Whether an instance serves one customer (dedicated, where nothing is said) or several (shared) */
    hosting_mode?: HostingMode | null;
    /** @description How many deployments a shared instance takes; 50 where nothing is said */
    shared_node_capacity?: number | null;
    /** @description The onboarding flow whose steps new senders are asked first */
    onboarding_flow_id?: string | null;
    /** @description The rules template that a deploy copies to a customer who has no rules */
    rules_template_id?: string | null;
    /** @description What a person or a PIN has to approve: `require`, a list of {tool, by: person or pin, expires_minutes} */
    approval_rules?: {
        [key: string]: unknown;
    } | null;
    /** @description What is said and when: `greeting`, `business_hours`, `away_message`, `burst_seconds`, `echo_minutes` */
    channel_config?: {
        [key: string]: unknown;
    } | null;
    /** @description `retention_days`, `disclaimer` (below the agent’s first answer) and `pin_enforced` */
    compliance_config?: {
        [key: string]: unknown;
    } | null;
    /** @description What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads */
    data_access?: {
        [key: string]: unknown;
    } | null;
    /** @description Which model answers: `model`, `fallback_models`, `allowed_models`, `temperature`, `max_output_tokens` and `budget`; models are held against the approved ones */
    model_policy?: {
        [key: string]: unknown;
    } | null;
    /** @description By the slug of a skill: {"enabled": false} turns it off */
    module_config?: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks, for a runtime whose manifest names the field; the built-in one does nothing with it */
    voice_config?: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent answers in, as "chatapp". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    channel_types?: unknown[] | null;
    /** @description What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks */
    connection_requirements?: unknown[] | null;
    /** @description The MCP servers whose tools the agent may use: objects {"name": …, "url": …, "provider": …, "allowed_tools": […], "timeout_seconds": …} */
    mcp_servers?: unknown[] | null;
    /** @description What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    skills?: unknown[] | null;
    /** @description When the agent speaks by itself: `name`, `schedule` (cron), `prompt`, `to` (an address), `template` */
    trigger_templates?: unknown[] | null;
    /** @description Workflows, for a runtime whose manifest names the field; the built-in one has none. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    workflow_slugs?: unknown[] | null;
    /** @description After so many minutes without message or task its runtime sleeps, and the next message wakes it; null: it never sleeps */
    idle_minutes?: number | null;
    /** @description Processes beside the agent, which no engine starts yet; only `name` is needed */
    sidecars?: Sidecar[] | null;
};
export type RecipeRestore = {
    /** @description Change only a recipe that is still at this revision (412 otherwise) */
    expect_revision?: number | null;
};
export type RecipeRevision = {
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description Counts the changes */
    revision: number;
    /** @description The name */
    name: string;
    /** @description What it is about, in free words */
    description: string | null;
    /** @description What the agent is told before a conversation */
    system_prompt: string | null;
    /** @description The kind of runtime that was asked for, of list_manifests */
    manifest_id: string | null;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Deployments that a shared instance takes */
    shared_node_capacity: number;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /** @description The instance that the recipe was saved from; null where it was written */
    source_instance_id: string | null;
    /** @description The onboarding flow that new senders are asked first */
    onboarding_flow_id: string | null;
    /** @description The rules template for customers who have no rules */
    rules_template_id: string | null;
    /** @description What a person has to approve */
    approval_rules: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of the channels */
    channel_config: {
        [key: string]: unknown;
    } | null;
    /** @description Compliance settings */
    compliance_config: {
        [key: string]: unknown;
    } | null;
    /** @description The data that the agent may reach */
    data_access: {
        [key: string]: unknown;
    } | null;
    /** @description The models that the agent uses */
    model_policy: {
        [key: string]: unknown;
    } | null;
    /** @description Settings of modules */
    module_config: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks */
    voice_config: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent serves */
    channel_types: unknown[];
    /** @description The services whose credentials the agent needs */
    connection_requirements: unknown[];
    /** @description MCP servers that the agent may use */
    mcp_servers: unknown[];
    /** @description Skills, as slugs */
    skills: unknown[];
    /** @description What starts the agent by itself */
    trigger_templates: unknown[];
    /** @description Workflows that the agent may start */
    workflow_slugs: unknown[];
    /** @description After so many minutes without message or task its runtime sleeps; null: never */
    idle_minutes: number | null;
    /** @description Programs that run beside the agent */
    sidecars: unknown[];
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description The person, or the key of a program, that made it; null in revisions from before there was this field */
    created_by: {
        /**
         * @description The kind of thing it is
         * @enum {string}
         */
        kind: "user" | "api_key" | "operations";
        /** @description Of the user or the key */
        id: string | null;
        /** @description The user’s e-mail address, the key’s name; null once it is gone */
        name: string | null;
    } | null;
};
export type RecipeRevisionPage = {
    /** @description The rows of the page */
    items: RecipeRevision[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RecipeSummary = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The name */
    name: string;
    /** @description What it is about, in free words */
    description: string | null;
    /** @description Counts the changes */
    revision: number;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /** @description True for a template of the platform, which every tenant sees */
    is_platform_template: boolean;
    /** @description One customer for an instance, or several */
    hosting_mode: HostingMode;
    /** @description Instances of it that are not terminated */
    live_instances: number;
    /** @description Those of them with an older revision */
    outdated_instances: number;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type RecipeUpdate = {
    /** @description What the recipe is called */
    name?: string;
    /** @description What the recipe is for, to choose it by */
    description?: string | null;
    /** @description What the agent is told before a conversation */
    system_prompt?: string | null;
    /** @description The kind of runtime, of list_manifests; `reference` applies where nothing is said or there is no such manifest */
    manifest_id?: string | null;
    /** @description Whether an instance serves one customer (dedicated, where nothing is said) or several (shared) */
    hosting_mode?: HostingMode | null;
    /** @description How many deployments a shared instance takes; 50 where nothing is said */
    shared_node_capacity?: number | null;
    /** @description The onboarding flow whose steps new senders are asked first */
    onboarding_flow_id?: string | null;
    /** @description The rules template that a deploy copies to a customer who has no rules */
    rules_template_id?: string | null;
    /** @description What a person or a PIN has to approve: `require`, a list of {tool, by: person or pin, expires_minutes} */
    approval_rules?: {
        [key: string]: unknown;
    } | null;
    /** @description What is said and when: `greeting`, `business_hours`, `away_message`, `burst_seconds`, `echo_minutes` */
    channel_config?: {
        [key: string]: unknown;
    } | null;
    /** @description `retention_days`, `disclaimer` (below the agent’s first answer) and `pin_enforced` */
    compliance_config?: {
        [key: string]: unknown;
    } | null;
    /** @description What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads */
    data_access?: {
        [key: string]: unknown;
    } | null;
    /** @description Which model answers: `model`, `fallback_models`, `allowed_models`, `temperature`, `max_output_tokens` and `budget`; models are held against the approved ones */
    model_policy?: {
        [key: string]: unknown;
    } | null;
    /** @description By the slug of a skill: {"enabled": false} turns it off */
    module_config?: {
        [key: string]: unknown;
    } | null;
    /** @description How the agent speaks, for a runtime whose manifest names the field; the built-in one does nothing with it */
    voice_config?: {
        [key: string]: unknown;
    } | null;
    /** @description The channels that the agent answers in, as "chatapp". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    channel_types?: unknown[] | null;
    /** @description What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks */
    connection_requirements?: unknown[] | null;
    /** @description The MCP servers whose tools the agent may use: objects {"name": …, "url": …, "provider": …, "allowed_tools": […], "timeout_seconds": …} */
    mcp_servers?: unknown[] | null;
    /** @description What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    skills?: unknown[] | null;
    /** @description When the agent speaks by itself: `name`, `schedule` (cron), `prompt`, `to` (an address), `template` */
    trigger_templates?: unknown[] | null;
    /** @description Workflows, for a runtime whose manifest names the field; the built-in one has none. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones */
    workflow_slugs?: unknown[] | null;
    /** @description After so many minutes without message or task its runtime sleeps, and the next message wakes it; null: it never sleeps */
    idle_minutes?: number | null;
    /** @description Processes beside the agent, which no engine starts yet; only `name` is needed */
    sidecars?: Sidecar[] | null;
    /** @description An inactive recipe is not deployed */
    is_active?: boolean;
    /** @description Change only a recipe that is still at this revision (412 otherwise) */
    expect_revision?: number | null;
};
export type RefreshTokenRequest = {
    /** @description The token that a login or refresh answered last */
    refresh_token: string;
};
export type Region = {
    /** @description The row’s id */
    id: string;
    /** @description The name */
    name: string;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type RegionDetail = {
    /** @description The row’s id */
    id: string;
    /** @description The name */
    name: string;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Address of the channel’s sending API in the region; null: the channel’s own */
    chatapp_api_base_url: string | null;
};
export type RegionDetailPage = {
    /** @description The rows of the page */
    items: RegionDetail[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RegionPage = {
    /** @description The rows of the page */
    items: Region[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RegionPut = {
    /** @description The name */
    name?: string;
    /** @description Address of the channel’s sending API in the region; null: the channel’s own */
    chatapp_api_base_url?: string | null;
    /** @description False where it is not used for new work */
    is_active?: boolean;
};
export type Requirement = {
    /** @description The name of the requirement */
    key: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The place that it counts for; null for every place */
    site: string | null;
    /** @description The job that it counts for; null for every job */
    job_id: string | null;
    /** @description The title of work that it counts for; null for every title */
    title: string | null;
    /** @description What is demanded; all of it has to be met */
    demands: Demand[];
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type RequirementPage = {
    /** @description The rows of the page */
    items: Requirement[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RequirementPut = {
    /** @description Counts for this place alone */
    site?: string | null;
    /** @description Counts for this job alone */
    job_id?: string | null;
    /** @description Counts for work of this title alone */
    title?: string | null;
    /** @description All have to be met */
    demands: Demand[];
};
export type ResetAccount = {
    /** @description E-mail address */
    email: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
};
export type RewrapResult = {
    /** @description Keys of tenants that were sealed anew */
    tenant_keys: number;
    /** @description Keys of the certificate authority that were sealed anew */
    ca_keys: number;
    /** @description Heads of audit chains that were sealed anew */
    chain_heads: number;
    /** @description Keys of the service itself that were sealed anew */
    service_keys: number;
    /** @description What is not under the current master key. Above 0, call again: a call ends after 20 seconds. */
    remaining: number;
};
/** @enum {string} */
export type Role = "admin" | "member";
export type Rollout = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description What the recipe is called now */
    recipe_name: string | null;
    /** @description The revision that the instances get */
    revision: number;
    /** @description The status */
    status: RolloutStatus;
    /** @description The batch that it is at, from 1 */
    batch: number;
    /** @description Percent of the instances that are reached after each batch */
    batches: number[];
    /** @description Between two batches, and of the watch after the last one */
    pause_seconds: number;
    /** @description What stops the rollout by itself */
    stop_when: {
        /** @description Upgrades that failed */
        failed_upgrades: number;
        /** @description Tries that upgraded runtimes did not take; null: not watched */
        refused_messages: number | null;
        /** @description Calls of models that failed; null: not watched */
        llm_failures: number | null;
    };
    /** @description When the pause ends; null outside of one */
    next_batch_at: string | null;
    /** @description The bound of stop_when that was reached; requested: a caller stopped it; rollback_failed: an instance could not go back */
    stopped_because: ("failed_upgrades" | "refused_messages" | "llm_failures" | "requested" | "rollback_failed") | null;
    /** @description The person, or the key of a program, that began it */
    created_by: {
        /**
         * @description The kind of thing it is
         * @enum {string}
         */
        kind: "user" | "api_key" | "operations";
        /** @description Of the user or the key */
        id: string | null;
        /** @description The user’s e-mail address, the key’s name; null once it is gone */
        name: string | null;
    } | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description When it stopped, succeeded or was rolled back; null before */
    ended_at: string | null;
    /** @description How many of its instances are in each status */
    counts: {
        /** @description Instances whose batch has not begun */
        waiting: number;
        /** @description Instances whose upgrade is under way */
        upgrading: number;
        /** @description Instances that have the revision */
        upgraded: number;
        /** @description Instances whose upgrade failed, or that could not go back */
        failed: number;
        /** @description Instances whose upgrade did not begin */
        skipped: number;
        /** @description Instances that have their former revision again */
        rolled_back: number;
    };
};
export type RolloutDetail = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description What the recipe is called now */
    recipe_name: string | null;
    /** @description The revision that the instances get */
    revision: number;
    /** @description The status */
    status: RolloutStatus;
    /** @description The batch that it is at, from 1 */
    batch: number;
    /** @description Percent of the instances that are reached after each batch */
    batches: number[];
    /** @description Between two batches, and of the watch after the last one */
    pause_seconds: number;
    /** @description What stops the rollout by itself */
    stop_when: {
        /** @description Upgrades that failed */
        failed_upgrades: number;
        /** @description Tries that upgraded runtimes did not take; null: not watched */
        refused_messages: number | null;
        /** @description Calls of models that failed; null: not watched */
        llm_failures: number | null;
    };
    /** @description When the pause ends; null outside of one */
    next_batch_at: string | null;
    /** @description The bound of stop_when that was reached; requested: a caller stopped it; rollback_failed: an instance could not go back */
    stopped_because: ("failed_upgrades" | "refused_messages" | "llm_failures" | "requested" | "rollback_failed") | null;
    /** @description The person, or the key of a program, that began it */
    created_by: {
        /**
         * @description The kind of thing it is
         * @enum {string}
         */
        kind: "user" | "api_key" | "operations";
        /** @description Of the user or the key */
        id: string | null;
        /** @description The user’s e-mail address, the key’s name; null once it is gone */
        name: string | null;
    } | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description When it stopped, succeeded or was rolled back; null before */
    ended_at: string | null;
    /** @description How many of its instances are in each status */
    counts: {
        /** @description Instances whose batch has not begun */
        waiting: number;
        /** @description Instances whose upgrade is under way */
        upgrading: number;
        /** @description Instances that have the revision */
        upgraded: number;
        /** @description Instances whose upgrade failed, or that could not go back */
        failed: number;
        /** @description Instances whose upgrade did not begin */
        skipped: number;
        /** @description Instances that have their former revision again */
        rolled_back: number;
    };
    /** @description A page of its instances, in the order of their batches */
    items: RolloutItem[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RolloutItem = {
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description Of the instance */
    hostname: string;
    /** @description Where a rollback takes it */
    from_revision: number;
    /** @description From 1 */
    batch: number;
    /** @description The status */
    status: RolloutItemStatus;
    /** @description Why it was skipped, or failed */
    error: string | null;
};
/** @enum {string} */
export type RolloutItemStatus = "waiting" | "upgrading" | "upgraded" | "failed" | "skipped" | "rolled_back";
export type RolloutPage = {
    /** @description The rows of the page */
    items: Rollout[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RolloutPlan = {
    /**
     * Format: uuid
     * @description The recipe’s id
     */
    recipe_id: string;
    /** @description What the recipe is called now */
    recipe_name: string | null;
    /** @description The revision that the instances get */
    revision: number;
    /** @description Percent of the instances that are reached after each batch */
    batches: number[];
    /** @description The rows of the page */
    items: PlannedRolloutItem[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RolloutStart = {
    /** @description Which revision of the recipe */
    revision: number;
    /** @description Rising percentages, the last one 100: how much is reached after each batch, rounded up and at least one instance more; 5, 25, 100 where nothing is said */
    batches?: number[] | null;
    /** @description Between two batches, and of the watch after the last one; 300 where nothing is said */
    pause_seconds?: number | null;
    /** @description What stops the rollout by itself. Each instance counts from its upgrade on */
    stop_when?: {
        /** @description So many upgrades failed; 1 where nothing is said */
        failed_upgrades?: number | null;
        /** @description So many tries of messages were not taken by upgraded runtimes */
        refused_messages?: number | null;
        /** @description So many calls of models by upgraded instances failed */
        llm_failures?: number | null;
    } | null;
    /** @description Only answer what would be changed */
    dry_run?: boolean | null;
};
/** @enum {string} */
export type RolloutStatus = "running" | "paused" | "stopped" | "succeeded" | "rolling_back" | "rolled_back";
export type RulesTemplate = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The name */
    name: string;
    /** @description The rules that a customer without any gets */
    rules: {
        [key: string]: unknown;
    };
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type RulesTemplateCreate = {
    /** @description What the template is called */
    name: string;
    /** @description The rules, as a customer has them: an object of at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting */
    rules: {
        [key: string]: unknown;
    };
};
export type RulesTemplatePage = {
    /** @description The rows of the page */
    items: RulesTemplate[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type RulesTemplateUpdate = {
    /** @description What the template is called */
    name?: string;
    /** @description The rules, as a customer has them: an object of at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting */
    rules?: {
        [key: string]: unknown;
    };
};
/** @enum {string} */
export type RuntimeReason = "unschedulable" | "image_pull_failed" | "spec_rejected" | "name_taken" | "start_timeout" | "crashed" | "out_of_memory" | "identity_refused" | "evicted" | "node_lost" | "cluster_unreachable" | "unhealthy";
export type RuntimeState = {
    /**
     * @description The state
     * @enum {string}
     */
    state: "absent" | "starting" | "up" | "unready" | "ending" | "asleep" | "lost";
    /** @description Why */
    reason: RuntimeReason | null;
    /** @description Restarts since the start of this generation */
    restarts: number;
    /** @description Grows with each start */
    generation: number;
    /**
     * Format: date-time
     * @description When this state began
     */
    since: string;
};
export type SecretRefreshRequest = {
    /** @description The instance’s address in the tunnel */
    vpn_ip: string;
    /** @description The public WireGuard key */
    wg_public_key: string;
    /** @description RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started */
    generation?: number;
};
export type SecretRefreshResult = {
    /** @description The secrets that the runtime works with */
    agent_secrets: AgentSecrets;
};
export type Session = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The tenant’s name */
    tenant_name: string;
    /** @description True for the session that asks */
    is_current: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When its tokens were last renewed
     */
    last_used_at: string;
    /**
     * Format: date-time
     * @description When it ends; null: never
     */
    expires_at: string;
};
export type SessionPage = {
    /** @description The rows of the page */
    items: Session[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type Shift = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The name of the person of the staff; null once erased */
    person_name: string | null;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description A short title */
    title: string | null;
    /** @description Where the work is */
    site: string | null;
    /**
     * Format: date-time
     * @description When it begins
     */
    starts_at: string;
    /**
     * Format: date-time
     * @description When it ends
     */
    ends_at: string;
    /** @description The status */
    status: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type ShiftCreate = {
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /**
     * Format: date-time
     * @description When it begins
     */
    starts_at: string;
    /**
     * Format: date-time
     * @description When it ends
     */
    ends_at: string;
    /** @description The job’s id in another system */
    job_id?: string | null;
    /** @description A short title */
    title?: string | null;
    /** @description Where the work is */
    site?: string | null;
    /** @description The status */
    status?: string | null;
    /**
     * @description Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)
     * @default none
     * @enum {string}
     */
    check?: "none" | "report" | "require";
};
export type ShiftPage = {
    /** @description The rows of the page */
    items: Shift[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ShiftUpdate = {
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id?: string;
    /**
     * Format: date-time
     * @description When it begins
     */
    starts_at?: string;
    /**
     * Format: date-time
     * @description When it ends
     */
    ends_at?: string;
    /** @description The job’s id in another system */
    job_id?: string | null;
    /** @description A short title */
    title?: string | null;
    /** @description Where the work is */
    site?: string | null;
    /** @description The status */
    status?: string | null;
    /**
     * @description Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)
     * @default none
     * @enum {string}
     */
    check?: "none" | "report" | "require";
};
export type Sidecar = {
    /** @description The name */
    name: string;
    /** @description The port of the sidecar */
    port?: number | null;
    /** @description The path on the port */
    path?: string | null;
    /** @description How the sidecar is checked */
    health?: unknown;
    /** @description The sidecar’s runtime */
    runtime?: string | null;
} & {
    [key: string]: unknown;
};
export type SignInLink = {
    /** @description Used once, within 15 minutes */
    url: string;
    /**
     * Format: date-time
     * @description When it ends; null: never
     */
    expires_at: string;
};
export type SignInLinkRequest = {
    /** @description The part of the link behind `#token=` */
    token: string;
};
export type StaffCreate = {
    /** @description The name */
    name: string;
    /** @description E-mail address */
    email?: string | null;
    /** @description Telephone number */
    phone?: string | null;
    /** @description The role */
    role?: StaffRole | null;
    /** @description What the person can do, as "forklift"; found without case */
    skills?: string[] | null;
    /** @description Types, also with their end as "first_aid:2027-03-31", or objects {"type": "first_aid", "expires_at": "2027-03-31", …}, whose other fields are your own */
    certifications?: (string | ({
        /** @description The kind of certificate */
        type?: string;
        /** @description The name */
        name?: string;
        /** @description A day, or a time; what has no offset is of the customer’s time zone */
        expires_at?: string | null;
    } & {
        [key: string]: unknown;
    }))[] | null;
    /** @description Sites, also with their end as "Pier 4:2027-03-31", or objects {"site": "Pier 4", "expires_at": …, …}, whose other fields are your own */
    inductions?: (string | ({
        /** @description Where the work is */
        site?: string;
        /** @description The name */
        name?: string;
        /** @description A day, or a time; what has no offset is of the customer’s time zone */
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
export type StaffImportRequest = {
    /** @description Records as create_staff takes them; one with a known external_id changes that record */
    staff: unknown[];
};
export type StaffImportResult = {
    /** @description Rows that were made */
    created: number;
    /** @description Rows that were changed */
    updated: number;
    /** @description The rows that were left out, each with its fault */
    errors: ItemFault[];
};
export type StaffPage = {
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
    /** @description The rows of the page */
    staff: StaffRecord[];
};
export type StaffRecord = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The name */
    name: string;
    /** @description E-mail address */
    email: string | null;
    /** @description Telephone number */
    phone: string | null;
    /** @description The role */
    role: StaffRole;
    /** @description Skills, as slugs */
    skills: string[];
    /** @description Certificates of the person, with their ends */
    certifications: unknown[];
    /** @description Sites that the person was introduced to, with their ends */
    inductions: unknown[];
    /** @description The person’s rank */
    tier: number;
    /** @description The status */
    status: StaffStatus;
    /** @description When the person can work, in free words */
    availability_notes: string | null;
    /** @description The person’s id in another system */
    external_id: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
/** @enum {string} */
export type StaffRole = "employee" | "contractor" | "supplier" | "customer_contact";
/** @enum {string} */
export type StaffStatus = "active" | "inactive" | "on_leave" | "suspended" | "terminated";
export type StaffUpdate = {
    /** @description The name */
    name?: string;
    /** @description E-mail address */
    email?: string | null;
    /** @description Telephone number */
    phone?: string | null;
    /** @description The role */
    role?: StaffRole | null;
    /** @description What the person can do, as "forklift"; found without case */
    skills?: string[] | null;
    /** @description Types, also with their end as "first_aid:2027-03-31", or objects {"type": "first_aid", "expires_at": "2027-03-31", …}, whose other fields are your own */
    certifications?: (string | ({
        /** @description The kind of certificate */
        type?: string;
        /** @description The name */
        name?: string;
        /** @description A day, or a time; what has no offset is of the customer’s time zone */
        expires_at?: string | null;
    } & {
        [key: string]: unknown;
    }))[] | null;
    /** @description Sites, also with their end as "Pier 4:2027-03-31", or objects {"site": "Pier 4", "expires_at": …, …}, whose other fields are your own */
    inductions?: (string | ({
        /** @description Where the work is */
        site?: string;
        /** @description The name */
        name?: string;
        /** @description A day, or a time; what has no offset is of the customer’s time zone */
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
    /** @description The status */
    status?: StaffStatus;
};
export type StaffWithExpiringCerts = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The name */
    name: string;
    /** @description E-mail address */
    email: string | null;
    /** @description Telephone number */
    phone: string | null;
    /** @description The role */
    role: StaffRole;
    /** @description Skills, as slugs */
    skills: string[];
    /** @description Certificates of the person, with their ends */
    certifications: unknown[];
    /** @description Sites that the person was introduced to, with their ends */
    inductions: unknown[];
    /** @description The person’s rank */
    tier: number;
    /** @description The status */
    status: StaffStatus;
    /** @description When the person can work, in free words */
    availability_notes: string | null;
    /** @description The person’s id in another system */
    external_id: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description Certificates that end soon */
    expiring_certifications: ({
        /** @description Days until it ends */
        days_left: number;
    } & {
        [key: string]: unknown;
    })[];
};
export type StartedRollout = RolloutDetail | RolloutPlan;
export type StrippedValue = {
    /** @description JSON pointer into the instance’s resolved configuration */
    pointer: string;
    /**
     * @description The kind of thing it is
     * @enum {string}
     */
    kind: "customer_id" | "api_key" | "phone_number" | "email" | "credential" | "secret" | "instance_id";
};
export type Subscription = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The status */
    status: SubscriptionStatus;
    /** @description The plan’s name */
    plan: string | null;
    /** @description When the paid period ends */
    current_period_end: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type SubscriptionCreate = {
    /** @description The status */
    status: SubscriptionStatus;
    /** @description The plan’s name */
    plan?: string | null;
    /** @description When the paid period ends */
    current_period_end?: string | null;
};
export type SubscriptionPage = {
    /** @description The rows of the page */
    items: Subscription[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type SubscriptionStatus = "trialing" | "active" | "past_due" | "paused" | "canceled";
export type SubscriptionUpdate = {
    /** @description The status */
    status?: SubscriptionStatus;
    /** @description The plan’s name */
    plan?: string | null;
    /** @description When the paid period ends */
    current_period_end?: string | null;
};
export type Task = {
    /**
     * Format: uuid
     * @description The task’s id
     */
    task_id: string;
    /**
     * Format: uuid
     * @description The instance’s id
     */
    instance_id: string;
    /** @description The kind of thing it is */
    kind: TaskKind;
    /** @description The status */
    status: TaskStatus;
    /** @description The step that it is at, or ended at */
    step: string | null;
    /** @description Percent */
    progress: number;
    /** @description Why it failed; null where it did not */
    error: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
    /** @description When it ended; null while it goes on */
    finished_at: string | null;
    /** @description Of the instance */
    hostname: string;
};
export type TaskCancelRequest = {
    /** @description Cancel only while the task is in this status */
    expect_status?: TaskStatus | null;
};
/** @enum {string} */
export type TaskKind = "deploy" | "join" | "leave" | "move" | "restart" | "start" | "stop" | "terminate" | "upgrade";
export type TaskPage = {
    /** @description The rows of the page */
    items: Task[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type TaskStatus = "queued" | "running" | "succeeded" | "failed" | "canceling" | "canceled";
export type Tenant = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The name */
    name: string;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description Its instances that are not terminated */
    instances: number;
    /** @description Its customers */
    customers: number;
    /** @description Its users */
    users: number;
    /** @description What it has spent this month (UTC) at the operator’s model providers: US dollars, decimal text */
    month_cost: string;
};
export type TenantCreate = {
    /** @description The name */
    name: string;
    /**
     * Format: email
     * @description E-mail address of the tenant’s first admin
     */
    admin_email: string;
    /** @description The first admin’s password; without one, an invitation is answered */
    admin_password?: string | null;
    /** @description Refuses the call where a tenant exists already */
    expect_none?: boolean | null;
};
export type TenantDetail = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The name */
    name: string;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /** @description The tenant’s limits, by name */
    limits: TenantLimits;
};
export type TenantLimit = {
    /**
     * @description As the operator sets it
     * @enum {string}
     */
    name: "instances" | "recipes" | "customers" | "staff" | "keys" | "users" | "channel_endpoints" | "monthly_cost" | "starting" | "drive_reads_at_once" | "streams" | "revisions_kept" | "conversations_stored" | "sender_messages" | "stored_mib" | "event_endpoints" | "rules_templates" | "onboarding_flows";
    /** @description The most that there may be; null: any number */
    limit: number | null;
    /** @description How much of it is used; null for drive_reads_at_once and streams, which each copy of the service counts for itself */
    used: number | null;
};
export type TenantLimitList = {
    /** @description The rows of the page */
    items: TenantLimit[];
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
    /** @description USD per month at the operator’s model providers; calls beyond it are refused */
    monthly_cost: number | null;
    /** @description Instances that are provisioned at once; others wait in pending */
    starting: number | null;
    /** @description Files of drives read at once; others wait 5 seconds, then get 429 */
    drive_reads_at_once: number | null;
    /** @description Event streams at once */
    streams: number | null;
    /** @description Revisions kept of a recipe, besides those that an instance runs */
    revisions_kept: number | null;
    /** @description Conversations kept; the longest silent ones go */
    conversations_stored: number | null;
    /** @description Messages of one sender that an agent gets in 10 minutes; further ones are stored as handled */
    sender_messages: number | null;
    /** @description MiB of messages and log lines together, counted every 15 seconds; beyond it people get 403 and runtimes 429, and incoming messages are dead */
    stored_mib: number | null;
    /** @description Event endpoints */
    event_endpoints: number | null;
    /** @description Templates of rules */
    rules_templates: number | null;
    /** @description Onboarding flows */
    onboarding_flows: number | null;
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
    /** @description USD per month at the operator’s model providers; calls beyond it are refused */
    monthly_cost?: number | null;
    /** @description Instances that are provisioned at once; others wait in pending */
    starting?: number | null;
    /** @description Files of drives read at once; others wait 5 seconds, then get 429 */
    drive_reads_at_once?: number | null;
    /** @description Event streams at once */
    streams?: number | null;
    /** @description Revisions kept of a recipe, besides those that an instance runs */
    revisions_kept?: number | null;
    /** @description Conversations kept; the longest silent ones go */
    conversations_stored?: number | null;
    /** @description Messages of one sender that an agent gets in 10 minutes; further ones are stored as handled */
    sender_messages?: number | null;
    /** @description MiB of messages and log lines together, counted every 15 seconds; beyond it people get 403 and runtimes 429, and incoming messages are dead */
    stored_mib?: number | null;
    /** @description Event endpoints */
    event_endpoints?: number | null;
    /** @description Templates of rules */
    rules_templates?: number | null;
    /** @description Onboarding flows */
    onboarding_flows?: number | null;
};
export type TenantOverview = {
    /** @description The instances that serve the customer */
    instances: InstanceCounts;
    /** @description Instances that are not terminated and have an older revision than their recipe */
    outdated_instances: number;
    /** @description Tasks that somebody works on */
    running_tasks: number;
    /** @description Received messages that were given up */
    dead_messages?: number;
    /** @description Numbers that messages are received for */
    channel_endpoints?: number;
    /** @description Messages that could not be sent */
    failed_messages?: number;
    /** @description Conversations that a person has */
    human_conversations?: number;
    /** @description Those of them with a message that nobody answered */
    waiting_conversations?: number;
    /** @description All conversations */
    conversations?: number;
    /** @description Timesheets that wait for a decision */
    submitted_timesheets?: number;
    /** @description Certificates of staff that end within 42 days */
    expiring_certs?: number;
    /** @description Connections that end within 42 days */
    expiring_connections?: number;
    /** @description Connections that have ended, or that the other side refuses */
    expired_connections?: number;
    /** @description Calls of tools that wait for a person */
    waiting_approvals?: number;
    /** @description Customers */
    customers?: number;
    /** @description The tenant’s own recipes */
    recipes?: number;
    /** @description What models cost this month */
    month?: OverviewMonth;
    /** @description The most urgent case of each kind that there is, in the order of the kinds */
    needs: Need[];
};
export type TenantPage = {
    /** @description The rows of the page */
    items: Tenant[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type TenantSwitchRequest = {
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
};
export type TenantUpdate = {
    /** @description The name */
    name?: string;
    /** @description False where it is not used for new work */
    is_active?: boolean;
    /** @description The tenant’s limits, by name */
    limits?: TenantLimitsUpdate;
};
export type Tier = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The name */
    name: string;
    /** @description What it is about, in free words */
    description: string | null;
    /** @description Processor time, in thousandths of a core */
    cpu_millis: number | null;
    /** @description Memory, in MiB */
    memory_mib: number | null;
    /** @description False where it is not used for new work */
    is_active: boolean;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type TierPage = {
    /** @description The rows of the page */
    items: Tier[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type TierPut = {
    /** @description The name */
    name?: string;
    /** @description What it is about, in free words */
    description?: string | null;
    /** @description Processor time, in thousandths of a core */
    cpu_millis?: number | null;
    /** @description Memory, in MiB */
    memory_mib?: number | null;
    /** @description False where it is not used for new work */
    is_active?: boolean;
};
export type Timesheet = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: date
     * @description The day of the work
     */
    date: string;
    /** @description Hours that were worked */
    hours: number;
    /** @description What it is about, in free words */
    description: string | null;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description Pay per hour */
    rate: number | null;
    /** @description The shift’s id */
    shift_id: string | null;
    /** @description The status */
    status: TimesheetStatus;
    /** @description future: it was submitted before the day began, by the customer’s time zone; over_24_h: with it and earlier entries that were not rejected, the person’s day has more than 24 hours */
    warnings: ("future" | "over_24_h")[];
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description null once the staff record was deleted */
    person_id: string | null;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description The name of the person of the staff; null once erased */
    person_name: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type TimesheetPage = {
    /** @description The rows of the page */
    items: Timesheet[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
/** @enum {string} */
export type TimesheetStatus = "submitted" | "approved" | "rejected";
export type TimesheetUpdate = {
    /** @description The status */
    status: TimesheetStatus;
};
export type TimesheetsDecideRequest = {
    /** @description The timesheets; one that is named twice counts once */
    ids: string[];
    /** @description The status */
    status: TimesheetStatus;
};
export type TimesheetsDecideResult = {
    /** @description Rows that were changed */
    updated: number;
    /** @description The timesheets that stayed as they were, each with its fault */
    errors: ItemFault[];
};
export type TokenPair = {
    /** @description A JWT; 15 minutes */
    access_token: string;
    /** @description 30 days; replaced at each use */
    refresh_token: string;
    /**
     * @description `bearer`
     * @constant
     */
    token_type: "bearer";
    /** @description Seconds until the access token expires */
    expires_in: number;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /** @description The role */
    role: Role;
};
export type ToolCall = {
    /** @description Counts the tenant’s calls from 1, without a gap */
    seq: number;
    /**
     * Format: date-time
     * @description When it happened
     */
    at: string;
    /** @description The tool’s name */
    tool: string;
    /** @description The scope that the call needed */
    scope: string | null;
    /** @description What was decided about the call */
    decision: ToolCallDecision;
    /** @description Why */
    reason: ToolCallDenial | null;
    /** @description As the same request over HTTP is answered; null while a person is asked */
    status: number | null;
    /** @description How long it took, in milliseconds */
    latency_ms: number;
    /** @description The key or the user that made the call */
    actor: ToolCallActor;
    /** @description The API key that was used; null for a user */
    key_id: string | null;
    /** @description The user whose token was used; null for a key */
    user_id: string | null;
    /** @description As the client says of itself */
    client_name: string | null;
    /** @description The version that the client says of itself */
    client_version: string | null;
    /** @description A keyed hash in hex: the same for the same arguments of the same tool */
    arguments_fingerprint: string | null;
    /** @description The request’s id, as in X-Request-Id */
    request_id: string;
    /** @description A keyed hash in hex, over this row and the hash of the one before */
    hash: string;
};
export type ToolCallActor = {
    /**
     * @description The kind of thing it is
     * @enum {string}
     */
    kind: "api_key" | "user";
    /** @description The row’s id */
    id: string | null;
    /** @description A user’s e-mail address, a key’s name or an instance’s hostname; null once it is gone */
    name: string | null;
};
/** @enum {string} */
export type ToolCallDecision = "allowed" | "denied" | "asked";
/** @enum {string} */
export type ToolCallDenial = "scope" | "role" | "read_only" | "unknown_tool" | "declined";
export type ToolCallPage = {
    /** @description The rows of the page */
    items: ToolCall[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type ToolProblem = {
    /** @description The server’s own name of it; null where it has none */
    tool: string | null;
    /** @description Why it is not offered */
    reason: string;
};
export type ToolServer = {
    /** @description The name */
    name: string;
    /** @description Whether it answered the last time; null where nobody has asked yet */
    ok: boolean | null;
    /** @description How many tools it offers to the agent; null while it is down */
    tools: number | null;
    /** @description Why it could not be used */
    error: string | null;
    /** @description Tools that the server lists, or the configuration names, and that the agent does not have; the first 50 */
    problems: ToolProblem[];
    /** @description When it was asked */
    at: string | null;
};
export type Trigger = {
    /**
     * Format: uuid
     * @description Of list_instance_deployments
     */
    deployment_id: string;
    /**
     * Format: uuid
     * @description For whom the agent speaks
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description Unique within the deployment; a repeated one has its number behind it */
    name: string;
    /** @description When it is due, as cron writes it */
    schedule: string;
    /** @description The customer’s, in which the schedule is read */
    timezone: string;
    /** @description The address that the agent writes to */
    to: string;
    /** @description When it is due next */
    next_at: string | null;
    /** @description When it was due the last time; null where it never was */
    last_at: string | null;
    /** @description Why it said nothing the last time; null where it did */
    last_error: string | null;
    /** @description True where `to` has written STOP: it says nothing */
    opted_out: boolean;
};
export type TriggerPage = {
    /** @description The rows of the page */
    items: Trigger[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type Unreadiness = {
    /** @description The reason, for a person */
    detail: string;
    /**
     * @description The status
     * @constant
     */
    status: "unready";
    /** @description The state of parts that do not stop the service */
    checks: {
        /**
         * @description `busy`: reached, and requests wait for it; `full`: its disk has no room
         * @enum {string}
         */
        database: "ok" | "busy" | "read_only" | "full" | "unreachable";
        /**
         * @description `ahead`: a newer version has migrated, and this one may still run on its schema
         * @enum {string}
         */
        migrations: "applied" | "ahead" | "incompatible" | "unknown";
        /** @description How far runtimes are isolated: on, off or missing: … */
        isolation: string;
    };
};
export type UpgradeRequest = {
    /** @description Which revision of the recipe; the newest where nothing is said */
    revision?: number | null;
    /** @description In place of the instance’s own overrides, which stay where nothing is said; {} for none. A manifest that the deploy named stays unless the overrides name one. Not for a shared instance */
    instance_overrides?: {
        [key: string]: unknown;
    } | null;
    /** @description What the same request with dry_run answered: exactly that plan is carried out, or nothing */
    plan_hash?: string | null;
    /** @description Only answer what would be changed */
    dry_run?: boolean | null;
};
export type UpgradeResult = {
    /** @description The task to follow; null where nothing was begun */
    task_id: string | null;
    /** @description The recipe’s name */
    template_name: string;
    /** @description The configuration, composed of recipe and overrides */
    resolved_config: {
        [key: string]: unknown;
    };
    /** @description Who acts on what is set, by JSON pointer; one covers everything below it that has no pointer of its own */
    effects: {
        [key: string]: "control_plane" | "runtime" | "nobody";
    };
    /** @description What the recipe may not use, or has wrong, and what a deploy should know of; none of them blocks */
    violations: Violation[];
    /** @description Lets an upgrade do exactly what this answer shows, or nothing */
    plan_hash: string;
    /** @description False where customers lack connections that are newly required */
    ready: boolean;
    /** @description Connections that the customer lacks */
    missing_connections: MissingConnection[];
    /** @description The recipe’s revision that the instance was deployed with */
    deployed_revision: number;
    /** @description The revision that the upgrade leads to */
    revision: number;
    /** @description The differences, by JSON pointer */
    changes: {
        /** @description JSON pointer to the place */
        pointer: string;
        /** @description A string or an object */
        deployed: unknown;
        /** @description A string or an object */
        current: unknown;
    }[];
};
export type UploadedMedia = {
    /**
     * Format: uuid
     * @description For `media` of an answer
     */
    media_id: string;
    /** @description The media type */
    mime_type: string;
    /** @description In bytes */
    size: number;
};
export type Usage = {
    /** @description The rows of the page */
    items: UsageItem[];
    /** @description true: there are more items, of which `total` has the sums; fewer days or groups show all of them */
    truncated: boolean;
    /** @description Rows of all pages */
    total: UsageTotal;
};
export type UsageItem = {
    /**
     * Format: date
     * @description The day, in UTC
     */
    day?: string;
    /** @description The customer; null once it was erased */
    customer_id?: string | null;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name?: string | null;
    /** @description The instance; null for drafts of recipes */
    instance_id?: string | null;
    /** @description Of the instance */
    hostname?: string | null;
    /** @description The model that answered */
    model?: string;
    /** @description The recipe */
    recipe_id?: string | null;
    /** @description What the recipe is called now */
    recipe_name?: string | null;
    /** @description How many calls there were */
    calls: number;
    /** @description Input tokens */
    input_tokens: number;
    /** @description Input tokens that the provider had cached */
    cached_input_tokens: number;
    /** @description Output tokens */
    output_tokens: number;
    /** @description Calls of models without a price, which `cost` leaves out */
    unpriced_calls: number;
    /** @description Calls whose tokens were estimated, because the provider said none */
    estimated_calls: number;
    /** @description Seconds of transcribed recordings */
    audio_seconds: number;
    /** @description US dollars, decimal text, at the catalogue’s prices; null where no model has one, as at your own providers */
    cost: string | null;
};
export type UsageTotal = {
    /** @description How many calls there were */
    calls: number;
    /** @description Input tokens */
    input_tokens: number;
    /** @description Input tokens that the provider had cached */
    cached_input_tokens: number;
    /** @description Output tokens */
    output_tokens: number;
    /** @description Calls of models without a price, which `cost` leaves out */
    unpriced_calls: number;
    /** @description Calls whose tokens were estimated, because the provider said none */
    estimated_calls: number;
    /** @description Seconds of transcribed recordings */
    audio_seconds: number;
    /** @description US dollars, decimal text, at the catalogue’s prices; null where no model has one, as at your own providers */
    cost: string | null;
};
export type User = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description E-mail address */
    email: string;
    /** @description The role */
    role: Role;
    /** @description When the user last signed in to this tenant; null: never */
    last_signed_in_at: string | null;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was changed last
     */
    updated_at: string;
};
export type UserCreate = {
    /**
     * Format: email
     * @description E-mail address
     */
    email: string;
    /** @description The password */
    password: string;
    /** @description The role */
    role: Role;
};
export type UserPage = {
    /** @description The rows of the page */
    items: User[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type UserUpdate = {
    /**
     * Format: email
     * @description E-mail address
     */
    email?: string;
    /** @description The password */
    password?: string;
    /** @description The role */
    role?: Role;
};
export type ValidationError = {
    /** @description Every fault of the request */
    detail: Fault[];
};
export type Violation = {
    /**
     * @description The kind of fault
     * @enum {string}
     */
    code: "not_approved" | "unknown_field" | "invalid_value" | "pin_not_set" | "unsupported" | "hostname_in_use";
    /** @description JSON pointer */
    path: string;
    /** @description The kind of thing it is */
    kind: PrimitiveKind | null;
    /** @description The short name */
    slug: string | null;
    /** @description What happened, in words */
    message: string;
};
export type WaitingRule = {
    /** @description The tools that it names, as the recipe writes them */
    tool: string;
    /** @description How long a call waits */
    expires_minutes: number;
    /** @description The recipe’s revision that the agent had */
    recipe_revision: number;
};
/** @enum {string} */
export type WantedEvent = "instance.running" | "instance.failed" | "instance.upgraded" | "instance.terminated" | "conversation.started" | "conversation.handover" | "conversation.waiting" | "message.failed" | "message.dead" | "approval.requested" | "approval.decided" | "connection.expired" | "timesheet.submitted" | "certification.expiring" | "budget.reached" | "rollout.stopped" | "rollout.succeeded" | "*";
export type Website = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: uuid
     * @description The tenant’s id
     */
    tenant_id: string;
    /**
     * Format: uuid
     * @description The customer’s id
     */
    customer_id: string;
    /** @description The customer’s company name; without one its e-mail address, for callers who may read customers, else null */
    customer_name: string | null;
    /** @description Lower case, without port and trailing dot */
    hostname: string;
    /**
     * Format: date-time
     * @description When it was made
     */
    created_at: string;
};
export type WebsiteCreate = {
    /** @description As people type it, in any case, with or without a port */
    hostname: string;
};
export type WebsitePage = {
    /** @description The rows of the page */
    items: Website[];
    /** @description The number of the page, from 1 */
    page: number;
    /** @description Rows of a full page */
    per_page: number;
    /** @description Rows of all pages */
    total: number;
};
export type WorkEligibility = {
    /** @description null where nothing is demanded, so nobody can be called eligible */
    eligible: boolean | null;
    /** @description Why not, every reason */
    reasons: EligibilityReason[];
};
export type WorkerAssignment = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description Where the work is */
    site: string | null;
    /** @description The status */
    status: string;
    /** @description A short title */
    title: string | null;
    /** @description When it begins */
    starts_at: string | null;
    /** @description When it ends */
    ends_at: string | null;
};
export type WorkerCertification = {
    /** @description Days until it ends */
    days_left: number | null;
    /**
     * @description The status
     * @enum {string}
     */
    status: "valid" | "expiring" | "expired";
} & {
    [key: string]: unknown;
};
export type WorkerShift = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description Where the work is */
    site: string | null;
    /** @description The status */
    status: string;
    /**
     * Format: date-time
     * @description When it begins
     */
    starts_at: string;
    /**
     * Format: date-time
     * @description When it ends
     */
    ends_at: string;
};
export type WorkerTimesheet = {
    /**
     * Format: uuid
     * @description The row’s id
     */
    id: string;
    /**
     * Format: date
     * @description The day of the work
     */
    date: string;
    /** @description Hours that were worked */
    hours: number;
    /** @description What it is about, in free words */
    description: string | null;
    /** @description The job’s id in another system */
    job_id: string | null;
    /** @description Pay per hour */
    rate: number | null;
    /** @description The shift’s id */
    shift_id: string | null;
    /** @description The status */
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
    /** @description The state */
    state: BindingState;
    /** @description True where it was proven */
    verified: boolean;
    /**
     * Format: uuid
     * @description The id of the person of the staff
     */
    person_id: string;
    /** @description The name */
    name: string;
};

/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */

export const login = {
  email: {"required":true,"minLength":0,"maxLength":320,"hint":"E-mail address"},
  password: {"required":true,"minLength":0,"maxLength":1024,"hint":"The password"},
  tenant_id: {"hint":"The tenant’s id"},
} as const;

export const refresh_tokens = {
  refresh_token: {"required":true,"minLength":0,"maxLength":1024,"hint":"The token that a login or refresh answered last"},
} as const;

export const switch_tenant = {
  tenant_id: {"required":true,"hint":"The tenant’s id"},
} as const;

export const logout = {
  refresh_token: {"required":true,"minLength":0,"maxLength":1024,"hint":"The token that a login or refresh answered last"},
} as const;

export const create_browser_session = {
  email: {"required":true,"minLength":0,"maxLength":320,"hint":"E-mail address"},
  password: {"required":true,"minLength":0,"maxLength":1024,"hint":"The password"},
  tenant_id: {"hint":"The tenant’s id"},
} as const;

export const refresh_browser_session = {
  tenant_id: {"hint":"The tenant’s id"},
} as const;

export const switch_browser_session = {
  tenant_id: {"required":true,"hint":"The tenant’s id"},
} as const;

export const open_sign_in_link = {
  token: {"required":true,"minLength":0,"maxLength":1024,"hint":"The part of the link behind `#token=`"},
} as const;

export const create_user = {
  email: {"required":true,"maxLength":320,"hint":"E-mail address"},
  password: {"required":true,"minLength":12,"maxLength":200,"hint":"The password"},
  role: {"required":true,"choices":["admin","member"]},
} as const;

export const update_user = {
  email: {"maxLength":320,"hint":"E-mail address"},
  password: {"minLength":12,"maxLength":200,"hint":"The password"},
  role: {"choices":["admin","member"]},
} as const;

export const change_my_password = {
  current_password: {"minLength":0,"maxLength":1024,"hint":"The password that applies now; may be left out once within an hour of a sign-in by a one-time link"},
  new_password: {"required":true,"minLength":12,"maxLength":200,"hint":"The password that applies from now on"},
} as const;

export const create_invitation = {
  email: {"required":true,"maxLength":320,"hint":"E-mail address"},
  role: {"required":true,"choices":["admin","member"]},
} as const;

export const accept_invitation = {
  invitation_token: {"required":true,"minLength":0,"maxLength":1024,"hint":"The token of the invitation"},
  password: {"minLength":12,"maxLength":200,"hint":"The password"},
} as const;

export const reset_password = {
  reset_token: {"required":true,"minLength":0,"maxLength":1024,"hint":"The token of the reset"},
  password: {"required":true,"minLength":12,"maxLength":200,"hint":"The password"},
} as const;

export const create_api_key = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"The name"},
  scopes: {"required":true,"maxItems":100,"hint":"What it may do: `resource:verb` as recipes:read, `recipes:*`, or `*`; each operation’s stands in x-scope"},
  role: {"choices":["admin","member"],"hint":"The role"},
  rate_limit: {"hint":"Requests that the key may make in a window"},
  expires_at: {"hint":"When it ends; null: never"},
} as const;

export const rotate_api_key = {
  overlap_seconds: {"minimum":0,"maximum":2592000,"hint":"How long the old key goes on"},
} as const;

export const create_primitive = {
  kind: {"required":true,"choices":["skill","channel","integration","mcp_server","workflow","model","sidecar_runtime"]},
  slug: {"required":true,"minLength":1,"maxLength":200,"hint":"The short name"},
  display_name: {"minLength":0,"maxLength":200,"hint":"The name to show"},
} as const;

export const create_recipe = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"What the recipe is called"},
  description: {"minLength":0,"maxLength":1048576,"hint":"What the recipe is for, to choose it by"},
  system_prompt: {"minLength":0,"maxLength":1048576,"hint":"What the agent is told before a conversation"},
  manifest_id: {"minLength":0,"maxLength":200,"hint":"The kind of runtime, of list_manifests; `reference` applies where nothing is said or there is no such manifest"},
  hosting_mode: {"choices":["dedicated","shared"],"hint":"Whether an instance serves one customer (dedicated, where nothing is said) or several (shared)"},
  shared_node_capacity: {"minimum":1,"maximum":1000,"hint":"How many deployments a shared instance takes; 50 where nothing is said"},
  onboarding_flow_id: {"hint":"The onboarding flow whose steps new senders are asked first"},
  rules_template_id: {"hint":"The rules template that a deploy copies to a customer who has no rules"},
  approval_rules: {"hint":"What a person or a PIN has to approve: `require`, a list of {tool, by: person or pin, expires_minutes}"},
  channel_config: {"hint":"What is said and when: `greeting`, `business_hours`, `away_message`, `burst_seconds`, `echo_minutes`"},
  compliance_config: {"hint":"`retention_days`, `disclaimer` (below the agent’s first answer) and `pin_enforced`"},
  data_access: {"hint":"What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads"},
  model_policy: {"hint":"Which model answers: `model`, `fallback_models`, `allowed_models`, `temperature`, `max_output_tokens` and `budget`; models are held against the approved ones"},
  module_config: {"hint":"By the slug of a skill: {\"enabled\": false} turns it off"},
  voice_config: {"hint":"How the agent speaks, for a runtime whose manifest names the field; the built-in one does nothing with it"},
  channel_types: {"maxItems":10000,"hint":"The channels that the agent answers in, as \"chatapp\". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones"},
  connection_requirements: {"maxItems":10000,"hint":"What the customer has to be connected to before a deploy: objects {\"provider\": \"chatapp\", \"name\": …, \"optional\": true}; only `provider` is needed, and what is optional never blocks"},
  mcp_servers: {"maxItems":10000,"hint":"The MCP servers whose tools the agent may use: objects {\"name\": …, \"url\": …, \"provider\": …, \"allowed_tools\": […], \"timeout_seconds\": …}"},
  skills: {"maxItems":10000,"hint":"What the agent can do, as \"staff_query\"; {\"slug\": \"timesheet\", \"pin_required\": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones"},
  trigger_templates: {"maxItems":10000,"hint":"When the agent speaks by itself: `name`, `schedule` (cron), `prompt`, `to` (an address), `template`"},
  workflow_slugs: {"maxItems":10000,"hint":"Workflows, for a runtime whose manifest names the field; the built-in one has none. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones"},
  idle_minutes: {"minimum":5,"maximum":43200,"hint":"After so many minutes without message or task its runtime sleeps, and the next message wakes it; null: it never sleeps"},
  sidecars: {"maxItems":10000,"hint":"Processes beside the agent, which no engine starts yet; only `name` is needed"},
} as const;

export const update_recipe = {
  name: {"minLength":1,"maxLength":200,"hint":"What the recipe is called"},
  description: {"minLength":0,"maxLength":1048576,"hint":"What the recipe is for, to choose it by"},
  system_prompt: {"minLength":0,"maxLength":1048576,"hint":"What the agent is told before a conversation"},
  manifest_id: {"minLength":0,"maxLength":200,"hint":"The kind of runtime, of list_manifests; `reference` applies where nothing is said or there is no such manifest"},
  hosting_mode: {"choices":["dedicated","shared"],"hint":"Whether an instance serves one customer (dedicated, where nothing is said) or several (shared)"},
  shared_node_capacity: {"minimum":1,"maximum":1000,"hint":"How many deployments a shared instance takes; 50 where nothing is said"},
  onboarding_flow_id: {"hint":"The onboarding flow whose steps new senders are asked first"},
  rules_template_id: {"hint":"The rules template that a deploy copies to a customer who has no rules"},
  approval_rules: {"hint":"What a person or a PIN has to approve: `require`, a list of {tool, by: person or pin, expires_minutes}"},
  channel_config: {"hint":"What is said and when: `greeting`, `business_hours`, `away_message`, `burst_seconds`, `echo_minutes`"},
  compliance_config: {"hint":"`retention_days`, `disclaimer` (below the agent’s first answer) and `pin_enforced`"},
  data_access: {"hint":"What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads"},
  model_policy: {"hint":"Which model answers: `model`, `fallback_models`, `allowed_models`, `temperature`, `max_output_tokens` and `budget`; models are held against the approved ones"},
  module_config: {"hint":"By the slug of a skill: {\"enabled\": false} turns it off"},
  voice_config: {"hint":"How the agent speaks, for a runtime whose manifest names the field; the built-in one does nothing with it"},
  channel_types: {"maxItems":10000,"hint":"The channels that the agent answers in, as \"chatapp\". Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones"},
  connection_requirements: {"maxItems":10000,"hint":"What the customer has to be connected to before a deploy: objects {\"provider\": \"chatapp\", \"name\": …, \"optional\": true}; only `provider` is needed, and what is optional never blocks"},
  mcp_servers: {"maxItems":10000,"hint":"The MCP servers whose tools the agent may use: objects {\"name\": …, \"url\": …, \"provider\": …, \"allowed_tools\": […], \"timeout_seconds\": …}"},
  skills: {"maxItems":10000,"hint":"What the agent can do, as \"staff_query\"; {\"slug\": \"timesheet\", \"pin_required\": true} asks for a PIN first. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones"},
  trigger_templates: {"maxItems":10000,"hint":"When the agent speaks by itself: `name`, `schedule` (cron), `prompt`, `to` (an address), `template`"},
  workflow_slugs: {"maxItems":10000,"hint":"Workflows, for a runtime whose manifest names the field; the built-in one has none. Slugs, or objects with one (`slug`, else `type`, `name` or `id`); list_primitives has the approved ones"},
  idle_minutes: {"minimum":5,"maximum":43200,"hint":"After so many minutes without message or task its runtime sleeps, and the next message wakes it; null: it never sleeps"},
  sidecars: {"maxItems":10000,"hint":"Processes beside the agent, which no engine starts yet; only `name` is needed"},
  is_active: {"hint":"An inactive recipe is not deployed"},
  expect_revision: {"minimum":1,"maximum":2147483647,"hint":"Change only a recipe that is still at this revision (412 otherwise)"},
} as const;

export const restore_recipe_revision = {
  expect_revision: {"minimum":1,"maximum":2147483647,"hint":"Change only a recipe that is still at this revision (412 otherwise)"},
} as const;

export const save_recipe_from_instance = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"What the new recipe is called"},
  description: {"minLength":0,"maxLength":10000,"hint":"What the new recipe is for"},
} as const;

export const assist_recipe = {
  description: {"required":true,"minLength":10,"maxLength":2000,"hint":"What the agent is to do, in a person’s words"},
} as const;

export const create_rules_template = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"What the template is called"},
  rules: {"required":true,"hint":"The rules, as a customer has them: an object of at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting"},
} as const;

export const update_rules_template = {
  name: {"minLength":1,"maxLength":200,"hint":"What the template is called"},
  rules: {"hint":"The rules, as a customer has them: an object of at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting"},
} as const;

export const create_onboarding_flow = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"What the flow is called"},
  steps: {"required":true,"maxItems":50,"hint":"In the order in which they are asked"},
} as const;

export const update_onboarding_flow = {
  name: {"minLength":1,"maxLength":200,"hint":"What the flow is called"},
  steps: {"maxItems":50,"hint":"In the order in which they are asked"},
} as const;

export const compose_recipe = {
  recipe_id: {"hint":"The recipe, of list_recipes; needed without `recipe`"},
  recipe: {"hint":"A recipe that is not stored, with the fields of create_recipe, in place of recipe_id"},
  instance_overrides: {"hint":"What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting"},
} as const;

export const check_deploy = {
  customer_id: {"required":true,"hint":"Whom the agent works for, of list_customers"},
  hostname: {"required":true,"minLength":1,"maxLength":100,"hint":"The agent’s address in the web, as crew.example.com; kept with the instance"},
  recipe_id: {"required":true,"hint":"The recipe, of list_recipes"},
  instance_overrides: {"hint":"What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting"},
} as const;

export const deploy_recipe = {
  customer_id: {"required":true,"hint":"Whom the agent works for, of list_customers"},
  recipe_id: {"required":true,"hint":"The recipe, of list_recipes"},
  tier_id: {"required":true,"hint":"The size of the instance, of list_tiers"},
  region_id: {"required":true,"minLength":1,"maxLength":50,"hint":"Where it runs, of list_regions"},
  hostname: {"required":true,"minLength":1,"maxLength":100,"hint":"The agent’s address in the web, as crew.example.com; kept with the instance"},
  hosting_mode: {"choices":["dedicated","shared"],"hint":"One customer for the instance, or several; the recipe’s where nothing is said"},
  shared_node_capacity: {"minimum":10,"maximum":200,"hint":"How many deployments a shared instance takes that is made for this one; the recipe’s where nothing is said"},
  idempotency_key: {"minLength":1,"maxLength":255,"hint":"A text of your own for this deploy: sent again with it, nothing is deployed twice and the same instance comes back"},
  instance_overrides: {"hint":"What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting"},
  manifest_id: {"minLength":0,"maxLength":200,"hint":"The manifest, of list_manifests, in place of the recipe’s"},
  plan_hash: {"minLength":0,"maxLength":64,"hint":"What check_deploy answered: exactly that plan is deployed, or nothing"},
} as const;

export const upgrade_instance = {
  revision: {"minimum":1,"maximum":2147483647,"hint":"Which revision of the recipe; the newest where nothing is said"},
  instance_overrides: {"hint":"In place of the instance’s own overrides, which stay where nothing is said; {} for none. A manifest that the deploy named stays unless the overrides name one. Not for a shared instance"},
  plan_hash: {"minLength":0,"maxLength":64,"hint":"What the same request with dry_run answered: exactly that plan is carried out, or nothing"},
  dry_run: {"hint":"Only answer what would be changed"},
} as const;

export const start_rollout = {
  revision: {"required":true,"minimum":1,"maximum":2147483647,"hint":"Which revision of the recipe"},
  batches: {"maxItems":100,"hint":"Rising percentages, the last one 100: how much is reached after each batch, rounded up and at least one instance more; 5, 25, 100 where nothing is said"},
  pause_seconds: {"minimum":0,"maximum":86400,"hint":"Between two batches, and of the watch after the last one; 300 where nothing is said"},
  stop_when: {"hint":"What stops the rollout by itself. Each instance counts from its upgrade on"},
  dry_run: {"hint":"Only answer what would be changed"},
} as const;

export const send_instance_logs = {
  lines: {"required":true,"maxItems":1000,"hint":"Lines without their ends, oldest first; each is cut off after 4,000 characters"},
} as const;

export const enroll_instance = {
  enrollment_token: {"required":true,"minLength":1,"maxLength":1000,"hint":"The one-time token that the instance was given"},
  csr_pem: {"required":true,"minLength":100,"maxLength":10000,"hint":"The certificate signing request, in PEM"},
  wg_public_key: {"required":true,"maxLength":44,"pattern":"^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$","hint":"WireGuard, 32 bytes in base64"},
  vpn_ip: {"required":true,"maxLength":15,"pattern":"^10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$","hint":"The instance’s address in the tunnel"},
  generation: {"minimum":0,"maximum":2147483647,"hint":"RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started"},
} as const;

export const renew_certificate = {
  csr_pem: {"required":true,"minLength":100,"maxLength":10000,"hint":"The certificate signing request, in PEM"},
  wg_public_key: {"required":true,"minLength":0,"maxLength":1000,"hint":"The public WireGuard key"},
  generation: {"minimum":0,"maximum":2147483647,"hint":"RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started"},
} as const;

export const refresh_secrets = {
  vpn_ip: {"required":true,"maxLength":15,"pattern":"^10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$","hint":"The instance’s address in the tunnel"},
  wg_public_key: {"required":true,"minLength":0,"maxLength":1000,"hint":"The public WireGuard key"},
  generation: {"minimum":0,"maximum":2147483647,"hint":"RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started"},
} as const;

export const cancel_task = {
  expect_status: {"choices":["queued","running","succeeded","failed","canceling","canceled"],"hint":"Cancel only while the task is in this status"},
} as const;

export const put_tier = {
  name: {"minLength":1,"maxLength":200,"hint":"The name"},
  description: {"minLength":0,"maxLength":2000,"hint":"What it is about, in free words"},
  cpu_millis: {"minimum":1,"maximum":2147483647,"hint":"Processor time, in thousandths of a core"},
  memory_mib: {"minimum":1,"maximum":2147483647,"hint":"Memory, in MiB"},
  is_active: {"hint":"False where it is not used for new work"},
} as const;

export const put_region = {
  name: {"minLength":1,"maxLength":200,"hint":"The name"},
  chatapp_api_base_url: {"maxLength":500,"pattern":"^\\s*[Hh][Tt][Tt][Pp][Ss]?:","hint":"Address of the channel’s sending API in the region; null: the channel’s own"},
  is_active: {"hint":"False where it is not used for new work"},
} as const;

export const put_manifest = {
  name: {"minLength":1,"maxLength":200,"hint":"What people call it; the id where nothing was ever said"},
  image: {"minLength":1,"maxLength":1000,"hint":"The container image: what the other engines start"},
  command: {"maxItems":100,"hint":"The program, which must not be empty, then its arguments: what the engine `process` starts"},
  sidecar_images: {"hint":"The image of each sidecar, by the name that a recipe’s `sidecars` call it in `runtime`"},
  internet: {"hint":"The runtime reaches public addresses by a proxy, where it has a network of its own; nothing else outside of it"},
  capabilities: {},
  is_active: {"hint":"False: it is not chosen any more"},
} as const;

export const create_customer = {
  email: {"required":true,"maxLength":320,"hint":"Unique within the tenant, without case"},
  company_name: {"minLength":0,"maxLength":200,"hint":"What the customer is called"},
  country_code: {"pattern":"^[A-Z]{2}$","hint":"ISO 3166-1 alpha-2, as AU"},
  currency: {"pattern":"^[A-Z]{3}$","hint":"ISO 4217, as AUD"},
  timezone: {"pattern":"^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$","hint":"IANA, as Australia/Sydney: whose days count; UTC where none is given"},
  locale: {"pattern":"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$","hint":"BCP 47, as en-AU"},
} as const;

export const update_customer = {
  email: {"maxLength":320,"hint":"Unique within the tenant, without case"},
  company_name: {"minLength":0,"maxLength":200,"hint":"What the customer is called"},
  country_code: {"pattern":"^[A-Z]{2}$","hint":"ISO 3166-1 alpha-2, as AU"},
  currency: {"pattern":"^[A-Z]{3}$","hint":"ISO 4217, as AUD"},
  timezone: {"pattern":"^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$","hint":"IANA, as Australia/Sydney: whose days count; UTC where none is given"},
  locale: {"pattern":"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$","hint":"BCP 47, as en-AU"},
} as const;

export const clone_customer = {
  company_name: {"required":true,"minLength":1,"maxLength":200,"hint":"What the new customer is called"},
  source_customer_id: {"required":true,"hint":"Whose rules are copied"},
  email: {"maxLength":320,"hint":"The new customer’s own; none where nothing is said"},
} as const;

export const create_subscription = {
  status: {"required":true,"choices":["trialing","active","past_due","paused","canceled"]},
  plan: {"minLength":0,"maxLength":200,"hint":"The plan’s name"},
  current_period_end: {"hint":"When the paid period ends"},
} as const;

export const update_subscription = {
  status: {"choices":["trialing","active","past_due","paused","canceled"]},
  plan: {"minLength":0,"maxLength":200,"hint":"The plan’s name"},
  current_period_end: {"hint":"When the paid period ends"},
} as const;

export const create_website = {
  hostname: {"required":true,"minLength":1,"maxLength":1012,"pattern":"^(?:(?=.{1,253}\\.?(?::\\d{0,5})?$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\\.?(?::\\d{0,5})?$|(?=.*[^\\x00-\\x7f])(?:[A-Za-z0-9.-]|[^\\x00-\\x7f])+\\.?(?::\\d{0,5})?$)","hint":"As people type it, in any case, with or without a port"},
} as const;

export const create_staff = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"The name"},
  email: {"maxLength":320,"hint":"E-mail address"},
  phone: {"minLength":0,"maxLength":50,"hint":"Telephone number"},
  role: {"choices":["employee","contractor","supplier","customer_contact"],"hint":"The role"},
  skills: {"maxItems":1000,"hint":"What the person can do, as \"forklift\"; found without case"},
  certifications: {"maxItems":1000,"hint":"Types, also with their end as \"first_aid:2027-03-31\", or objects {\"type\": \"first_aid\", \"expires_at\": \"2027-03-31\", …}, whose other fields are your own"},
  inductions: {"maxItems":1000,"hint":"Sites, also with their end as \"Pier 4:2027-03-31\", or objects {\"site\": \"Pier 4\", \"expires_at\": …, …}, whose other fields are your own"},
  tier: {"minimum":1,"maximum":5,"hint":"A grade of your own; 1 where nothing is said"},
  availability_notes: {"minLength":0,"maxLength":10000,"hint":"When the person can work, in words"},
  external_id: {"minLength":1,"maxLength":200,"hint":"What your own system calls the person; unique within the customer"},
} as const;

export const import_staff = {
  staff: {"required":true,"maxItems":200,"hint":"Records as create_staff takes them; one with a known external_id changes that record"},
} as const;

export const update_staff = {
  name: {"minLength":1,"maxLength":200,"hint":"The name"},
  email: {"maxLength":320,"hint":"E-mail address"},
  phone: {"minLength":0,"maxLength":50,"hint":"Telephone number"},
  role: {"choices":["employee","contractor","supplier","customer_contact"],"hint":"The role"},
  skills: {"maxItems":1000,"hint":"What the person can do, as \"forklift\"; found without case"},
  certifications: {"maxItems":1000,"hint":"Types, also with their end as \"first_aid:2027-03-31\", or objects {\"type\": \"first_aid\", \"expires_at\": \"2027-03-31\", …}, whose other fields are your own"},
  inductions: {"maxItems":1000,"hint":"Sites, also with their end as \"Pier 4:2027-03-31\", or objects {\"site\": \"Pier 4\", \"expires_at\": …, …}, whose other fields are your own"},
  tier: {"minimum":1,"maximum":5,"hint":"A grade of your own; 1 where nothing is said"},
  availability_notes: {"minLength":0,"maxLength":10000,"hint":"When the person can work, in words"},
  external_id: {"minLength":1,"maxLength":200,"hint":"What your own system calls the person; unique within the customer"},
  status: {"choices":["active","inactive","on_leave","suspended","terminated"]},
} as const;

export const create_customer_staff = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"The name"},
  email: {"maxLength":320,"hint":"E-mail address"},
  phone: {"minLength":0,"maxLength":50,"hint":"Telephone number"},
  role: {"choices":["employee","contractor","supplier","customer_contact"],"hint":"The role"},
  skills: {"maxItems":1000,"hint":"What the person can do, as \"forklift\"; found without case"},
  certifications: {"maxItems":1000,"hint":"Types, also with their end as \"first_aid:2027-03-31\", or objects {\"type\": \"first_aid\", \"expires_at\": \"2027-03-31\", …}, whose other fields are your own"},
  inductions: {"maxItems":1000,"hint":"Sites, also with their end as \"Pier 4:2027-03-31\", or objects {\"site\": \"Pier 4\", \"expires_at\": …, …}, whose other fields are your own"},
  tier: {"minimum":1,"maximum":5,"hint":"A grade of your own; 1 where nothing is said"},
  availability_notes: {"minLength":0,"maxLength":10000,"hint":"When the person can work, in words"},
  external_id: {"minLength":1,"maxLength":200,"hint":"What your own system calls the person; unique within the customer"},
} as const;

export const import_customer_staff = {
  staff: {"required":true,"maxItems":200,"hint":"Records as create_staff takes them; one with a known external_id changes that record"},
} as const;

export const update_customer_staff = {
  name: {"minLength":1,"maxLength":200,"hint":"The name"},
  email: {"maxLength":320,"hint":"E-mail address"},
  phone: {"minLength":0,"maxLength":50,"hint":"Telephone number"},
  role: {"choices":["employee","contractor","supplier","customer_contact"],"hint":"The role"},
  skills: {"maxItems":1000,"hint":"What the person can do, as \"forklift\"; found without case"},
  certifications: {"maxItems":1000,"hint":"Types, also with their end as \"first_aid:2027-03-31\", or objects {\"type\": \"first_aid\", \"expires_at\": \"2027-03-31\", …}, whose other fields are your own"},
  inductions: {"maxItems":1000,"hint":"Sites, also with their end as \"Pier 4:2027-03-31\", or objects {\"site\": \"Pier 4\", \"expires_at\": …, …}, whose other fields are your own"},
  tier: {"minimum":1,"maximum":5,"hint":"A grade of your own; 1 where nothing is said"},
  availability_notes: {"minLength":0,"maxLength":10000,"hint":"When the person can work, in words"},
  external_id: {"minLength":1,"maxLength":200,"hint":"What your own system calls the person; unique within the customer"},
  status: {"choices":["active","inactive","on_leave","suspended","terminated"]},
} as const;

export const create_binding = {
  channel_type: {"required":true,"minLength":1,"maxLength":50,"hint":"The channel, as chatapp"},
  channel_address: {"required":true,"minLength":1,"maxLength":255,"hint":"The worker’s address there: a phone number, or the channel’s id of the sender"},
  code: {"minLength":1,"maxLength":100,"pattern":"\\S","hint":"What the worker has to answer to be verified; without one, a yes does"},
} as const;

export const create_shift = {
  person_id: {"required":true,"hint":"The id of the person of the staff"},
  starts_at: {"required":true,"hint":"When it begins"},
  ends_at: {"required":true,"hint":"When it ends"},
  job_id: {"minLength":0,"maxLength":200,"hint":"The job’s id in another system"},
  title: {"minLength":0,"maxLength":200,"hint":"A short title"},
  site: {"minLength":0,"maxLength":200,"hint":"Where the work is"},
  status: {"minLength":1,"maxLength":50,"hint":"The status"},
  check: {"choices":["none","report","require"],"hint":"Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)"},
} as const;

export const update_shift = {
  person_id: {"hint":"The id of the person of the staff"},
  starts_at: {"hint":"When it begins"},
  ends_at: {"hint":"When it ends"},
  job_id: {"minLength":0,"maxLength":200,"hint":"The job’s id in another system"},
  title: {"minLength":0,"maxLength":200,"hint":"A short title"},
  site: {"minLength":0,"maxLength":200,"hint":"Where the work is"},
  status: {"minLength":1,"maxLength":50,"hint":"The status"},
  check: {"choices":["none","report","require"],"hint":"Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)"},
} as const;

export const create_assignment = {
  person_id: {"required":true,"hint":"The id of the person of the staff"},
  starts_at: {"hint":"When it begins"},
  ends_at: {"hint":"When it ends"},
  job_id: {"minLength":0,"maxLength":200,"hint":"The job’s id in another system"},
  title: {"minLength":0,"maxLength":200,"hint":"A short title"},
  site: {"minLength":0,"maxLength":200,"hint":"Where the work is"},
  status: {"minLength":1,"maxLength":50,"hint":"The status"},
  check: {"choices":["none","report","require"],"hint":"Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)"},
} as const;

export const update_assignment = {
  person_id: {"hint":"The id of the person of the staff"},
  starts_at: {"hint":"When it begins"},
  ends_at: {"hint":"When it ends"},
  job_id: {"minLength":0,"maxLength":200,"hint":"The job’s id in another system"},
  title: {"minLength":0,"maxLength":200,"hint":"A short title"},
  site: {"minLength":0,"maxLength":200,"hint":"Where the work is"},
  status: {"minLength":1,"maxLength":50,"hint":"The status"},
  check: {"choices":["none","report","require"],"hint":"Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)"},
} as const;

export const decide_timesheets = {
  ids: {"required":true,"maxItems":200,"hint":"The timesheets; one that is named twice counts once"},
  status: {"required":true,"choices":["submitted","approved","rejected"]},
} as const;

export const update_timesheet = {
  status: {"required":true,"choices":["submitted","approved","rejected"]},
} as const;

export const create_my_timesheet = {
  date: {"required":true,"hint":"The day that was worked"},
  hours: {"required":true,"maximum":24,"hint":"How long"},
  description: {"minLength":0,"maxLength":10000,"hint":"What was done"},
  job_id: {"minLength":0,"maxLength":200,"hint":"What it was for, in an id of your own"},
  rate: {"minimum":0,"maximum":1000000000,"hint":"Pay for an hour"},
  shift_id: {"hint":"Which of the worker’s shifts it was; each is submitted once"},
} as const;

export const verify_worker = {
  channel_type: {"required":true,"minLength":1,"maxLength":50,"hint":"The channel, as chatapp"},
  channel_address: {"required":true,"minLength":1,"maxLength":255,"hint":"The worker’s address there: a phone number, or the channel’s id of the sender"},
  response: {"required":true,"minLength":0,"maxLength":10000,"hint":"What the worker wrote"},
} as const;

export const put_requirement = {
  site: {"minLength":1,"maxLength":200,"hint":"Counts for this place alone"},
  job_id: {"minLength":1,"maxLength":200,"hint":"Counts for this job alone"},
  title: {"minLength":1,"maxLength":200,"hint":"Counts for work of this title alone"},
  demands: {"required":true,"maxItems":50,"hint":"All have to be met"},
} as const;

export const explain_eligibility = {
  site: {"minLength":0,"maxLength":200,"hint":"The place of the work"},
  job_id: {"minLength":0,"maxLength":200,"hint":"The job, in an id of your own"},
  title: {"minLength":0,"maxLength":200,"hint":"The title of the work"},
  from: {"pattern":"^\\d{4}-\\d\\d-\\d\\d([Tt ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-](0\\d|1[0-5]):[0-5]\\d)?)?$","hint":"A day of the customer, or a time; today where nothing is said"},
  to: {"pattern":"^\\d{4}-\\d\\d-\\d\\d([Tt ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-](0\\d|1[0-5]):[0-5]\\d)?)?$","hint":"A day, which is included, or a time; the day of `from` where nothing is said. At most 31 days"},
  demands: {"maxItems":50,"hint":"Beside those of the requirements that count"},
  person_ids: {"maxItems":200,"hint":"These people alone; everybody where nothing is said"},
  show: {"choices":["all","eligible","ineligible"],"hint":"Which people of the answer"},
  page: {"minimum":1,"maximum":2147483647,"hint":"Which page, from 1"},
  per_page: {"minimum":1,"maximum":200,"hint":"People of a page"},
} as const;

export const ask_eligibility = {
  site: {"minLength":0,"maxLength":200,"hint":"The place of the work"},
  job_id: {"minLength":0,"maxLength":200,"hint":"The job, in an id of your own"},
  title: {"minLength":0,"maxLength":200,"hint":"The title of the work"},
  from: {"pattern":"^\\d{4}-\\d\\d-\\d\\d([Tt ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-](0\\d|1[0-5]):[0-5]\\d)?)?$","hint":"A day of the customer, or a time; today where nothing is said"},
  to: {"pattern":"^\\d{4}-\\d\\d-\\d\\d([Tt ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-](0\\d|1[0-5]):[0-5]\\d)?)?$","hint":"A day, which is included, or a time; the day of `from` where nothing is said. At most 31 days"},
  demands: {"maxItems":50,"hint":"Beside those of the requirements that count"},
  person_ids: {"maxItems":200,"hint":"These people alone; everybody where nothing is said"},
  show: {"choices":["all","eligible","ineligible"],"hint":"Which people of the answer"},
  page: {"minimum":1,"maximum":2147483647,"hint":"Which page, from 1"},
  per_page: {"minimum":1,"maximum":200,"hint":"People of a page"},
} as const;

export const create_identity = {
  channel: {"required":true,"minLength":1,"maxLength":50,"hint":"The channel, as chatapp"},
  external_id: {"required":true,"minLength":1,"maxLength":255,"hint":"The sender’s address there: a phone number, or the channel’s own id"},
  display_name: {"minLength":0,"maxLength":200,"hint":"What the sender is called"},
  role_override: {"minLength":0,"maxLength":100,"hint":"What the sender is to the customer; `owner` is one to the PIN policy’s pin_applies_to"},
  verified: {"hint":"Whether you know that the address is the sender’s"},
} as const;

export const update_identity = {
  channel: {"minLength":1,"maxLength":50,"hint":"The channel, as chatapp"},
  external_id: {"minLength":1,"maxLength":255,"hint":"The sender’s address there: a phone number, or the channel’s own id"},
  display_name: {"minLength":0,"maxLength":200,"hint":"What the sender is called"},
  role_override: {"minLength":0,"maxLength":100,"hint":"What the sender is to the customer; `owner` is one to the PIN policy’s pin_applies_to"},
  verified: {"hint":"Whether you know that the address is the sender’s"},
} as const;

export const set_customer_pin = {
  pin: {"required":true,"minLength":4,"maxLength":12,"pattern":"^\\d{4,12}$","hint":"4 to 12 digits"},
} as const;

export const set_identity_pin = {
  pin: {"required":true,"minLength":4,"maxLength":12,"pattern":"^\\d{4,12}$","hint":"4 to 12 digits"},
  current_pin: {"hint":"In place of X-Pin-Session: the PIN that applies now. A wrong one counts as a wrong attempt"},
} as const;

export const verify_pin = {
  pin: {"required":true,"hint":"What does not look like a PIN counts as a wrong one"},
  customer_id: {"hint":"The customer’s id"},
  identity_id: {"hint":"The identity’s id"},
  purpose: {"minLength":1,"maxLength":200,"hint":"The slug of the skill, or the tool, that the session is to count for alone; without one it counts for all"},
} as const;

export const check_pin_session = {
  session_token: {"required":true,"minLength":0,"maxLength":1000,"hint":"The token that a right PIN was answered with"},
  purpose: {"minLength":1,"maxLength":200,"hint":"What it has to count for; without one, a session for one purpose alone is not valid"},
} as const;

export const update_pin_policy = {
  pin_applies_to: {"choices":["owner","customer","all"],"hint":"Who is asked: owners, the other senders, or all"},
  pin_required_skills: {"maxItems":200,"hint":"The slugs of the skills that ask for a PIN first"},
  pin_session_ttl_minutes: {"minimum":1,"maximum":1440,"hint":"How long a PIN that was right counts"},
  enforced: {"hint":"Whether the service itself asks for the session, and not the runtime alone"},
  require_sender_token: {"hint":"Whether internal calls without a sender’s token are refused, with 403 `sender_token_required`"},
} as const;

export const create_connection = {
  provider: {"required":true,"minLength":1,"maxLength":100,"hint":"As a recipe’s connection_requirements name it: chatapp, google_drive, filesystem, …"},
  name: {"minLength":0,"maxLength":200,"hint":"To tell several of one provider apart"},
  credentials: {"required":true,"hint":"chatapp: {\"access_token\"}; google_drive: {\"client_id\", \"client_secret\", \"refresh_token\"}; filesystem: {\"root\"}, a folder below DRIVE_FILESYSTEM_ROOT; of other providers, whatever the agent’s runtime wants"},
  expires_at: {"hint":"From then on it counts as expired"},
  allowed_hosts: {"maxItems":100,"hint":"The hosts of MCP servers that the gateway may send the credentials to, as `mcp.example.com`, or with a port for that port alone; none by default"},
} as const;

export const update_connection = {
  name: {"minLength":0,"maxLength":200,"hint":"To tell several of one provider apart"},
  credentials: {"hint":"chatapp: {\"access_token\"}; google_drive: {\"client_id\", \"client_secret\", \"refresh_token\"}; filesystem: {\"root\"}, a folder below DRIVE_FILESYSTEM_ROOT; of other providers, whatever the agent’s runtime wants"},
  expires_at: {"hint":"From then on it counts as expired"},
  allowed_hosts: {"maxItems":100,"hint":"The hosts of MCP servers that the gateway may send the credentials to, as `mcp.example.com`, or with a port for that port alone; none by default"},
} as const;

export const update_conversation = {
  mode: {"required":true,"choices":["agent","human"]},
  minutes: {"minimum":1,"maximum":525600,"hint":"After so many minutes the mode `human` ends by itself; without, when a person ends it"},
  expect_taken_by: {"hint":"Of a takeover: the id in `taken_by` as it was seen, null for none; 412 if it is another one by now"},
} as const;

export const send_message = {
  text: {"minLength":1,"hint":"The words"},
  template: {"hint":"A template that the channel has approved, in place of text"},
  buttons: {"maxItems":3,"hint":"Up to three answers to tap on, below the text"},
  options: {"hint":"Up to ten answers in a list that opens, below the text"},
  media: {"maxItems":1,"hint":"A file that was uploaded to this conversation and that no answer has taken; the text is its caption"},
  idempotency_key: {"minLength":1,"maxLength":200,"hint":"The same key again returns the message that there is"},
} as const;

export const answer_message = {
  text: {"minLength":1,"hint":"The words"},
  buttons: {"maxItems":3,"hint":"Up to three answers to tap on, below the text"},
  options: {"hint":"Up to ten answers in a list that opens, below the text"},
  media: {"maxItems":1,"hint":"A file that was uploaded to this conversation and that no answer has taken; the text is its caption"},
  in_reply_to: {"minLength":1,"maxLength":256,"hint":"One of the message_ids that were forwarded; null for something that nobody asked"},
  idempotency_key: {"minLength":1,"maxLength":200,"hint":"The same key again returns the message that there is"},
  usage: {"hint":"Tokens that the answer cost"},
  error: {"minLength":0,"maxLength":1000,"hint":"Why a model had no part in the answer, for the people who run the agent; shown as the message’s `error`"},
  tool_calls: {"maxItems":100,"hint":"The tools that the agent called for it"},
} as const;

export const hand_over_conversation = {
  reason: {"minLength":0,"maxLength":1000,"hint":"What the person should know; neither the sender nor the agent reads it"},
} as const;

export const write_in_playground = {
  text: {"minLength":1,"maxLength":4096,"hint":"What is written to the agent; may be left out with reply_id"},
  reply_id: {"minLength":1,"maxLength":256,"hint":"A tap on the button or option with this id, of one of the last 20 messages; its title is the text"},
  conversation_id: {"hint":"Goes on with a conversation of the playground"},
  identity_id: {"hint":"Who writes; on a shared instance it tells the customer"},
} as const;

export const decide_approval = {
  decision: {"required":true,"choices":["approve","reject"],"hint":"What was decided about the call"},
  comment: {"minLength":0,"maxLength":2000,"hint":"For the agent"},
} as const;

export const create_channel_endpoint = {
  channel: {"required":true,"choices":["chatapp"]},
  phone_number_id: {"required":true,"minLength":1,"maxLength":100,"hint":"The channel’s id of the number, not the number itself"},
  instance_id: {"required":true,"hint":"The instance that answers"},
  verify_token: {"required":true,"minLength":1,"maxLength":1000,"hint":"A word of yours, which the channel’s console asks for"},
  app_secret: {"required":true,"minLength":1,"maxLength":1000,"hint":"What the channel signs its messages with"},
  customer_id: {"hint":"A customer of the instance: who writes to the number writes to this customer. Required on a shared instance"},
  connection_name: {"minLength":1,"maxLength":200,"hint":"The customer’s chatapp connection that answers are sent with; without, the oldest one that is active"},
} as const;

export const update_channel_endpoint = {
  phone_number_id: {"minLength":1,"maxLength":100,"hint":"The channel’s id of the number, not the number itself"},
  instance_id: {"hint":"The instance that answers"},
  verify_token: {"minLength":1,"maxLength":1000,"hint":"A word of yours, which the channel’s console asks for"},
  app_secret: {"minLength":1,"maxLength":1000,"hint":"What the channel signs its messages with"},
  customer_id: {"hint":"A customer of the instance: who writes to the number writes to this customer. Required on a shared instance"},
  connection_name: {"minLength":1,"maxLength":200,"hint":"The customer’s chatapp connection that answers are sent with; without, the oldest one that is active"},
} as const;

export const create_event_endpoint = {
  url: {"required":true,"maxLength":2000,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+(?:[/?#].*)?$","hint":"An https URL of a public address; encrypted"},
  events: {"required":true,"maxItems":18,"hint":"The kinds that it is told of; `*` is all, those of later versions included"},
  description: {"minLength":0,"maxLength":200,"hint":"What it is for"},
  format: {"choices":["standard","slack","teams"],"hint":"How events are written; default: standard"},
  is_active: {"hint":"False: nothing is sent, and nothing is kept for it"},
} as const;

export const update_event_endpoint = {
  url: {"maxLength":2000,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+(?:[/?#].*)?$","hint":"An https URL of a public address; encrypted"},
  events: {"maxItems":18,"hint":"The kinds that it is told of; `*` is all, those of later versions included"},
  description: {"minLength":0,"maxLength":200,"hint":"What it is for"},
  format: {"choices":["standard","slack","teams"],"hint":"How events are written; default: standard"},
  is_active: {"hint":"False: nothing is sent, and nothing is kept for it"},
} as const;

export const rotate_event_secret = {
  overlap_seconds: {"minimum":0,"maximum":2592000,"hint":"How long the former secret signs as well"},
} as const;

export const create_tenant = {
  name: {"required":true,"minLength":1,"maxLength":200,"hint":"The name"},
  admin_email: {"required":true,"maxLength":320,"hint":"E-mail address of the tenant’s first admin"},
  admin_password: {"minLength":12,"maxLength":200,"hint":"The first admin’s password; without one, an invitation is answered"},
  expect_none: {"hint":"Refuses the call where a tenant exists already"},
} as const;

export const update_tenant = {
  name: {"minLength":1,"maxLength":200,"hint":"The name"},
  is_active: {"hint":"False where it is not used for new work"},
  limits: {},
} as const;

export const put_models = {
  models: {"required":true,"maxItems":5000,"hint":"The entries of the catalogue"},
} as const;

export const complete_chat = {
  model: {"minLength":0,"maxLength":300,"hint":"Used only if the policy allows it"},
  messages: {"required":true,"maxItems":10000,"hint":"The conversation, in OpenAI’s shape"},
  stream: {"hint":"Answer with server-sent events"},
} as const;

export const put_llm_provider = {
  base_url: {"required":true,"maxLength":1000,"pattern":"^\\s*[Hh][Tt][Tt][Pp][Ss]?:[/\\\\]*[^/\\\\?#@]+(?:[/\\\\][^?#]*)?$","hint":"An OpenAI-compatible endpoint, as https://api.openai.com/v1"},
  api_key: {"required":true,"maxLength":4000,"pattern":"^[\\x20-\\x7e]*$","hint":"Its key, encrypted and never returned; empty for an endpoint without one"},
} as const;

export const put_tenant_llm_provider = {
  base_url: {"required":true,"maxLength":1000,"pattern":"^\\s*[Hh][Tt][Tt][Pp][Ss]?:[/\\\\]*[^/\\\\?#@]+(?:[/\\\\][^?#]*)?$","hint":"An OpenAI-compatible endpoint, as https://api.openai.com/v1"},
  api_key: {"required":true,"maxLength":4000,"pattern":"^[\\x20-\\x7e]*$","hint":"Its key, encrypted and never returned; empty for an endpoint without one"},
} as const;

export const put_customer_budget = {
  monthly_cost: {"hint":"US dollars per month, a number or decimal text; null for no such limit"},
  monthly_tokens: {"minimum":0,"maximum":9007199254740991,"hint":"Tokens per month, input and output together; null for no such limit"},
} as const;

export const put_cluster = {
  region_id: {"required":true,"minLength":1,"maxLength":50,"hint":"The region that it serves"},
  engine: {"required":true,"choices":["docker","kubernetes"],"hint":"What runs the runtimes there"},
  is_active: {"hint":"False: it gets no new instances"},
  max_instances: {"minimum":1,"maximum":2147483647,"hint":"The instances that it takes; null: any number"},
  endpoint: {"minLength":1,"maxLength":500,"hint":"docker: unix:///… or tcp://…, kubernetes: https://…; null: that of the settings. It is not tried"},
  credentials: {"hint":"kubernetes: token and ca, docker: ca, cert and key, which tcp:// requires. Encrypted and never returned"},
  options: {"hint":"Only for kubernetes"},
} as const;

export const drain_cluster = {
  to: {"minLength":1,"maxLength":50,"hint":"The cluster that they go to; else each goes to an active cluster of its region with room"},
  force: {"hint":"Also where the cluster is out of reach: its runtimes are left behind, and are refused once they are back"},
} as const;

export const restart_instances = {
  cluster_id: {"minLength":0,"maxLength":200,"hint":"Only those of this cluster"},
  manifest_id: {"minLength":0,"maxLength":200,"hint":"Only those that run with this manifest"},
  tenant_id: {"hint":"Only those of this tenant"},
  at_once: {"minimum":1,"maximum":100,"hint":"How many restart at the same time"},
} as const;

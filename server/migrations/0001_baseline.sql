-- The tables by room. Functions, triggers and views stand in server/src/<room>/*.sql; docs/schema.md shows both together.

-- Roles belong to the whole cluster, so another database may have made them already.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['acp_service', 'acp_tenant', 'acp_system'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin noinherit nosuperuser nocreatedb nocreaterole nobypassrls', role_name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    -- The login may become each of them; it starts as acp_service, which owns nothing and may do nothing.
    if not pg_has_role(current_user, role_name, 'member') or current_setting('server_version_num')::int >= 160000 then
      begin
        execute format('grant %I to current_user', role_name);
      exception when others then
        if not pg_has_role(current_user, role_name, 'member') then raise; end if;
      end;
    end if;
  end loop;
end $$;

-- set_config('role', …) checks the login's membership, not the current role's, so acp_service needs none of them.
grant usage on schema public to acp_tenant, acp_system;

-- Readiness asks the list of migrations whether this version of the service may run on the schema.
grant select on schema_migrations to acp_system;

-- The tenant of the running transaction; null (and so no row) when none was set.
create function current_tenant() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;

-- Every table with a tenant_id calls this. Permissive rows for the tenant, and a restrictive guard so that a policy
-- added later cannot widen it. acp_system sees all rows but gets only the rights that are granted by name.
create procedure enable_tenant_rls(table_name regclass)
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
  execute format('create policy tenant_rows on %s to acp_tenant using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', table_name);
  execute format('create policy tenant_guard on %s as restrictive to acp_tenant using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', table_name);
  execute format('create policy system_rows on %s to acp_system using (true) with check (true)', table_name);
  execute format('grant select, insert, update, delete on %s to acp_tenant', table_name);
  execute format('grant select on %s to acp_system', table_name);
end $$;

-- The id of the master key that wrapped a value. Only columns with a generated master_key_id hold wrapped values.
create function master_key_of(wrapped bytea) returns bytea
  language sql immutable parallel safe
  return case when substr(wrapped, 1, 1) = '\x02'::bytea then substr(wrapped, 2, 8) end;

-- ----------------------------------------------------------------------------
-- platform: the queue of jobs, and the clock of starts
-- ----------------------------------------------------------------------------

-- A job is a ticket for one unit of work that runs serially (a conversation, a task, a schedule): one row per kind and key,
-- however often it is enqueued. The work itself stands in the tables of the unit (docs/decisions/0005-job-queue.md).
create table jobs (
  kind text collate "C" not null,
  key text collate "C" not null,
  -- The nil UUID for work of the service itself.
  tenant_id uuid not null,
  -- Jobs of a tenant that wait for the same resource, such as one runtime, share a lane.
  lane text collate "C" not null default 'default',
  -- Not before this time; -infinity for as soon as possible.
  run_at timestamptz not null default '-infinity',
  -- When it can be claimed. While it runs, the end of its lease, which the holder extends.
  due_at timestamptz not null,
  -- Failed tries in a row.
  attempts integer not null default 0,
  -- The run that holds it; null while it waits. A holder that lost its lease finds another run here.
  claim uuid,
  -- When it runs again, because it was enqueued while it ran.
  again_at timestamptz,
  primary key (kind, key)
);
create index jobs_lanes on jobs (kind, tenant_id, lane, due_at);
call enable_tenant_rls('jobs');
grant insert, update, delete on jobs to acp_system;

-- Grows while copies of the service run. Each also keeps the last number in its data directory, and so detects a database
-- that was restored from a backup.
create table service_clock (
  is_only boolean primary key default true check (is_only),
  number bigint not null
);
grant select, update on service_clock to acp_system;

-- ----------------------------------------------------------------------------
-- secrets: keys of the service
-- ----------------------------------------------------------------------------

-- Ids of the master keys in use; the operator has the keys. A row cannot be deleted while a wrapped value refers to it, and
-- afterwards no value can be wrapped by that key.
create table master_keys (
  id bytea primary key,
  taken_at timestamptz not null default now()
);
grant select, insert, delete, update (taken_at) on master_keys to acp_system;

-- Keys of the service itself (token signing, refresh tokens, lookups), wrapped by MASTER_KEY.
create table service_keys (
  id text primary key,
  wrapped_key bytea not null,
  created_at timestamptz not null default now(),
  master_key_id bytea references master_keys (id) generated always as (master_key_of(wrapped_key)) stored
);
grant select, insert, update (wrapped_key) on service_keys to acp_system;

-- Begin and end of each chain, sealed by the master key, so that the database alone cannot forge them. A tenant has both
-- from its creation: a missing one is a fault, not an empty chain.
create table chain_heads (
  tenant_id uuid not null,
  chain text not null check (chain in ('tool_calls', 'changes')),
  sealed bytea not null,
  master_key_id bytea references master_keys (id) generated always as (master_key_of(sealed)) stored,
  primary key (tenant_id, chain)
);
call enable_tenant_rls('chain_heads');
revoke delete on chain_heads from acp_tenant;
grant insert, update (sealed) on chain_heads to acp_system;

-- ----------------------------------------------------------------------------
-- access: tenants, their limits, users, sessions and API keys
-- ----------------------------------------------------------------------------

create table tenants (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Merged below every resolved configuration that a shared instance serves (contract, section 7).
  defaults jsonb not null default '{}',
  -- The tenant's data key, wrapped by MASTER_KEY (AES-256-GCM).
  wrapped_key bytea not null,
  is_platform boolean not null default false,
  created_at timestamptz not null default now(),
  master_key_id bytea references master_keys (id) generated always as (master_key_of(wrapped_key)) stored,
  -- While a tenant is inactive its runtimes do not run.
  is_active boolean not null default true,
  limits jsonb not null default '{}'
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy own_tenant on tenants to acp_tenant using (id = current_tenant());
create policy system_rows on tenants to acp_system using (true) with check (true);
grant select on tenants to acp_tenant;
grant select, insert, update on tenants to acp_system;

-- How many rows each tenant has of a limited kind. Inserts count in their own statement; its row lock decides the race for
-- the last place.
create table tenant_counts (
  tenant_id uuid not null references tenants (id),
  name text collate "C" not null,
  used bigint not null,
  -- The value before the last transaction: replacing a row is allowed above a lowered limit.
  used_before bigint not null default 0,
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, name)
) with (fillfactor=50);
call enable_tenant_rls('tenant_counts');
grant insert, update on tenant_counts to acp_system;

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  -- An account belongs to the tenant that created it; the same address may have accounts in other tenants. A password that
  -- one tenant chose therefore opens no other tenant.
  home_tenant_id uuid references tenants (id),
  -- False when an admin chose the password.
  password_is_owners boolean not null default false,
  last_login_at timestamptz,
  constraint users_id_email unique (id, email)
);
create index users_email on users (lower(email));

create table memberships (
  tenant_id uuid not null references tenants (id),
  user_id uuid not null,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  email text not null,
  primary key (user_id, tenant_id),
  foreign key (user_id, email) references users (id, email) on update cascade
);
create unique index memberships_email on memberships (tenant_id, lower(email));
create index memberships_tenant on memberships (tenant_id, created_at desc);
call enable_tenant_rls('memberships');
grant insert on memberships to acp_system;

-- A tenant sees its members, never a password hash.
alter table users enable row level security;
alter table users force row level security;
create policy members on users for select to acp_tenant
  using (exists (select from memberships m where m.user_id = users.id and m.tenant_id = current_tenant()));
create policy system_rows on users to acp_system using (true) with check (true);
grant select (id, email, created_at) on users to acp_tenant;
grant select, insert, update on users to acp_system;

-- One login. The refresh token is derived from (id, generation) and not stored (contract, section 3).
create table sessions (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  user_id uuid not null references users (id),
  generation integer not null default 1,
  rotated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  -- The first session of its family, which may be another tenant's; null for the first. A login and the sessions begun with
  -- its tokens (switch-tenant) are one family and revoked together.
  family_id uuid,
  -- Of the first session: when an old refresh token was reused, which ended the family.
  reused_at timestamptz
);
create index sessions_ended on sessions (least(expires_at, revoked_at));
create index sessions_family on sessions (family_id) where family_id is not null;
create index sessions_user on sessions (user_id);
call enable_tenant_rls('sessions');
grant insert, update, delete on sessions to acp_system;

-- Networks that an account signed in from: failed logins from others do not lock them out.
create table login_networks (
  user_id uuid not null references users (id),
  network text not null,
  last_login_at timestamptz not null,
  primary key (user_id, network)
);
grant select, insert, update, delete on login_networks to acp_system;

create table invitations (
  token_hash bytea primary key,
  tenant_id uuid not null references tenants (id),
  email text not null,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);
call enable_tenant_rls('invitations');
grant insert, update (accepted_at) on invitations to acp_system;

create table password_resets (
  token_hash bytea primary key,
  tenant_id uuid not null references tenants (id),
  user_id uuid not null,
  -- The operator may reset accounts of several tenants. An admin's token ends when the account joins another tenant.
  by_operator boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (user_id, tenant_id) references memberships (user_id, tenant_id) on delete cascade
);
create index password_resets_member on password_resets (user_id, tenant_id);
call enable_tenant_rls('password_resets');
grant insert, update (used_at) on password_resets to acp_system;

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  name text not null,
  -- The part before the second underscore, which may be shown.
  prefix text not null,
  key_hash bytea not null unique,
  role text not null check (role in ('member', 'admin')),
  scopes text[] not null,
  rate_limit_limit integer not null check (rate_limit_limit > 0),
  rate_limit_window_seconds integer not null check (rate_limit_window_seconds > 0),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_tenant on api_keys (tenant_id, created_at desc);
call enable_tenant_rls('api_keys');
grant insert, update (last_used_at) on api_keys to acp_system;

-- ----------------------------------------------------------------------------
-- catalogue: what recipes and deployments choose from
-- ----------------------------------------------------------------------------

-- Sizes of instances. The operator's, the same for all tenants.
create table tiers (
  id uuid primary key,
  name text not null,
  description text,
  cpu_millis integer,
  memory_mib integer,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select on tiers to acp_tenant;
grant select, insert, update on tiers to acp_system;

create table regions (
  id text primary key check (length(id) <= 50),
  name text not null,
  -- The channel's send API for this region; null for its public address.
  chatapp_api_base_url text,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select on regions to acp_tenant;
grant select, insert, update on regions to acp_system;

-- The public model catalogue (specification, section 2.9).
create table models (
  id uuid primary key default gen_random_uuid(),
  -- The provider's name; the key of the upsert (contract, section 10).
  model_id text not null unique,
  -- The name in recipes and approved primitives.
  slug text not null,
  display_name text not null,
  provider text,
  modality text,
  api_format text,
  capabilities jsonb not null default '[]',
  context_window integer,
  max_output_tokens integer,
  typical_tps integer,
  speed_tier text,
  -- US dollars per million tokens, as decimal text.
  cost_input_per_mtok text check (cost_input_per_mtok ~ '^\d+(\.\d+)?$'),
  cost_cached_input_per_mtok text check (cost_cached_input_per_mtok ~ '^\d+(\.\d+)?$'),
  cost_output_per_mtok text check (cost_output_per_mtok ~ '^\d+(\.\d+)?$'),
  is_active boolean not null default true,
  is_deprecated boolean not null default false,
  -- The source of the facts and the day they were read; not public.
  source text,
  observed_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select (is_active, model_id, slug) on models to acp_tenant;
grant select, insert, update on models to acp_system;

create table primitives (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  kind text not null
    check (kind in ('skill', 'channel', 'integration', 'mcp_server', 'workflow', 'model', 'sidecar_runtime')),
  slug text not null,
  display_name text,
  created_at timestamptz not null default now(),
  constraint primitives_slug unique (tenant_id, kind, slug)
);
call enable_tenant_rls('primitives');
grant insert on primitives to acp_system;

-- The primitives of a new tenant (contract, section 10); also the catalogue of the AI assist.
create table default_primitives (
  kind text not null,
  slug text not null,
  display_name text not null,
  primary key (kind, slug)
);
grant select on default_primitives to acp_tenant;
grant select on default_primitives to acp_system;

-- ----------------------------------------------------------------------------
-- customers
-- ----------------------------------------------------------------------------

create table customers (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  email text,
  company_name text,
  country_code text,
  currency text,
  timezone text not null default 'UTC',
  locale text,
  payments_customer_id text,
  rules jsonb not null default '{}',
  config jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index customers_created_at on customers (tenant_id, created_at desc, id);
create unique index customers_email on customers (tenant_id, lower(email));
call enable_tenant_rls('customers');

create table websites (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  -- Lower case, without port and trailing dot. Unique over all tenants: one name has one owner.
  hostname text not null,
  created_at timestamptz not null default now(),
  constraint websites_hostname unique (tenant_id, hostname),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create index websites_customer on websites (tenant_id, customer_id, created_at desc);
call enable_tenant_rls('websites');

create table subscriptions (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  status text not null check (status in ('trialing', 'active', 'past_due', 'paused', 'canceled')),
  plan text,
  current_period_end timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create index subscriptions_customer on subscriptions (tenant_id, customer_id, created_at desc);
call enable_tenant_rls('subscriptions');

-- ----------------------------------------------------------------------------
-- connections
-- ----------------------------------------------------------------------------

create table connections (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  provider text not null,
  name text,
  -- AES-256-GCM under the tenant's data key; emptied when the connection is revoked.
  sealed_credentials bytea,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  -- The channel refused the credentials; one message at a time is tried again.
  refused_at timestamptz,
  last_error text,
  probe_at timestamptz,
  -- Hosts that the gateway may send the credentials to.
  allowed_hosts text[] not null default '{}',
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create index connections_customer on connections (tenant_id, customer_id, created_at);
create index connections_states on connections (expires_at, refused_at) where revoked_at is null;
call enable_tenant_rls('connections');

-- The connections that an instance may use: those that its recipe requires.
create table instance_grants (
  tenant_id uuid not null,
  instance_id uuid not null,
  connection_id uuid not null references connections (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (instance_id, connection_id)
);
create index instance_grants_connection on instance_grants (connection_id);
call enable_tenant_rls('instance_grants');

-- ----------------------------------------------------------------------------
-- identities: chat addresses of people
-- ----------------------------------------------------------------------------

create table identities (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  channel text not null,
  external_id text not null,
  display_name text,
  role_override text,
  verified boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Replies kept beyond the conversation, under the tenant's key.
  sealed_attributes bytea,
  constraint identities_external_id unique (tenant_id, channel, external_id),
  constraint identities_of_customer unique (tenant_id, customer_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create index identities_customer on identities (tenant_id, customer_id, created_at desc);
call enable_tenant_rls('identities');

-- The addresses of an identity: its own external_id, and those that the channel named for the same sender (a phone number
-- and a business-scoped user id). An address belongs to one identity.
create table identity_addresses (
  tenant_id uuid not null,
  channel text not null,
  external_id text not null,
  identity_id uuid not null references identities (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint identity_addresses_key primary key (tenant_id, channel, external_id)
);
create index identity_addresses_identity on identity_addresses (identity_id);
call enable_tenant_rls('identity_addresses');

-- ----------------------------------------------------------------------------
-- recipes
-- ----------------------------------------------------------------------------

create table recipes (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  revision integer not null default 1,
  name text not null,
  description text,
  hosting_mode text not null default 'dedicated' check (hosting_mode in ('dedicated', 'shared')),
  shared_node_capacity integer not null default 50,
  is_active boolean not null default true,
  is_platform_template boolean not null default false,
  source_instance_id uuid,
  system_prompt text,
  manifest_id text,
  onboarding_flow_id uuid,
  rules_template_id uuid,
  approval_rules jsonb,
  channel_config jsonb,
  compliance_config jsonb,
  data_access jsonb,
  model_policy jsonb,
  module_config jsonb,
  voice_config jsonb,
  channel_types jsonb not null default '[]',
  connection_requirements jsonb not null default '[]',
  mcp_servers jsonb not null default '[]',
  skills jsonb not null default '[]',
  trigger_templates jsonb,
  workflow_slugs jsonb not null default '[]',
  sidecars jsonb not null default '[]',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index recipes_platform on recipes (created_at desc) where is_platform_template and deleted_at is null;
create index recipes_tenant on recipes (tenant_id, created_at desc) where deleted_at is null;
-- Platform templates can be read by everybody, and changed by no tenant.
call enable_tenant_rls('recipes');
drop policy tenant_guard on recipes;
create policy tenant_guard on recipes as restrictive to acp_tenant
  using (tenant_id = current_tenant() or is_platform_template) with check (tenant_id = current_tenant());
create policy platform_templates on recipes for select to acp_tenant using (is_platform_template);
grant insert on recipes to acp_system;

-- A recipe after each change. `content` is its row, without id, tenant and times.
create table recipe_revisions (
  tenant_id uuid not null,
  recipe_id uuid not null,
  revision integer not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (recipe_id, revision),
  foreign key (tenant_id, recipe_id) references recipes (tenant_id, id)
);
call enable_tenant_rls('recipe_revisions');
drop policy tenant_guard on recipe_revisions;
create policy tenant_guard on recipe_revisions as restrictive to acp_tenant
  using (tenant_id = current_tenant()
         or exists (select from recipes r where r.id = recipe_id and r.is_platform_template))
  with check (tenant_id = current_tenant());
create policy platform_templates on recipe_revisions for select to acp_tenant
  using (exists (select from recipes r where r.id = recipe_id and r.is_platform_template));
grant insert on recipe_revisions to acp_system;

create table rules_templates (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  name text not null,
  rules jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index rules_templates_latest on rules_templates (tenant_id, created_at desc, id);
call enable_tenant_rls('rules_templates');

create table onboarding_flows (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  name text not null,
  -- A list of {text, save_as}.
  steps jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index onboarding_flows_latest on onboarding_flows (tenant_id, created_at desc, id);
call enable_tenant_rls('onboarding_flows');

-- Kinds of runtime that instances can run. The operator's; the service maintains the row `reference` for its own runtime.
create table manifests (
  id text primary key check (length(id) <= 200),
  name text not null,
  image text,
  command jsonb,
  sidecar_images jsonb,
  capabilities jsonb not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select on manifests to acp_tenant;
grant select, insert, update on manifests to acp_system;

-- ----------------------------------------------------------------------------
-- workforce
-- ----------------------------------------------------------------------------

create table staff (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  -- Sorted by code point, so that every database answers in the same order.
  name text collate "C" not null,
  email text,
  phone text,
  role text not null check (role in ('employee', 'contractor', 'supplier', 'customer_contact')),
  skills jsonb not null default '[]',
  certifications jsonb not null default '[]',
  inductions jsonb not null default '[]',
  tier integer not null check (tier between 1 and 5),
  status text not null default 'active'
    check (status in ('active', 'inactive', 'on_leave', 'suspended', 'terminated')),
  availability_notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  number integer generated always as identity,
  -- The id in the system that staff are imported from.
  external_id text,
  constraint staff_external_id unique (tenant_id, customer_id, external_id),
  unique (tenant_id, customer_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('staff');

-- The search index of staff: one row for each term of each person, kept by triggers (workforce/staff-terms.sql). Row-level
-- security lets only leakproof operators use an index: equality of text is one, @> of arrays is not. Counting and paging
-- read the index alone.
create table staff_terms (
  tenant_id uuid not null,
  customer_id uuid not null,
  -- The empty term is that of all staff.
  term text collate "C" not null,
  name text collate "C" not null,
  person_id uuid not null,
  number integer not null,
  -- By the clock of the customer's time zone (is_local), else in UTC; infinity where the term has no end.
  ends_at timestamp not null,
  is_local boolean not null,
  primary key (tenant_id, customer_id, term, name, person_id, ends_at, is_local) include (number)
);
create index staff_terms_end on staff_terms (tenant_id, customer_id, term, ends_at)
  include (is_local, number, person_id) where ends_at < 'infinity';
create index staff_terms_number on staff_terms (number);
call enable_tenant_rls('staff_terms');

create table staff_sets (
  tenant_id uuid not null,
  customer_id uuid not null,
  term text collate "C" not null,
  -- The month of ends_at.
  ends_in date not null,
  -- Bit n of block b is staff number 4096 * b + n.
  block integer not null,
  bits bit(4096) not null,
  primary key (tenant_id, customer_id, term, ends_in, block)
) with (fillfactor=75);
call enable_tenant_rls('staff_sets');

-- A channel address that speaks for a person of the staff.
create table staff_bindings (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  channel_type text not null,
  channel_address text not null,
  state text not null default 'unverified' check (state in ('unverified', 'verified', 'rejected')),
  -- A keyed hash of the code that the person has to answer with; null where "yes" is enough.
  code_hash bytea,
  wrong_codes integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The address that the code was made for, which the binding may have changed since.
  code_address text,
  constraint staff_bindings_address unique (tenant_id, channel_type, channel_address, customer_id),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index staff_bindings_person on staff_bindings (tenant_id, person_id, created_at desc);
call enable_tenant_rls('staff_bindings');

create table shifts (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  job_id text,
  title text,
  site text,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index shifts_customer on shifts (tenant_id, customer_id, created_at desc, id);
create index shifts_person on shifts (tenant_id, person_id, ends_at);
call enable_tenant_rls('shifts');

create table assignments (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  job_id text,
  title text,
  site text,
  starts_at timestamptz,
  -- Null while no end is set.
  ends_at timestamptz,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index assignments_customer on assignments (tenant_id, customer_id, created_at desc, id);
create index assignments_person on assignments (tenant_id, person_id, ends_at);
call enable_tenant_rls('assignments');

create table timesheets (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid,
  date date not null,
  hours numeric not null check (hours > 0 and hours <= 24),
  description text,
  job_id text,
  rate numeric,
  shift_id uuid references shifts (id) on delete set null,
  status text not null default 'submitted' check (status in ('submitted', 'approved', 'rejected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  number bigint generated always as identity,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id)
    on delete set null (person_id)
);
create index timesheets_customer on timesheets (tenant_id, customer_id, created_at desc, id);
create index timesheets_of_shift on timesheets (shift_id) where shift_id is not null;
create index timesheets_person on timesheets (tenant_id, person_id, date desc);
-- A shift is paid once. A rejected timesheet makes room for a corrected one.
create unique index timesheets_shift on timesheets (shift_id) where status <> 'rejected';
call enable_tenant_rls('timesheets');

-- ----------------------------------------------------------------------------
-- instances: instances, the deployments that they serve, and the tasks that change them
-- ----------------------------------------------------------------------------

-- Tunnel addresses are assigned in sequence, so an address whose former peer may still be configured is not reused until
-- four million others were.
create sequence tunnel_address_numbers minvalue 1 maxvalue 4194302 cycle;
grant usage on sequence tunnel_address_numbers to acp_tenant;

create table instances (
  id uuid primary key,
  tenant_id uuid not null,
  -- The customer that it was made for; a shared instance serves others too (see deployments).
  customer_id uuid,
  recipe_id uuid not null references recipes (id),
  recipe_revision integer not null,
  template_name text not null,
  tier_id uuid not null references tiers (id),
  region_id text not null references regions (id),
  hostname text not null,
  hosting_mode text not null check (hosting_mode in ('dedicated', 'shared')),
  manifest_id text,
  capacity integer not null check (capacity >= 1),
  placed integer not null default 1,
  status text not null default 'pending'
    check (status in ('pending', 'provisioning', 'running', 'stopped', 'failed', 'terminating', 'terminated')),
  resolved_config jsonb not null,
  provenance jsonb not null,
  -- The service's secret towards the runtime, sealed under the tenant's key.
  sealed_message_secret bytea,
  tunnel_address inet,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- WireGuard public key, 32 bytes in base64. Two peers with one key are one peer, so it is unique.
  wg_public_key text check (wg_public_key ~ '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$'),
  -- Who acts on each key of the configuration since the deploy or last upgrade, and the manifest that was chosen then: the
  -- named one may not be offered.
  effects jsonb,
  applied_manifest_id text not null default 'reference',
  unique (tenant_id, id),
  check (placed >= 0 and placed <= capacity),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id)
);
create index instances_customer on instances (tenant_id, customer_id);
create index instances_revision on instances (tenant_id, recipe_id, recipe_revision) where status <> 'terminated';
create index instances_shared on instances (tenant_id, recipe_id, recipe_revision, region_id)
  where hosting_mode = 'shared' and status in ('pending', 'provisioning', 'running');
-- Gauges are counted from this index alone.
create index instances_states on instances (status) where status <> 'terminated';
create index instances_tenant on instances (tenant_id, created_at desc);
create index instances_terminated on instances (updated_at) where status = 'terminated';
create unique index instances_tunnel_address on instances (tunnel_address) where tunnel_address is not null;
create unique index instances_wg_public_key on instances (wg_public_key) where wg_public_key is not null;
call enable_tenant_rls('instances');
grant update on instances to acp_system;

-- A customer's place on an instance; one for each accepted deploy request.
create table deployments (
  id uuid primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid,
  recipe_id uuid not null references recipes (id),
  recipe_revision integer not null,
  hostname text not null,
  idempotency_key text not null,
  plan_hash text not null,
  task_id uuid not null,
  template_name text not null,
  instance_overrides jsonb,
  resolved_config jsonb not null,
  violations jsonb not null,
  -- Attached when the deploy is wired.
  onboarding_flow_id uuid,
  released_at timestamptz,
  created_at timestamptz not null default now(),
  -- Days that contents of the customer's conversations are kept.
  retention_days integer not null default 0 check (retention_days between 0 and 365),
  -- Trigger times before this one count as fired.
  triggers_since timestamptz not null default now(),
  constraint deployments_idempotency_key unique (tenant_id, idempotency_key),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) deferrable initially deferred
);
create index deployments_customer on deployments (tenant_id, customer_id) where released_at is null;
create index deployments_instance on deployments (tenant_id, instance_id, customer_id) where released_at is null;
call enable_tenant_rls('deployments');

create table tasks (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  instance_id uuid not null,
  deployment_id uuid,
  kind text not null check (kind in ('provision', 'join', 'leave', 'start', 'stop', 'terminate', 'upgrade')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'succeeded', 'failed', 'canceling', 'canceled')),
  -- The runner that works on it. One that was believed dead finds another id here and stops.
  runner_id uuid,
  step text,
  progress integer not null default 0 check (progress between 0 and 100),
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- It failed for good and is being undone, which may take several runs.
  is_failing boolean not null default false,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) deferrable initially deferred
);
create index tasks_instance on tasks (tenant_id, instance_id, created_at desc);
-- One task at a time changes an instance. Customers who join or leave a shared one do not change it.
create unique index tasks_one_at_a_time on tasks (instance_id)
  where kind not in ('join', 'leave') and status in ('queued', 'running');
create index tasks_provisioning on tasks (tenant_id, created_at)
  where kind = 'provision' and status in ('queued', 'running');
call enable_tenant_rls('tasks');

-- The steps that a task has done: another runner resumes or undoes from there.
create table task_steps (
  tenant_id uuid not null,
  task_id uuid not null references tasks (id),
  step text not null,
  status text not null check (status in ('started', 'done', 'undone')),
  attempts integer not null default 1,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (task_id, step)
);
call enable_tenant_rls('task_steps');

-- An upgrade in progress. The row holds the new configuration until it is applied, then the former one for an undo. It is
-- deleted at the end of the task.
create table upgrades (
  task_id uuid primary key references tasks (id),
  tenant_id uuid not null,
  plan_hash text not null,
  is_applied boolean not null default false,
  recipe_revision integer not null,
  template_name text not null,
  manifest_id text,
  resolved_config jsonb not null,
  provenance jsonb not null,
  -- The skills that require a PIN afterwards, and those of them that are new.
  pin_skills jsonb not null,
  pins_added jsonb,
  -- The hash of the former start, and the generations begun because it changed.
  former_spec_hash text,
  renewed_generation integer,
  restored_generation integer,
  effects jsonb,
  applied_manifest_id text not null default 'reference'
);
call enable_tenant_rls('upgrades');

create table deployment_upgrades (
  task_id uuid not null references upgrades (task_id) on delete cascade,
  deployment_id uuid not null references deployments (id),
  tenant_id uuid not null,
  is_applied boolean not null default false,
  recipe_revision integer not null,
  plan_hash text not null,
  instance_overrides jsonb,
  resolved_config jsonb not null,
  retention_days integer not null,
  onboarding_flow_id uuid,
  primary key (task_id, deployment_id)
);
create index deployment_upgrades_deployment on deployment_upgrades (deployment_id);
call enable_tenant_rls('deployment_upgrades');

create table instance_events (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null default now(),
  "from" text,
  "to" text not null,
  step text,
  message text,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) deferrable initially deferred
);
create index instance_events_at on instance_events (at);
create index instance_events_instance on instance_events (tenant_id, instance_id, id desc);
call enable_tenant_rls('instance_events');
grant delete on instance_events to acp_system;

-- ----------------------------------------------------------------------------
-- pins
-- ----------------------------------------------------------------------------

-- A PIN of a customer, or of one of its identities, which then counts in place of the customer's (contract, section 5).
create table pins (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  identity_id uuid,
  -- argon2id over the peppered PIN.
  pin_hash text not null,
  -- Changes with each PIN, which ends sessions of the former one.
  version uuid not null default gen_random_uuid(),
  -- Attempts since the last right one, counted before the hash is computed (pins/lockout.ts).
  attempts integer not null default 0 check (attempts >= 0),
  locked_until timestamptz,
  created_at timestamptz not null,
  constraint pins_owner unique nulls not distinct (tenant_id, customer_id, identity_id),
  constraint pins_identity foreign key (tenant_id, customer_id, identity_id)
    references identities (tenant_id, customer_id, id) on delete cascade,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('pins');

-- When an instance asks for a PIN (specification, section 2.5).
create table pin_policies (
  tenant_id uuid not null,
  instance_id uuid primary key,
  pin_applies_to text not null default 'all' check (pin_applies_to in ('owner', 'customer', 'all')),
  pin_required_skills jsonb not null default '[]',
  pin_session_ttl_minutes integer not null default 15 check (pin_session_ttl_minutes between 1 and 1440),
  updated_at timestamptz not null default now(),
  -- The service itself requires the session.
  enforced boolean not null default false,
  -- Internal routes require a sender token (contract, section 17).
  require_sender_token boolean not null default false,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
call enable_tenant_rls('pin_policies');

-- Wrong PINs in a row by an identity, or by all calls without one (null). They outlive a change of the PIN (contract,
-- section 17). pins.attempts counts everybody's attempts at one PIN.
create table pin_tries (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  identity_id uuid,
  attempts integer not null check (attempts >= 0),
  locked_until timestamptz,
  constraint pin_tries_who unique nulls not distinct (tenant_id, customer_id, identity_id),
  constraint pin_tries_identity foreign key (tenant_id, customer_id, identity_id)
    references identities (tenant_id, customer_id, id) on delete cascade,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('pin_tries');

-- Sessions that a right PIN began.
create table pin_sessions (
  token_hash bytea primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  pin_id uuid not null references pins (id) on delete cascade,
  pin_version uuid not null,
  expires_at timestamptz not null,
  -- Null for the customer. No reference: a verification may end after its identity was deleted.
  identity_id uuid,
  -- The only skill or tool that it is for; null for all.
  purpose text,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index pin_sessions_expires on pin_sessions (expires_at);
create index pin_sessions_pin on pin_sessions (pin_id);
call enable_tenant_rls('pin_sessions');
grant delete on pin_sessions to acp_system;

-- ----------------------------------------------------------------------------
-- certificates
-- ----------------------------------------------------------------------------

-- The keys of the private certificate authority.
create table ca_keys (
  id uuid primary key,
  kind text not null check (kind in ('root', 'issuing')),
  -- The certificate; of an issuing one from a file, its intermediates as well.
  cert_pem text not null,
  cert_sha256 bytea not null,
  serial text not null,
  -- Null for a root whose key is kept elsewhere.
  sealed_private_key bytea,
  issued_by uuid references ca_keys (id),
  not_before timestamptz not null,
  not_after timestamptz not null,
  -- It issues nothing any more, and is trusted until its certificates have expired.
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  master_key_id bytea references master_keys (id) generated always as (master_key_of(sealed_private_key)) stored,
  constraint ca_keys_certificate unique (kind, cert_sha256),
  check (sealed_private_key is not null or kind = 'root'),
  check ((issued_by is null) = (kind = 'root'))
);
create unique index ca_keys_at_work on ca_keys (kind) where retired_at is null;
grant select, insert, update (retired_at, sealed_private_key) on ca_keys to acp_system;

-- Every certificate that an instance was ever given (specification, section 4.10).
create table certificates (
  -- 32 hexadecimal digits, the first neither 0 nor above 7, so that all tools write it alike.
  serial text primary key check (serial ~ '^[4-7][0-9a-f]{31}$'),
  tenant_id uuid not null,
  instance_id uuid not null,
  issuer_id uuid not null references ca_keys (id),
  cert_pem text not null,
  -- SHA-256 of the key's SubjectPublicKeyInfo.
  public_key_sha256 bytea not null,
  spiffe_id text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  issued_at timestamptz not null,
  revoked_at timestamptz,
  revocation_reason text
    check (revocation_reason in ('unspecified', 'key_compromise', 'superseded', 'cessation_of_operation')),
  -- The certificate that took its place.
  replaced_by text references certificates (serial) deferrable initially deferred,
  first_used_at timestamptz,
  check ((revoked_at is null) = (revocation_reason is null)),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
-- Decides between two renewals at once.
create unique index certificates_current on certificates (instance_id) where revoked_at is null;
create index certificates_ending on certificates (not_after) where revoked_at is null;
create index certificates_instance on certificates (tenant_id, instance_id, issued_at desc);
-- One renewal per hour (specification, section 8).
create index certificates_renewed on certificates (instance_id, revoked_at desc) where replaced_by is not null;
create index certificates_revoked on certificates (issuer_id, not_after) where revoked_at is not null;
call enable_tenant_rls('certificates');
grant update (first_used_at) on certificates to acp_system;

-- A runtime enrolls with one (contract, section 8), once.
create table enrollment_tokens (
  token_hash bytea primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Returned again while nobody has used it, in case the response was lost.
  certificate_serial text references certificates (serial) deferrable initially deferred,
  check ((used_at is null) = (certificate_serial is null)),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index enrollment_tokens_instance on enrollment_tokens (tenant_id, instance_id);
call enable_tenant_rls('enrollment_tokens');

-- ----------------------------------------------------------------------------
-- runtimes
-- ----------------------------------------------------------------------------

-- The copies of the service that run runtimes. One that was not seen for 30 seconds counts as dead.
create table runtime_hosts (
  id uuid primary key,
  seen_at timestamptz not null
);
grant select on runtime_hosts to acp_tenant;
grant select, insert, update, delete on runtime_hosts to acp_system;

-- The runtime of each instance: its wanted state, and the state that its host observed.
create table runtimes (
  instance_id uuid primary key,
  tenant_id uuid not null,
  -- The host that runs or is to run it.
  host_id uuid,
  wanted boolean not null default false,
  -- Grows with each start.
  generation integer not null default 0,
  -- The tier's limits at the start.
  cpu_millis integer,
  memory_mib integer,
  spec_hash text,
  -- The engine's address of it; null when none runs.
  address text,
  phase text not null default 'gone' check (phase in ('starting', 'up', 'ending', 'gone')),
  reason text check (reason in ('unschedulable', 'image_pull_failed', 'spec_rejected', 'name_taken', 'start_timeout',
    'crashed', 'out_of_memory', 'identity_refused', 'evicted', 'node_lost', 'cluster_unreachable')),
  restarts integer not null default 0,
  -- Begin of its phase.
  since timestamptz not null default now(),
  -- When it was first up after its start was requested. From then on it is restarted without limit.
  up_at timestamptz,
  -- Since when it is up and fails its health checks.
  unready_since timestamptz,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) on delete cascade
);
create index runtimes_host on runtimes (host_id) where host_id is not null;
-- Gauges are counted from this index alone.
create index runtimes_states on runtimes (phase) include (unready_since) where wanted or phase <> 'gone';
call enable_tenant_rls('runtimes');
grant update on runtimes to acp_system;

-- A runtime's credential for the internal routes. The hash is looked up; the sealed copy is sent to the runtime.
create table proxy_keys (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  instance_id uuid not null,
  key_hash bytea not null unique,
  sealed_key bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index proxy_keys_instance on proxy_keys (tenant_id, instance_id, created_at desc);
call enable_tenant_rls('proxy_keys');

-- A runtime's credential for the model gateway; a new one for each start.
create table llm_keys (
  instance_id uuid primary key,
  tenant_id uuid not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
call enable_tenant_rls('llm_keys');

-- ----------------------------------------------------------------------------
-- channels
-- ----------------------------------------------------------------------------

create table channel_endpoints (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  channel text not null check (channel = 'chatapp'),
  phone_number_id text not null,
  instance_id uuid not null,
  verify_token_hash bytea not null,
  app_secret_hash bytea not null,
  sealed_app_secret bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When its secret last signed a payload, to the minute, and the business accounts in signed payloads, newest first.
  verified_at timestamptz,
  business_account_ids text[] not null default '{}',
  -- The customer of a shared instance that the number belongs to, and the connection that sends from it.
  customer_id uuid,
  connection_name text,
  constraint channel_endpoints_phone_number_id unique (tenant_id, channel, phone_number_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index channel_endpoints_accounts on channel_endpoints using gin (business_account_ids);
create index channel_endpoints_app_secret on channel_endpoints (channel, app_secret_hash);
create index channel_endpoints_instance on channel_endpoints (tenant_id, instance_id);
create index channel_endpoints_number on channel_endpoints (channel, phone_number_id);
create index channel_endpoints_tenant on channel_endpoints (tenant_id, created_at desc);
create index channel_endpoints_verified on channel_endpoints (channel, verified_at desc nulls last, created_at desc);
create index channel_endpoints_verify_token on channel_endpoints (channel, verify_token_hash);
call enable_tenant_rls('channel_endpoints');
grant update (business_account_ids, verified_at) on channel_endpoints to acp_system;

-- Opt-outs: senders who wrote STOP get no triggers until they write START. They outlive the conversation, so the address is
-- a keyed hash.
create table opt_outs (
  tenant_id uuid not null,
  customer_id uuid not null,
  address_hash bytea not null,
  at timestamptz not null,
  primary key (customer_id, address_hash),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('opt_outs');

-- ----------------------------------------------------------------------------
-- conversations
-- ----------------------------------------------------------------------------

-- One sender in one channel with one customer's agent.
create table conversations (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid not null,
  channel text not null,
  external_id text not null,
  -- The number of the last incoming message, from which answers are sent; null in the playground.
  endpoint_id uuid references channel_endpoints (id) on delete set null,
  -- The sender's phone number, where the channel names it beside the user id.
  phone text,
  identity_id uuid references identities (id) on delete set null,
  display_name text,
  mode text not null default 'agent' check (mode in ('agent', 'human')),
  -- When the mode `human` ends by itself; null if a person has to end it.
  human_until timestamptz,
  -- By how much each answer of a person extends it; null where `human_until` is fixed.
  human_for interval,
  -- Waiting messages are forwarded together, because a person had the conversation.
  joins_waiting boolean not null default false,
  -- The highest number of an answered incoming message.
  answered_number bigint not null default 0,
  -- True while an incoming message has a higher one.
  is_unanswered boolean not null default false,
  -- The end of the closed period for which the away message was sent.
  away_until timestamptz,
  sealed_attributes bytea,
  last_message_at timestamptz not null,
  last_in_at timestamptz,
  -- When the last content was erased; null while there is some.
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  -- The onboarding flow in progress.
  onboarding_flow_id uuid,
  -- How many of its steps were asked, and the last message's number before the last step: replies have higher numbers.
  onboarding_step integer not null default 0,
  onboarding_number bigint not null default 0,
  -- When it ended.
  onboarded_at timestamptz,
  constraint conversations_once unique (customer_id, instance_id, channel, external_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index conversations_endpoint on conversations (endpoint_id) where endpoint_id is not null;
create index conversations_erased on conversations (erased_at) where erased_at is not null;
create index conversations_human_until on conversations (human_until) where human_until is not null;
create index conversations_identity on conversations (identity_id) where identity_id is not null;
create index conversations_instance on conversations (tenant_id, instance_id, last_message_at desc);
create index conversations_latest on conversations (tenant_id, last_message_at desc, id);
create index conversations_unanswered on conversations (tenant_id, last_message_at desc, id) where is_unanswered;
call enable_tenant_rls('conversations');
grant insert, update, delete on conversations to acp_system;

create sequence channel_message_numbers;
grant usage on sequence channel_message_numbers to acp_system, acp_tenant;
create sequence message_changes;
grant usage on sequence message_changes to acp_system, acp_tenant;

-- Messages of both directions.
create table channel_messages (
  id uuid primary key default gen_random_uuid(),
  -- The order of arrival; the messages of one payload have the same received_at.
  number bigint not null default nextval('channel_message_numbers'),
  tenant_id uuid not null,
  endpoint_id uuid references channel_endpoints (id) on delete set null,
  instance_id uuid not null,
  channel text not null,
  message_id text,
  external_id text not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  last_error text,
  received_at timestamptz not null default now(),
  -- 24 hours after it arrived, or after a retry was requested.
  give_up_at timestamptz not null,
  finished_at timestamptz,
  conversation_id uuid references conversations (id) on delete cascade,
  direction text not null default 'in' check (direction in ('in', 'out')),
  author text not null default 'sender' check (author in ('sender', 'agent', 'person', 'system')),
  user_id uuid,
  kind text not null default 'text',
  -- Text, media, tool calls and the channel's own parts, under the tenant's key; null once erased.
  sealed_content bytea,
  erase_at timestamptz,
  -- Messages that are forwarded together share the id of the first.
  burst uuid,
  -- Outgoing: the last incoming number that it answers, and the caller's key.
  in_reply_to text,
  idempotency_key text,
  usage jsonb,
  -- Outgoing: how many parts the channel has accepted, and when the next one was sent without an outcome yet.
  parts_sent integer not null default 0,
  sending_at timestamptz,
  -- Outgoing: the number of parts, once tried, and the channel's ids of the accepted ones.
  parts integer,
  channel_ids text[] not null default '{}',
  -- When a runtime accepted an incoming message.
  forwarded_at timestamptz,
  -- The channel's error message.
  error text,
  -- Grows with each change of the row, so that followers can resume.
  change bigint not null default nextval('message_changes'),
  -- A keyed hash of tenant and media id, which the sealed content holds.
  media_hash bytea,
  -- When a changed number was applied: the same notice moves nobody twice.
  applied_at timestamptz,
  constraint channel_messages_once unique (endpoint_id, message_id),
  constraint channel_messages_status_check check (
    case direction
      when 'in' then status in ('pending', 'handled', 'dead')
      else status in ('queued', 'sent', 'delivered', 'read', 'failed')
    end),
  constraint channel_messages_waiting check (status <> 'pending' or conversation_id is not null)
);
create index channel_messages_dead on channel_messages (tenant_id, received_at desc) where status = 'dead';
create index channel_messages_failed on channel_messages (tenant_id, received_at desc) where status = 'failed';
create index channel_messages_tenant on channel_messages (tenant_id, received_at desc);
-- Runtimes, people and the control plane have idempotency keys of their own.
create unique index messages_answers on channel_messages (conversation_id, author, idempotency_key)
  where idempotency_key is not null;
create index messages_changes on channel_messages (conversation_id, change);
create index messages_conversation on channel_messages (conversation_id, number desc);
create index messages_emptied on channel_messages (finished_at)
  where erase_at is null and sealed_content is null and finished_at is not null;
create index messages_erase on channel_messages (erase_at) where erase_at is not null;
create index messages_forwarded on channel_messages (conversation_id, forwarded_at) where forwarded_at is not null;
create index messages_media on channel_messages (tenant_id, media_hash) where media_hash is not null;
create index messages_pending on channel_messages (conversation_id, number) where status = 'pending';
create index messages_queued on channel_messages (conversation_id, number) where status = 'queued';
call enable_tenant_rls('channel_messages');
grant insert, update, delete on channel_messages to acp_system;

-- ----------------------------------------------------------------------------
-- dialogue
-- ----------------------------------------------------------------------------

-- One row per firing of a trigger: the key makes it happen once.
create table trigger_runs (
  tenant_id uuid not null,
  deployment_id uuid not null references deployments (id) on delete cascade,
  name text not null,
  at timestamptz not null,
  -- Why no message was sent.
  error text,
  primary key (deployment_id, name, at)
);
call enable_tenant_rls('trigger_runs');

-- ----------------------------------------------------------------------------
-- models
-- ----------------------------------------------------------------------------

-- The operator's model providers, with keys sealed under a key of the service.
create table llm_providers (
  slug text collate "C" primary key,
  base_url text not null,
  sealed_api_key bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on llm_providers to acp_system;

-- A tenant's own model providers, with keys sealed under the tenant's key.
create table tenant_llm_providers (
  tenant_id uuid not null references tenants (id),
  slug text collate "C" not null,
  base_url text not null,
  sealed_api_key bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, slug)
);
call enable_tenant_rls('tenant_llm_providers');

-- A customer's limit on all its instances together.
create table customer_budgets (
  customer_id uuid primary key,
  tenant_id uuid not null,
  monthly_cost numeric check (monthly_cost >= 0),
  monthly_tokens bigint check (monthly_tokens >= 0),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('customer_budgets');

-- Costs per month (UTC) of a tenant at the operator's providers (neither id), of a customer, or of an instance.
create table llm_spending (
  tenant_id uuid not null references tenants (id),
  month date not null,
  customer_id uuid,
  instance_id uuid,
  cost numeric not null default 0,
  tokens bigint not null default 0,
  -- Reserved by calls in progress.
  reserved_cost numeric not null default 0,
  reserved_tokens bigint not null default 0,
  -- The share of the budget, in per cent, of the last event: 0, 80 or 100.
  told integer not null default 0,
  constraint llm_spending_once unique nulls not distinct (tenant_id, month, customer_id, instance_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index llm_spending_customer on llm_spending (tenant_id, customer_id) where customer_id is not null;
create index llm_spending_instance on llm_spending (tenant_id, instance_id) where instance_id is not null;
call enable_tenant_rls('llm_spending');
grant insert, update, delete on llm_spending to acp_system;

-- One row per call of a model, kept for 90 days.
create table llm_calls (
  id uuid primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid,
  conversation_id uuid references conversations (id) on delete set null,
  recipe_id uuid,
  at timestamptz not null,
  asked_model text not null,
  model text not null,
  provider text not null,
  -- False at a tenant's own provider.
  is_operators boolean not null,
  status text not null default 'running' check (status in ('running', 'ok', 'failed', 'aborted', 'lost')),
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- The provider reported no usage.
  estimated boolean not null default false,
  -- US dollars; null where the model has no price.
  cost numeric,
  latency_ms integer,
  reserved_cost numeric not null default 0,
  reserved_tokens bigint not null default 0,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index llm_calls_age on llm_calls (at);
create index llm_calls_at on llm_calls (tenant_id, at);
create index llm_calls_conversation on llm_calls (conversation_id) where conversation_id is not null;
create index llm_calls_customer on llm_calls (tenant_id, customer_id) where customer_id is not null;
create index llm_calls_instance on llm_calls (tenant_id, instance_id);
create index llm_calls_running on llm_calls (at) where status = 'running';
call enable_tenant_rls('llm_calls');
grant insert, update, delete on llm_calls to acp_system;

-- Sums of the calls of a day (UTC), kept for two years.
create table llm_days (
  tenant_id uuid not null,
  day date not null,
  instance_id uuid not null,
  customer_id uuid,
  recipe_id uuid,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  cost numeric,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index llm_days_age on llm_days (day);
create index llm_days_customer on llm_days (tenant_id, customer_id) where customer_id is not null;
create index llm_days_day on llm_days (tenant_id, day);
create index llm_days_instance on llm_days (tenant_id, instance_id);
call enable_tenant_rls('llm_days');
grant insert, update, delete on llm_days to acp_system;

-- ----------------------------------------------------------------------------
-- tools
-- ----------------------------------------------------------------------------

-- The last known state of an instance's tool servers.
create table tool_servers (
  instance_id uuid not null,
  name text not null,
  tenant_id uuid not null,
  ok boolean not null,
  -- The number of tools; null while it is down.
  tools integer,
  error text,
  at timestamptz not null,
  primary key (instance_id, name),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) on delete cascade
);
call enable_tenant_rls('tool_servers');

-- A tool call that needs approval, and its outcome.
create table approvals (
  id uuid primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid not null,
  conversation_id uuid references conversations (id) on delete set null,
  tool text not null,
  -- A keyed hash of tool and arguments: a conversation has one waiting approval for the same call.
  call_hash text not null,
  -- Arguments, result and comment, under the tenant's key; erased with the contents of the conversation.
  sealed_content bytea,
  erase_at timestamptz,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected', 'expired', 'failed')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by jsonb,
  decided_at timestamptz,
  -- An approved call is claimed before it is made: claimed and unfinished, its outcome is unknown.
  claimed_at timestamptz,
  finished_at timestamptz,
  -- When the agent was informed, if there is a conversation.
  told_at timestamptz,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index approvals_conversation on approvals (conversation_id) where conversation_id is not null;
create index approvals_customer on approvals (tenant_id, customer_id);
create index approvals_erase on approvals (erase_at) where erase_at is not null;
create index approvals_latest on approvals (tenant_id, requested_at desc, id);
create index approvals_over on approvals (coalesce(finished_at, decided_at)) where status <> 'waiting';
create unique index approvals_waiting on approvals (instance_id, customer_id, conversation_id,
    call_hash) nulls not distinct where status = 'waiting';
call enable_tenant_rls('approvals');
grant update, delete on approvals to acp_system;

-- ----------------------------------------------------------------------------
-- logs
-- ----------------------------------------------------------------------------

create table instance_logs (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null,
  line text not null,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index instance_logs_at on instance_logs (at);
create index instance_logs_instance on instance_logs (instance_id, id desc);
call enable_tenant_rls('instance_logs');
grant delete on instance_logs to acp_system;

-- ----------------------------------------------------------------------------
-- audit
-- ----------------------------------------------------------------------------

-- Calls of tools over MCP (specification, section 5), without arguments, results or error messages. Each row's hash is keyed
-- and covers the row before: without the key no row can be changed, left out or moved unnoticed.
create table tool_calls (
  -- No reference: it would cost as much as the rest of the row.
  tenant_id uuid not null,
  -- From 1 for each tenant, without gaps.
  seq bigint not null check (seq > 0),
  at timestamptz not null,
  tool text not null,
  -- Null where the tool needs none.
  scope text,
  decision text not null check (decision in ('allowed', 'denied', 'asked')),
  reason text check (reason in ('scope', 'role', 'read_only', 'unknown_tool', 'declined')),
  -- The status of the same request over HTTP; null while approval is pending.
  status smallint,
  latency_ms integer not null,
  key_id uuid,
  user_id uuid,
  client_name text,
  client_version text,
  -- A keyed hash, so equal arguments match and cannot be guessed; null where they have no canonical form.
  arguments_fingerprint bytea,
  request_id text not null,
  hash bytea not null,
  primary key (tenant_id, seq),
  check ((decision = 'denied') = (reason is not null)),
  check ((decision = 'asked') = (status is null))
);
call enable_tenant_rls('tool_calls');
revoke delete, update on tool_calls from acp_tenant;
grant insert, delete on tool_calls to acp_system;

-- Changes over HTTP (contract, section 17). A trigger writes the row, so it commits with the change; the setting app.change
-- of the transaction describes the request.
create table audit_changes (
  -- No reference, as in tool_calls.
  tenant_id uuid not null,
  -- One sequence for all tenants: with one per tenant, changes would wait for each other's commit.
  seq bigint generated always as identity,
  -- The service's own id of the request.
  change_id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('api_key', 'user', 'instance', 'operations', 'anonymous')),
  actor_id uuid,
  operation text not null,
  resource_id uuid,
  request_id text not null,
  status smallint not null,
  -- From 1 without gaps. Both are set when the row is chained.
  place bigint check (place > 0),
  hash bytea,
  primary key (tenant_id, seq),
  unique (change_id, tenant_id),
  check ((place is null) = (hash is null))
);
create unique index audit_changes_chain on audit_changes (tenant_id, place) where place is not null;
create index audit_changes_unchained on audit_changes (tenant_id, seq) where place is null;
call enable_tenant_rls('audit_changes');
revoke delete, update on audit_changes from acp_tenant;
grant insert, delete, update (hash, place) on audit_changes to acp_system;

-- References to tables that come later.
alter table chain_heads add foreign key (tenant_id) references tenants (id);
alter table instance_grants add foreign key (tenant_id,
    instance_id) references instances (tenant_id, id);

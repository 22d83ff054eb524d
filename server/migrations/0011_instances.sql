-- The copies of the service that run runtimes. One that has not been seen for a while is taken for dead.
create table runtime_hosts (
  id uuid primary key,
  seen_at timestamptz not null
);
grant select, insert, update, delete on runtime_hosts to acp_system;
grant select on runtime_hosts to acp_tenant;

create table instances (
  id uuid primary key,
  tenant_id uuid not null,
  -- The customer that it was made for; a shared instance serves others too (see deployments).
  customer_id uuid not null,
  recipe_id uuid not null references recipes (id),
  recipe_revision integer not null,
  template_name text not null,
  tier_id uuid not null references tiers (id),
  region_id text not null references regions (id),
  hostname text not null,
  hosting_mode text not null check (hosting_mode in ('dedicated', 'shared')),
  manifest_id text,
  capacity integer not null check (capacity >= 1),
  placed integer not null default 1 check (placed between 0 and capacity),
  status text not null default 'pending'
    check (status in ('pending', 'provisioning', 'running', 'stopped', 'failed', 'terminating', 'terminated')),
  resolved_config jsonb not null,
  provenance jsonb not null,
  -- What the service shows to the runtime; sealed under the tenant's data key.
  sealed_message_secret bytea,
  tunnel_address inet,
  -- Where the engine says the runtime listens now; null when none runs.
  runtime_address text,
  -- Which host runs it or is to start it; and whether it is to run at all, for a host that finds it dead.
  runtime_host uuid,
  runtime_wanted boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
create index instances_tenant on instances (tenant_id, created_at desc);
create index instances_customer on instances (tenant_id, customer_id);
create index instances_shared on instances (tenant_id, recipe_id, recipe_revision, region_id)
  where hosting_mode = 'shared' and status in ('pending', 'provisioning', 'running');
create index instances_runtime_host on instances (runtime_host) where runtime_host is not null;
create unique index instances_tunnel_address on instances (tunnel_address) where tunnel_address is not null;
call enable_tenant_rls('instances');
grant update on instances to acp_system;

-- Tunnel addresses are handed out in turn and so not again until four million others were: an address whose peer may
-- still be configured somewhere is not given to somebody else.
create sequence tunnel_address_numbers minvalue 1 maxvalue 4194302 cycle;
grant usage on sequence tunnel_address_numbers to acp_tenant;

create table tasks (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  instance_id uuid not null,
  deployment_id uuid,
  kind text not null check (kind in ('provision', 'join', 'start', 'stop', 'terminate')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'succeeded', 'failed', 'canceling', 'canceled')),
  -- Who works on it now: a runner that was believed dead finds another name here and stops.
  runner_id uuid,
  step text,
  progress integer not null default 0 check (progress between 0 and 100),
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) deferrable initially deferred
);
create index tasks_instance on tasks (tenant_id, instance_id, created_at desc);
-- The instance itself is moved by one task at a time; customers joining a shared one do not move it.
create unique index tasks_one_at_a_time on tasks (instance_id)
  where kind <> 'join' and status in ('queued', 'running');
create index tasks_unfinished on tasks (updated_at) where status in ('queued', 'running', 'canceling');
call enable_tenant_rls('tasks');

-- What a task has done, so that whoever picks it up goes on from there and can take it back.
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

-- One customer's place on an instance, by one accepted deploy request.
create table deployments (
  id uuid primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid not null,
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
  -- The flow that its customer is welcomed with; attached when the deploy is wired.
  onboarding_flow_id uuid,
  released_at timestamptz,
  created_at timestamptz not null default now(),
  constraint deployments_idempotency_key unique (tenant_id, idempotency_key),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) deferrable initially deferred,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
create index deployments_instance on deployments (tenant_id, instance_id, customer_id) where released_at is null;
create index deployments_customer on deployments (tenant_id, customer_id) where released_at is null;
call enable_tenant_rls('deployments');

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
create index instance_events_instance on instance_events (tenant_id, instance_id, id desc);
call enable_tenant_rls('instance_events');

-- A host is told when what it runs is no longer wanted.
create function notify_runtime_unwanted() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtime_unwanted', new.runtime_host::text);
  return null;
end $$;
create trigger notify_runtime_unwanted after update of runtime_wanted on instances
  for each row when (old.runtime_wanted and not new.runtime_wanted and new.runtime_host is not null)
  execute function notify_runtime_unwanted();

-- Followers of an instance are woken when its log grows (GET /v1/instances/{id}/events).
create function notify_instance_event() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('instance_events', new.instance_id::text);
  return null;
end $$;
create trigger notify_instance_event after insert on instance_events
  for each row execute function notify_instance_event();

-- What an instance's runtime shows to the internal routes. The hash is looked up, the sealed copy goes to the runtime.
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

-- Which of the customers' connections an instance may use: those that its recipe asks for. Its runtime gets no other.
create table instance_grants (
  tenant_id uuid not null,
  instance_id uuid not null,
  connection_id uuid not null references connections (id),
  created_at timestamptz not null default now(),
  primary key (instance_id, connection_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
call enable_tenant_rls('instance_grants');

-- When an instance asks for a PIN (specification, section 2.5). Made from the recipe when the instance is.
create table pin_policies (
  tenant_id uuid not null,
  instance_id uuid primary key,
  pin_applies_to text not null default 'all' check (pin_applies_to in ('owner', 'customer', 'all')),
  pin_required_skills jsonb not null default '[]',
  pin_session_ttl_minutes integer not null default 15 check (pin_session_ttl_minutes between 1 and 1440),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
call enable_tenant_rls('pin_policies');

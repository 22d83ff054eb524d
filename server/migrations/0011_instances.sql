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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
create index instances_tenant on instances (tenant_id, created_at desc);
create index instances_customer on instances (tenant_id, customer_id);
create index instances_shared on instances (tenant_id, recipe_id, recipe_revision, region_id)
  where hosting_mode = 'shared' and status in ('pending', 'provisioning', 'running');
create unique index instances_tunnel_address on instances (tunnel_address) where tunnel_address is not null;
call enable_tenant_rls('instances');
grant update on instances to acp_system;

create table tasks (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  instance_id uuid not null,
  deployment_id uuid,
  kind text not null check (kind in ('provision', 'join', 'start', 'stop', 'terminate')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'succeeded', 'failed', 'canceling', 'canceled')),
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
  where kind <> 'join' and status in ('queued', 'running', 'canceling');
create index tasks_unfinished on tasks (updated_at) where status in ('queued', 'running', 'canceling');
call enable_tenant_rls('tasks');

-- What a task has done, so that whoever picks it up goes on from there and can take it back.
create table task_steps (
  tenant_id uuid not null,
  task_id uuid not null references tasks (id),
  step text not null,
  status text not null check (status in ('started', 'done', 'undone')),
  attempts integer not null default 1,
  error text,
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
  resolved_config jsonb not null,
  violations jsonb not null,
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

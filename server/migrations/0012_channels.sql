create table channel_endpoints (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  channel text not null check (channel in ('chatapp')),
  phone_number_id text not null,
  instance_id uuid not null,
  -- Keyed hashes, so that a token or a secret can be found without being readable.
  verify_token_hash bytea not null,
  app_secret_hash bytea not null,
  sealed_app_secret bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint channel_endpoints_phone_number_id unique (channel, phone_number_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index channel_endpoints_tenant on channel_endpoints (tenant_id, created_at desc);
create index channel_endpoints_instance on channel_endpoints (tenant_id, instance_id);
create index channel_endpoints_verify_token on channel_endpoints (channel, verify_token_hash);
create index channel_endpoints_app_secret on channel_endpoints (channel, app_secret_hash);
call enable_tenant_rls('channel_endpoints');

create sequence channel_message_numbers;
grant usage on sequence channel_message_numbers to acp_system;

create table channel_messages (
  id uuid primary key default gen_random_uuid(),
  -- The order in which they came; the messages of one payload have one received_at.
  number bigint not null,
  tenant_id uuid not null,
  endpoint_id uuid not null references channel_endpoints (id) on delete cascade,
  instance_id uuid not null,
  channel text not null,
  message_id text not null,
  external_id text not null,
  text text,
  raw jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  last_error text,
  received_at timestamptz not null default now(),
  -- When it is given up: 24 hours after it came, or after it was last asked to be tried again.
  give_up_at timestamptz not null,
  finished_at timestamptz,
  constraint channel_messages_once unique (endpoint_id, message_id)
);
create index channel_messages_tenant on channel_messages (tenant_id, received_at desc);
create index channel_messages_pending on channel_messages (endpoint_id, external_id, number) where status = 'pending';
create index channel_messages_dead on channel_messages (tenant_id, received_at desc) where status = 'dead';
call enable_tenant_rls('channel_messages');
grant insert on channel_messages to acp_system;

-- oldest service: 0006
-- Events out: who is told of them, what happened, and what became of each delivery.

create table event_endpoints (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  -- Under the tenant's key: addresses of chats are credentials.
  sealed_url bytea not null,
  -- The address was given for a chat once, so answers show its host alone.
  hides_url boolean not null,
  -- Kinds of events, or * for all.
  events text[] not null,
  description text,
  format text not null check (format in ('standard', 'slack', 'teams')),
  is_active boolean not null,
  sealed_secret bytea not null,
  -- It signs as well until then.
  sealed_former_secret bytea,
  former_until timestamptz,
  last_delivered_at timestamptz,
  last_error text,
  -- The first call since then that was not taken; null after one that was.
  failing_since timestamptz,
  -- The receiver asked to be called no earlier.
  paused_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index event_endpoints_tenant on event_endpoints (tenant_id, created_at desc);
call enable_tenant_rls('event_endpoints');

-- Only what an endpoint wanted. Deleting what an event is about deletes it.
create table events (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  type text not null,
  at timestamptz not null,
  data jsonb not null,
  customer_id uuid,
  person_id uuid,
  instance_id uuid,
  conversation_id uuid references conversations (id) on delete cascade,
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) on delete cascade
);
create index events_at on events (at);
create index events_conversation on events (conversation_id) where conversation_id is not null;
create index events_customer on events (tenant_id, customer_id, person_id) where customer_id is not null;
create index events_instance on events (tenant_id, instance_id) where instance_id is not null;
call enable_tenant_rls('events');
grant insert, delete on events to acp_system;

create table event_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The order of events, and of the list.
  number bigint generated always as identity,
  tenant_id uuid not null,
  endpoint_id uuid not null references event_endpoints (id) on delete cascade,
  event_id uuid not null references events (id) on delete cascade,
  -- Deliveries of one endpoint and stream go out in order; null: in any order.
  stream uuid,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- -infinity: at once.
  next_attempt_at timestamptz not null default '-infinity',
  give_up_at timestamptz not null default now() + interval '24 hours',
  last_status integer,
  last_error text,
  at timestamptz not null
);
create index event_deliveries_event on event_deliveries (event_id);
create index event_deliveries_list on event_deliveries (endpoint_id, number desc);
create index event_deliveries_waiting on event_deliveries (endpoint_id, number) where status = 'pending';
create index event_deliveries_stream on event_deliveries (endpoint_id, stream, number) where status = 'pending';
create index event_deliveries_next on event_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
call enable_tenant_rls('event_deliveries');
grant insert, update (status, last_error) on event_deliveries to acp_system;

-- Each row was told once and is not told again: a conversation that waits, the end of a certificate or of credentials.
create table told_events (
  tenant_id uuid not null references tenants (id),
  mark text not null,
  at timestamptz not null default now(),
  customer_id uuid,
  person_id uuid,
  conversation_id uuid references conversations (id) on delete cascade,
  primary key (tenant_id, mark),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index told_events_at on told_events (at);
create index told_events_conversation on told_events (conversation_id) where conversation_id is not null;
create index told_events_customer on told_events (tenant_id, customer_id, person_id) where customer_id is not null;
call enable_tenant_rls('told_events');
grant delete on told_events to acp_system;

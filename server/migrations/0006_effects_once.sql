-- oldest service: 0002
-- Effects happen once: what was sent without an outcome, and numbers that the channel limits.

-- Outgoing: how often the next part was sent without an outcome.
alter table channel_messages add column open_sends smallint not null default 0;

-- A number that the channel limits: nothing is sent from it until then, but for one try at a time afterwards.
create table number_pauses (
  tenant_id uuid not null,
  endpoint_id uuid primary key references channel_endpoints (id) on delete cascade,
  until timestamptz not null,
  -- The next pause, where the channel names none.
  next_seconds integer not null
);
call enable_tenant_rls('number_pauses');
create index channel_messages_queued on channel_messages (endpoint_id, number) where status = 'queued';

-- Calls of tools for a message, so that a later try of it is answered with the result that there is.
create table kept_calls (
  -- The idempotency key that the server gets.
  id uuid primary key,
  tenant_id uuid not null,
  -- The first message of the burst.
  message_id uuid not null references channel_messages (id) on delete cascade,
  -- A keyed hash of tool and arguments.
  call_hash text not null,
  -- The place among equal calls of a try, and the tries that have made the call.
  ordinal integer not null,
  tries uuid[] not null,
  -- The host that makes the call, and when it has ended at the latest.
  host_id uuid not null,
  begun_at timestamptz not null default now(),
  ends_by timestamptz not null,
  -- null while it is under way.
  outcome text check (outcome in ('answered', 'unknown')),
  sealed_result bytea,
  unique (message_id, call_hash, ordinal)
);
create index kept_calls_age on kept_calls (begun_at);
create index kept_calls_host on kept_calls (host_id) where outcome is null;
call enable_tenant_rls('kept_calls');
grant update, delete on kept_calls to acp_system;

-- Answers with a key of their own do not end a message: the highest number that has ended, null for answered_number, and
-- the tries that failed after such an answer.
alter table conversations add column ended_number bigint;
alter table channel_messages add column partial_tries smallint not null default 0;

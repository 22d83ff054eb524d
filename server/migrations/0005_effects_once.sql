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

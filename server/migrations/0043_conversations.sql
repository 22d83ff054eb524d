-- A conversation: one sender in one channel with one customer's agent. A row exists from the first message on.
create table conversations (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid not null,
  channel text not null,
  external_id text not null,
  -- The number that the last message came in by, which answers are sent from; null in the playground.
  endpoint_id uuid references channel_endpoints (id) on delete set null,
  -- The sender's phone number where the channel tells it beside the user id.
  phone text,
  identity_id uuid references identities (id) on delete set null,
  display_name text,
  mode text not null default 'agent' check (mode in ('agent', 'human')),
  -- When the mode `human` ends by itself; null: when a person ends it.
  human_until timestamptz,
  -- How much longer each answer of a person makes it last; null where `human_until` is fixed.
  human_for interval,
  -- The waiting messages are forwarded together, because a person had the conversation meanwhile.
  joins_waiting boolean not null default false,
  -- The highest number of an incoming message that was answered.
  answered_number bigint not null default 0,
  -- True while an incoming message has a higher one.
  is_unanswered boolean not null default false,
  -- The end of the closed period whose away message was said.
  away_until timestamptz,
  sealed_attributes bytea,
  last_message_at timestamptz not null,
  last_in_at timestamptz,
  -- When the last content was erased; null while there is some.
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  constraint conversations_once unique (customer_id, instance_id, channel, external_id),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create index conversations_latest on conversations (tenant_id, last_message_at desc, id);
create index conversations_instance on conversations (tenant_id, instance_id, last_message_at desc);
create index conversations_unanswered on conversations (tenant_id, last_message_at desc, id) where is_unanswered;
create index conversations_identity on conversations (identity_id) where identity_id is not null;
create index conversations_endpoint on conversations (endpoint_id) where endpoint_id is not null;
create index conversations_human_until on conversations (human_until) where human_until is not null;
create index conversations_erased on conversations (erased_at) where erased_at is not null;
call enable_tenant_rls('conversations');
call note_changes('conversations', 'id');
grant insert, update, delete on conversations to acp_system;

-- Followers of a conversation are woken when a message is added or changes.
create function notify_conversation() returns trigger
  language plpgsql
  as $$
begin
  if new.conversation_id is not null then perform pg_notify('conversations', new.conversation_id::text); end if;
  return null;
end $$;

-- The table of received messages holds both directions from now on.
-- Without its number a message stays readable in its conversation.
alter table channel_messages drop constraint channel_messages_endpoint_id_fkey;
alter table channel_messages
  add foreign key (endpoint_id) references channel_endpoints (id) on delete set null,
  alter column endpoint_id drop not null,
  alter column message_id drop not null,
  alter column raw drop not null,
  add column conversation_id uuid references conversations (id) on delete cascade,
  add column direction text not null default 'in' check (direction in ('in', 'out')),
  add column author text not null default 'sender' check (author in ('sender', 'agent', 'person', 'system')),
  add column user_id uuid,
  add column kind text not null default 'text',
  -- Text, media, tool calls and the channel's own parts, under the tenant's key. Gone once the time to keep it is over.
  add column sealed_content bytea,
  add column erase_at timestamptz,
  -- Messages that are forwarded together have the id of the first.
  add column burst uuid,
  -- An outgoing message: what it answers, by the number up to which that reaches, and the caller's key.
  add column in_reply_to text,
  add column idempotency_key text,
  add column usage jsonb,
  -- An outgoing message: how many of its parts the channel has taken, and when the next one was being sent.
  add column parts_sent integer not null default 0,
  add column sending_at timestamptz,
  -- An outgoing message: how many parts it has, once it was tried, and the channel's ids of those that it has taken.
  add column parts integer,
  add column channel_ids text[] not null default '{}',
  -- When a runtime took an incoming message; null where a person answered it or nobody gets it.
  add column forwarded_at timestamptz,
  -- The channel's words for a refused message.
  add column error text,
  -- Grows with each change of a row, so that followers can resume.
  add column change bigint;
create sequence message_changes;
grant usage on sequence message_changes to acp_system, acp_tenant;
grant usage on sequence channel_message_numbers to acp_tenant;
alter table channel_messages alter column number set default nextval('channel_message_numbers');
alter table channel_messages alter column change set default nextval('message_changes');
grant insert, update, delete on channel_messages to acp_system;
alter table channel_messages drop constraint channel_messages_status_check;

-- Forced row-level security hides every row from the owner.
set local role acp_system;
update channel_messages set change = number,
  status = case status when 'delivered' then 'handled' else status end,
  text = case when status <> 'delivered' then text end,
  raw = case when status <> 'delivered' then raw end,
  erase_at = case when status <> 'delivered' then now() + interval '7 days' end;
-- Messages that wait find their conversation. A shared instance can't tell whose customer an old number belongs to.
insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, phone,
                           last_message_at, last_in_at, is_unanswered)
  select m.tenant_id, e.instance_id, i.customer_id, m.channel, m.external_id, (array_agg(m.endpoint_id order by m.number desc))[1],
         (array_agg(m.raw #>> '{message,from}' order by m.number desc))[1], max(m.received_at), max(m.received_at), true
  from channel_messages m
  join channel_endpoints e on e.id = m.endpoint_id
  join instances i on i.id = e.instance_id
  where m.status in ('pending', 'dead') and i.hosting_mode = 'dedicated' and i.customer_id is not null
  group by m.tenant_id, e.instance_id, i.customer_id, m.channel, m.external_id;
update channel_messages m set conversation_id = c.id, instance_id = c.instance_id
  from channel_endpoints e join conversations c on c.instance_id = e.instance_id
  where m.status in ('pending', 'dead') and e.id = m.endpoint_id and c.channel = m.channel and c.external_id = m.external_id;
update channel_messages set status = 'dead', finished_at = now(),
    last_error = 'The number belongs to no customer of the shared instance: set customer_id of its channel endpoint'
  where status = 'pending' and conversation_id is null;
delete from jobs where kind = 'forward_messages';
insert into tenant_counts (tenant_id, name, used)
  select tenant_id, 'conversations_stored', count(*) from conversations group by 1;
insert into jobs (kind, key, tenant_id, lane, due_at)
  select 'converse', conversation_id::text, tenant_id, min(instance_id::text), now()
  from channel_messages where status = 'pending' group by conversation_id, tenant_id;
-- Contents in clear are sealed by a job, which ends with the last one. Only the service has the keys.
insert into jobs (kind, key, tenant_id, due_at)
  select 'seal_contents', 'all', '00000000-0000-0000-0000-000000000000', now()
  where exists (select from channel_messages where text is not null or raw is not null);
reset role;

-- A copy of before would take messages in that nobody forwards: it fails, and the channel sends them again.
alter table channel_messages add constraint channel_messages_waiting
  check (status <> 'pending' or conversation_id is not null);
alter table channel_messages add constraint channel_messages_status_check check (
  case direction when 'in' then status in ('pending', 'handled', 'dead')
                 else status in ('queued', 'sent', 'delivered', 'read', 'failed') end);
alter table channel_messages alter column change set not null;
drop index channel_messages_waiting;
create index messages_conversation on channel_messages (conversation_id, number desc);
create index messages_changes on channel_messages (conversation_id, change);
create index messages_pending on channel_messages (conversation_id, number) where status = 'pending';
create index messages_queued on channel_messages (conversation_id, number) where status = 'queued';
create index messages_erase on channel_messages (erase_at) where erase_at is not null;
create index messages_clear on channel_messages (id) where text is not null or raw is not null;
create index messages_forwarded on channel_messages (conversation_id, forwarded_at) where forwarded_at is not null;
-- What a runtime, a person and the control plane call their messages are different names.
create unique index messages_answers on channel_messages (conversation_id, author, idempotency_key) where idempotency_key is not null;
create trigger notify_conversation after insert or update of change on channel_messages
  for each row execute function notify_conversation();

create function notify_deleted_conversation() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('conversations', old.id::text);
  return null;
end $$;
create trigger notify_deleted_conversation after delete on conversations
  for each row execute function notify_deleted_conversation();

-- Conversations count like other limited rows (0038), but none is refused: a job deletes the longest silent ones.
create function count_conversations() returns trigger
  language plpgsql
  as $$
declare
  of_tenant record;
begin
  for of_tenant in select tenant_id, count(*) as rows from changed group by 1 order by 1
  loop
    perform change_count(of_tenant.tenant_id, 'conversations_stored',
                         case tg_op when 'DELETE' then -of_tenant.rows else of_tenant.rows end);
  end loop;
  return null;
end $$;
create trigger count_inserted after insert on conversations referencing new table as changed
  for each statement execute function count_conversations();
create trigger count_deleted after delete on conversations referencing old table as changed
  for each statement execute function count_conversations();

-- A number may belong to one of the customers that a shared instance serves, and be sent from with a named connection.
alter table channel_endpoints
  add column customer_id uuid,
  add column connection_name text,
  add foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id);

-- How many days contents of a customer's conversations are kept. Instances deployed before keep none.
alter table deployments add column retention_days integer not null default 0 check (retention_days between 0 and 365);

-- Where nothing is kept, contents go a day after their message stopped waiting, and at the latest after 7 days.
create function end_waiting() returns trigger
  language plpgsql
  as $$
begin
  if 0 < (select d.retention_days
          from conversations c join deployments d on d.instance_id = c.instance_id and d.customer_id = c.customer_id
          where c.id = new.conversation_id and d.released_at is null order by d.created_at desc, d.id limit 1) then
    return new;
  end if;
  new.erase_at := case when new.status in ('pending', 'queued') then new.received_at + interval '7 days'
    else least(new.erase_at, coalesce(new.finished_at, now()) + interval '1 day') end;
  return new;
end $$;
create trigger end_waiting before update of status on channel_messages for each row
  when ((old.status in ('pending', 'queued')) <> (new.status in ('pending', 'queued')) and new.erase_at is not null)
  execute function end_waiting();

-- The channel refused the credentials; the next try is one message at a time.
alter table connections
  add column refused_at timestamptz,
  add column last_error text,
  add column probe_at timestamptz;

-- New credentials count as accepted until the channel says otherwise, and what waits for them is sent at once.
create function renew_connection() returns trigger
  language plpgsql
  as $$
begin
  new.refused_at := null;
  new.last_error := null;
  new.probe_at := null;
  return new;
end $$;
create trigger renew_connection before update of sealed_credentials on connections
  for each row when (new.sealed_credentials is distinct from old.sealed_credentials) execute function renew_connection();

create function send_what_waits() returns trigger
  language plpgsql
  as $$
begin
  insert into jobs as j (kind, key, tenant_id, lane, due_at)
    select 'send_messages', c.id::text, c.tenant_id, c.id::text, now()
    from conversations c
    where c.customer_id = new.customer_id and exists (
      select from channel_messages where conversation_id = c.id and status = 'queued')
    order by 2
    on conflict (kind, key) do update set
      again_at = case when j.claim is null then null else '-infinity'::timestamptz end,
      run_at = case when j.claim is null then '-infinity' else j.run_at end,
      due_at = case when j.claim is null then now() else j.due_at end;
  perform pg_notify('jobs', 'send_messages');
  return null;
end $$;
create trigger send_what_waits after insert or update of sealed_credentials on connections
  for each row when (new.provider = 'chatapp' and new.sealed_credentials is not null) execute function send_what_waits();

-- As in 0042, but the messages of other conversations stay.
create or replace function erase_customer() returns trigger
  language plpgsql
  as $$
begin
  perform from staff where tenant_id = old.tenant_id and customer_id = old.id order by id for update;
  delete from staff_terms where tenant_id = old.tenant_id and customer_id = old.id;
  delete from staff_sets where tenant_id = old.tenant_id and customer_id = old.id;
  -- Conversations go by their reference, messages included. On a shared instance, an old message has only its address to tell
  -- whose it is, and that may speak for another customer's people as well.
  delete from channel_messages m using instances i
  where m.tenant_id = old.tenant_id and i.id = m.instance_id and m.conversation_id is null and (
    i.hosting_mode = 'dedicated' and i.customer_id = old.id
    or i.hosting_mode = 'shared'
    and i.id in (select instance_id from deployments where tenant_id = old.tenant_id and customer_id = old.id)
    and (m.channel, ltrim(m.external_id, '+')) in (
      select a.channel, ltrim(a.external_id, '+')
      from identity_addresses a join identities n on n.id = a.identity_id
      where n.tenant_id = old.tenant_id and n.customer_id = old.id
      union
      select channel_type, ltrim(channel_address, '+') from staff_bindings
      where tenant_id = old.tenant_id and customer_id = old.id
      except
      select channel_type, ltrim(channel_address, '+') from staff_bindings
      where tenant_id = old.tenant_id and customer_id <> old.id
    ));
  -- A shared instance that serves others runs by the configuration of the deployment that made it.
  update deployments d set resolved_config = '{}', instance_overrides = null
  where d.tenant_id = old.tenant_id and d.customer_id = old.id and not exists (
    select from instances i join tasks t on t.instance_id = i.id
    where i.id = d.instance_id and i.status <> 'terminated' and t.deployment_id = d.id and t.kind = 'provision');
  update instances set resolved_config = '{}', provenance = '{}', sealed_message_secret = null
  where tenant_id = old.tenant_id and customer_id = old.id and status = 'terminated';
  return old;
end $$;

-- Messages of people and agents are changes; what the webhook and the jobs do to messages is none.
drop trigger "00_note_change" on channel_messages;
call note_changes('channel_messages', 'id', 'insert or update');

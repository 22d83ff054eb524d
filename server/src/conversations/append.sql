-- Adds messages of any direction, author and kind in their order: holds their conversations, says when contents are to be
-- erased, and touches the conversations; whoever calls it enqueues what is to be done. Conversations are held in one order,
-- so that two calls do not wait for each other, and messages get their numbers only then, so that numbers are committed in
-- order.
--
-- A message names its conversation, or its customer and address, for which a conversation is found or made; one that names
-- neither belongs to none, and is dead. Left out are messages that are there already (by their id, by the channel's id at their
-- endpoint, or by their author's idempotency key), those of a conversation that is gone, and with `in_mode` those of a
-- conversation in another mode. All contents travel as one bytea, in which each message has its place from 1 on.
create or replace function append_messages(messages jsonb, contents bytea, at timestamptz) returns setof channel_messages
  language plpgsql
  -- Its plans are kept: one made while the tables were small would read them whole.
  set enable_seqscan = off
  as $$
declare
  given constant uuid[] := array(
    select conversation_id from jsonb_to_recordset(messages) as m (conversation_id uuid) where conversation_id is not null);
begin
  if given <> '{}' then
    perform from conversations where id = any (given)
    order by instance_id, customer_id, channel, external_id for no key update;
  end if;

  return query
  with incoming as materialized (
    select * from rows from (jsonb_to_recordset(messages) as (
      id uuid, conversation_id uuid, customer_id uuid, tenant_id uuid, instance_id uuid, endpoint_id uuid, channel text,
      message_id text, external_id text, phone text, display_name text, direction text, author text, user_id uuid, kind text,
      status text, reason text, in_reply_to text, idempotency_key text, usage jsonb, media_hash text, tried_minutes integer,
      in_mode text, content_at integer, content_length integer)) with ordinality m
  ), met as (
    insert into conversations as c (tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, phone,
                                    display_name, last_message_at, last_in_at, is_unanswered)
    select tenant_id, instance_id, customer_id, channel, external_id, (array_agg(endpoint_id order by ordinality desc))[1],
           (array_agg(phone order by ordinality desc) filter (where phone is not null))[1],
           (array_agg(display_name order by ordinality desc) filter (where display_name is not null))[1], at, at, true
    from incoming where conversation_id is null and customer_id is not null
    group by tenant_id, instance_id, customer_id, channel, external_id
    order by instance_id, customer_id, channel, external_id
    on conflict on constraint conversations_once do update set
      endpoint_id = excluded.endpoint_id, phone = coalesce(excluded.phone, c.phone),
      display_name = coalesce(excluded.display_name, c.display_name),
      last_message_at = at, last_in_at = at, is_unanswered = true, erased_at = null
    returning c.*
  ), told as (
    select m.*, c.id as place, coalesce(c.tenant_id, m.tenant_id) as owner, coalesce(c.instance_id, m.instance_id) as instance,
           coalesce(c.channel, m.channel) as of_channel, coalesce(c.external_id, m.external_id) as address,
           case m.direction when 'out' then c.endpoint_id else m.endpoint_id end as endpoint, d.retention_days,
           case
             -- Nothing is sent from the playground.
             when m.status = 'queued' and c.channel = 'playground' then 'delivered'
             -- The agent is told nothing while a person has the conversation, who reads it.
             when m.status = 'pending' and m.author = 'system' and c.mode = 'human' and (c.human_until is null or c.human_until > at)
               then 'handled'
             else m.status
           end as state
    from incoming m
    left join lateral (
      select * from conversations where id = m.conversation_id
      union all
      select * from met c
      where c.instance_id = m.instance_id and c.customer_id = m.customer_id and c.channel = m.channel
        and c.external_id = m.external_id) c on true
    left join lateral (
      select retention_days from served_deployments
      where instance_id = c.instance_id and customer_id = c.customer_id
      order by created_at desc, id limit 1) d on true
    where (c.id is not null or m.conversation_id is null and m.customer_id is null) and (m.in_mode is null or m.in_mode = c.mode)
  ), added as (
    insert into channel_messages as m
      (number, id, tenant_id, conversation_id, endpoint_id, instance_id, channel, message_id, external_id, direction, author,
       user_id, kind, sealed_content, media_hash, status, last_error, error, in_reply_to, idempotency_key, usage, received_at,
       give_up_at, finished_at, erase_at)
    select nextval('channel_message_numbers'), t.*
    from (
      select id, owner, place, endpoint, instance, of_channel, message_id, address, direction, author, user_id, kind,
             substring(contents from content_at for content_length), decode(media_hash, 'hex'), state,
             case when direction = 'in' then
               coalesce(reason, case when state <> status then 'Not forwarded: a person has the conversation' end) end,
             case when direction = 'out' then reason end, in_reply_to, idempotency_key, usage, at,
             at + tried_minutes * interval '1 minute', case when state not in ('pending', 'queued') then at end,
             -- One of no customer waits for somebody to say whose it is.
             keeping_ends(retention_days, state in ('pending', 'queued') or place is null, at, at)
      from told order by ordinality) t
    on conflict do nothing
    returning m.*
  ), touched as (
    update conversations c set last_message_at = at, erased_at = null,
      last_in_at = case when a.is_of_sender then at else c.last_in_at end,
      is_unanswered = c.is_unanswered or a.is_of_sender
    from (
      select conversation_id, bool_or(author = 'sender') as is_of_sender from added group by conversation_id) a
    where given <> '{}' and c.id = a.conversation_id and c.id = any (given)
  )
  select * from added;
end $$;

-- Adds messages in their order, sets when their contents expire, and updates their conversations. The caller enqueues jobs.
-- Conversations are locked in one order, so that two calls cannot deadlock. Numbers are assigned after the locks, so that
-- they are committed in order.
--
-- A message names its conversation, or a customer and the sender's addresses, for which the conversation is found or begun
-- (senders.sql). With neither, it is stored as dead. Skipped are duplicates (same id, same channel id at the endpoint, or same
-- idempotency key of the author), messages of deleted conversations, and with `in_mode` those of a conversation in another mode.
-- All contents travel as one bytea; content_at counts from 1.
--
-- `sent_at` is bounded, because later rules count from it: not after the arrival, and at most 7 days before. A queued text is
-- failed at once where the channel would refuse it.
create or replace function append_messages(messages jsonb, contents bytea, at timestamptz) returns setof channel_messages
  language plpgsql
  -- Plans are cached: one made while the tables were small would use sequential scans.
  set enable_seqscan = off
  as $$
declare
  given constant uuid[] := array(
    select conversation_id from jsonb_to_recordset(messages) as m (conversation_id uuid) where conversation_id is not null);
  places uuid[];
begin
  if given <> '{}' then
    perform from conversations where id = any (given)
    order by instance_id, customer_id, channel, external_id for no key update;
  end if;
  places := hold_senders(messages, at);

  return query
  with given_messages as materialized (
    select * from rows from (jsonb_to_recordset(messages) as (
      id uuid, conversation_id uuid, customer_id uuid, tenant_id uuid, instance_id uuid, endpoint_id uuid, channel text,
      message_id text, external_id text, phone text, display_name text, direction text, author text, user_id uuid, key_id uuid, kind text,
      status text, reason text, in_reply_to text, idempotency_key text, usage jsonb, media_hash text, tried_minutes integer,
      in_mode text, content_at integer, content_length integer, sent_at timestamptz, conversation_kind text)) with ordinality m
  ), incoming as materialized (
    select g.*, case when g.sent_at <= at then greatest(g.sent_at, at - interval '7 days') end as written_at,
           g.direction = 'in' and g.author = 'sender' as is_of_sender,
           -- Notices of the channel are nothing that the sender wrote.
           g.direction = 'in' and g.author = 'sender' and g.kind not in ('system', 'revoke') as opens_window
    from given_messages g
  ), resolved as (
    select m.*, c.id as place, coalesce(c.tenant_id, m.tenant_id) as owner, coalesce(c.instance_id, m.instance_id) as instance,
           coalesce(c.channel, m.channel) as of_channel, coalesce(m.external_id, c.began_with, c.external_id) as address,
           case m.direction when 'out' then coalesce(m.endpoint_id, c.endpoint_id) else m.endpoint_id end as endpoint, d.retention_days,
           case
             -- Nothing is sent from the playground.
             when m.status = 'queued' and c.channel = 'playground' then 'delivered'
             when m.status = 'queued' and m.kind <> 'template' and not is_service_window_open(c.channel, c.last_in_at, at)
               then 'failed'
             -- While a person has the conversation, that person reads system messages and the agent does not get them.
             when m.status = 'pending' and m.author = 'system' and c.mode = 'human' and (c.human_until is null or c.human_until > at)
               then 'handled'
             else m.status
           end as state
    from incoming m
    left join conversations c on c.id = coalesce(m.conversation_id, places[m.ordinality])
    left join lateral (
      select retention_days from served_deployments
      where instance_id = c.instance_id and customer_id = c.customer_id
      order by created_at desc, id limit 1) d on true
    where (c.id is not null or m.conversation_id is null and m.customer_id is null) and (m.in_mode is null or m.in_mode = c.mode)
  ), added as (
    insert into channel_messages as m
      (number, id, tenant_id, conversation_id, endpoint_id, instance_id, channel, message_id, external_id, direction, author,
       user_id, key_id, kind, sealed_content, media_hash, status, last_error, error, in_reply_to, idempotency_key, usage, received_at,
       sent_at, channel_ids, give_up_at, finished_at, erase_at)
    select nextval('channel_message_numbers'), t.*
    from (
      select id, owner, place, endpoint, instance, of_channel, message_id, address, direction, author, user_id, key_id, kind,
             -- Without retention, no text is kept that waits for nothing.
             case when state not in ('sent', 'failed') or retention_days > 0 then
               substring(contents from content_at for content_length) end, decode(media_hash, 'hex'), state,
             case when direction = 'in' then
               coalesce(reason, case when state <> status then 'Not forwarded: a person has the conversation' end) end,
             case when direction = 'out' then
               coalesce(reason, case when state = 'failed' then
                 'The sender has not written for 24 hours: the channel takes only a template now' end) end,
             in_reply_to, idempotency_key, usage, at, written_at,
             -- A colleague's words on the phone have the channel's id from the beginning.
             case when direction = 'out' and message_id is not null then array[message_id] else '{}' end,
             at + tried_minutes * interval '1 minute', case when state not in ('pending', 'queued') then at end,
             -- A message without a customer counts as waiting, until its number is assigned to one.
             keeping_ends(retention_days, state in ('pending', 'queued') or place is null, at, at)
      from resolved order by ordinality) t
    on conflict do nothing
    returning m.*
  ), touched as (
    update conversations c set last_message_at = at, erased_at = null,
      last_in_at = greatest(c.last_in_at, a.last_in_at), is_unanswered = c.is_unanswered or a.is_of_sender
    from (
      select m.conversation_id, bool_or(i.is_of_sender) as is_of_sender,
             max(coalesce(m.sent_at, at)) filter (where i.opens_window) as last_in_at
      from added m join incoming i using (id) group by m.conversation_id) a
    where c.id = a.conversation_id
  )
  select * from added;
end $$;

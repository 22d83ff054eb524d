-- The senders of messages that name a customer and addresses, not a conversation. `place` and `other` are the conversations of
-- their user id and phone number. A sender is known when nothing of it is new.
create or replace function senders_in(messages jsonb) returns table (
    "position" bigint, tenant_id uuid, instance_id uuid, customer_id uuid, endpoint_id uuid, channel text, external_id text,
    phone text, display_name text, conversation_kind text, place uuid, other uuid, is_known boolean)
  language plpgsql
  stable
  set enable_seqscan = off
  as $$
begin
  return query
  select m.ordinality, m.tenant_id, m.instance_id, m.customer_id, m.endpoint_id, m.channel, m.external_id, m.phone,
         m.display_name, m.conversation_kind, a.conversation_id, p.conversation_id,
         a.conversation_id is not null
           and (m.phone is null or p.conversation_id is not distinct from a.conversation_id and c.phone is not distinct from m.phone)
  from rows from (jsonb_to_recordset(messages) as (
    conversation_id uuid, tenant_id uuid, instance_id uuid, customer_id uuid, endpoint_id uuid, channel text, external_id text,
    phone text, display_name text, conversation_kind text)) with ordinality m
  left join conversation_addresses a on a.customer_id = m.customer_id and a.instance_id = m.instance_id
    and a.channel = m.channel and a.address_key = address_key(m.external_id)
  left join conversation_addresses p on p.customer_id = m.customer_id and p.instance_id = m.instance_id
    and p.channel = m.channel and p.address_key = address_key(m.phone)
  left join conversations c on c.id = a.conversation_id
  where m.conversation_id is null and m.customer_id is not null;
end $$;

-- An address is told by one transaction at a time. Taken before conversations are locked, in one order, and bounded: addresses
-- share 512 locks in each place.
create or replace function lock_addresses(places jsonb) returns void
  language plpgsql
  as $$
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(concat_ws(' ', 'senders', customer_id, instance_id, channel), 0)
      + (hashtextextended(address_key(address), 0) & 511) as key
    from jsonb_to_recordset(places) as p (customer_id uuid, instance_id uuid, channel text, external_id text, phone text)
    cross join lateral (values (external_id), (phone)) a (address)
    where customer_id is not null and address is not null order by 1) k;
end $$;

-- Finds or begins the conversations of messages that name a customer and addresses, and locks them in the order of
-- append_messages. @returns the conversation of each message, null for others
create or replace function hold_senders(messages jsonb, at timestamptz) returns uuid[]
  language plpgsql
  -- Plans are cached: one made while the tables were small would use sequential scans.
  set enable_seqscan = off
  as $$
declare
  known uuid[];
  places uuid[];
  is_each_known boolean;
  has_turn boolean := false;
  held integer;
  sender record;
begin
  loop
    select coalesce(array_agg(distinct v.id) filter (where v.id is not null), '{}'), bool_and(s.is_known)
      into known, is_each_known
      from senders_in(messages) s cross join lateral (values (s.place), (s.other)) v (id);
    if is_each_known is null then
      return '{}';
    end if;
    if not is_each_known and not has_turn then
      perform lock_addresses(messages);
      has_turn := true;
      continue;
    end if;
    perform from conversations where id = any (known)
      order by instance_id, customer_id, channel, external_id for no key update;
    get diagnostics held = row_count;
    -- One was deleted, or an address has moved meanwhile.
    continue when held < cardinality(known) or exists (
      select from senders_in(messages) s cross join lateral (values (s.place), (s.other)) v (id)
      where v.id is not null and v.id <> all (known));
    for sender in select * from (
        select distinct on (instance_id, customer_id, channel, external_id, phone) * from senders_in(messages)
        where not is_known order by instance_id, customer_id, channel, external_id, phone, "position") s
      order by "position" loop
      perform tell_sender(sender.tenant_id, sender.instance_id, sender.customer_id, sender.channel, sender.endpoint_id,
        sender.external_id, sender.phone, coalesce(sender.conversation_kind, 'direct'), at);
    end loop;
    exit;
  end loop;
  select array_agg(s.place order by n) into places
    from generate_series(1, jsonb_array_length(messages)) n left join senders_in(messages) s on s."position" = n;
  update conversations c set endpoint_id = s.endpoint_id, display_name = s.display_name
    from (
      select place, (array_agg(endpoint_id order by "position" desc))[1] as endpoint_id,
             (array_agg(display_name order by "position" desc) filter (where display_name is not null))[1] as display_name
      from senders_in(messages) group by place) s
    where c.id = s.place
      and (c.endpoint_id is distinct from s.endpoint_id or c.display_name is distinct from coalesce(s.display_name, c.display_name));
  return places;
end $$;

-- What the channel tells of a sender: a user id, a phone number, or both (then external_id is the user id).
create or replace function tell_sender(of_tenant uuid, of_instance uuid, of_customer uuid, of_channel text, of_endpoint uuid,
                                       of_external_id text, of_phone text, of_kind text, at timestamptz) returns uuid
  language plpgsql
  as $$
declare
  has_id constant boolean := address_key(of_external_id) is distinct from address_key(of_phone);
  place uuid := conversation_of(of_customer, of_instance, of_channel, of_external_id);
begin
  if place is null and has_id then
    place := conversation_of(of_customer, of_instance, of_channel, of_phone);
    if has_user_id(place) then
      place := null;
    end if;
  end if;
  place := coalesce(place, begin_conversation(of_tenant, of_instance, of_customer, of_channel, of_endpoint, of_external_id, of_kind, at));
  place := tell_address(place, of_external_id, not has_id, at);
  if has_id and of_phone is not null then
    place := tell_address(place, of_phone, true, at);
  end if;
  update conversations set phone = of_phone where id = place and phone is distinct from coalesce(of_phone, phone);
  return place;
end $$;

create or replace function conversation_of(of_customer uuid, of_instance uuid, of_channel text, of_address text) returns uuid
  language plpgsql
  stable
  as $$
begin
  return (
    select conversation_id from conversation_addresses
    where customer_id = of_customer and instance_id = of_instance and channel = of_channel and address_key = address_key(of_address));
end $$;

create or replace function has_user_id(of_conversation uuid) returns boolean
  language sql
  stable
  as $$
  select exists (select from conversation_addresses where conversation_id = of_conversation and not is_phone)
$$;

-- An older copy of the service may have begun it without its addresses. Where an earlier conversation began with the address and
-- has lost it, this one gets another external_id, and shows that of `began_with`.
create or replace function begin_conversation(of_tenant uuid, of_instance uuid, of_customer uuid, of_channel text,
                                              of_endpoint uuid, of_external_id text, of_kind text, at timestamptz) returns uuid
  language plpgsql
  as $$
declare
  begun uuid;
begin
  insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, kind, last_message_at)
    values (of_tenant, of_instance, of_customer, of_channel, of_external_id, of_endpoint, of_kind, at)
    on conflict on constraint conversations_once do nothing returning id into begun;
  if begun is null then
    select id into begun from conversations c
      where customer_id = of_customer and instance_id = of_instance and channel = of_channel and external_id = of_external_id
        and merged_into is null and not exists (select from conversation_addresses where conversation_id = c.id)
      for no key update;
  end if;
  if begun is null then
    begun := gen_random_uuid();
    insert into conversations (id, tenant_id, instance_id, customer_id, channel, external_id, began_with, endpoint_id, kind,
                               last_message_at)
      values (begun, of_tenant, of_instance, of_customer, of_channel, begun::text, of_external_id, of_endpoint, of_kind, at);
  end if;
  return begun;
end $$;

-- Adds an address to those of a conversation's sender. A number that another sender has, with a user id of its own, changes
-- hands; any other address of another conversation shows that both are of one sender. Requires lock_addresses.
-- @returns the conversation in which the sender goes on
create or replace function tell_address(place uuid, of_address text, of_phone boolean, at timestamptz) returns uuid
  language plpgsql
  as $$
declare
  c conversations;
  former uuid;
begin
  select * into c from conversations where id = place;
  insert into conversation_addresses
      (tenant_id, customer_id, instance_id, channel, address_key, address, is_phone, conversation_id, since, told_at)
    values (c.tenant_id, c.customer_id, c.instance_id, c.channel, address_key(of_address), of_address, of_phone, place, at, at)
    on conflict (customer_id, channel, address_key, instance_id) do update set
      address = excluded.address, is_phone = excluded.is_phone, told_at = at
    returning conversation_id into former;
  if former = place then
    return place;
  end if;
  if not (of_phone and has_user_id(place) and has_user_id(former)) then
    return merge_conversations(place, former);
  end if;
  update conversation_addresses set conversation_id = place, since = at
    where customer_id = c.customer_id and instance_id = c.instance_id and channel = c.channel
      and address_key = address_key(of_address);
  update conversations set phone = (
      select address from conversation_addresses where conversation_id = former and is_phone order by told_at desc limit 1)
    where id = former or customer_id = c.customer_id and instance_id = c.instance_id and channel = c.channel and merged_into = former;
  perform unverify_number_of_identity(c.customer_id, c.channel, of_address);
  perform unverify_number_of_worker(c.customer_id, c.channel, of_address, at);
  return place;
end $$;

-- The sender goes on in the conversation in which it spoke last. Notices of the channel are nothing that it said.
create or replace function merge_conversations(one uuid, two uuid) returns uuid
  language plpgsql
  as $$
declare
  kept uuid;
  left_behind uuid;
begin
  select id into kept from conversations c where id in (one, two)
    order by coalesce((
      select max(number) from channel_messages where conversation_id = c.id and author = 'sender' and kind not in ('system', 'revoke')), 0) desc,
      last_in_at desc nulls last, created_at limit 1;
  left_behind := case kept when one then two else one end;
  update conversation_addresses set conversation_id = kept where conversation_id = left_behind;
  update conversations c set merged_into = kept from conversations l
    where l.id = left_behind and (c.id = l.id or c.customer_id = l.customer_id and c.instance_id = l.instance_id
      and c.channel = l.channel and c.merged_into = l.id);
  delete from conversations where id = left_behind and not exists (select from channel_messages where conversation_id = left_behind);
  return kept;
end $$;

-- The addresses of a conversation's sender, in the order in which they were told; that with which it began is the first.
create or replace function addresses_of(of_conversation uuid) returns text[]
  language sql
  stable
  as $$
  select coalesce(
    (select array_agg(address order by since, address <> coalesce(c.began_with, c.external_id), is_phone)
     -- coalesce() would keep row-level security from using the index. A conversation that was merged has no addresses itself.
     from conversation_addresses where conversation_id in (c.merged_into, c.id)),
    array[coalesce(c.began_with, c.external_id)])
  from conversations c where c.id = of_conversation
$$;

-- The given spellings of an address, and for each customer of the instance the addresses that its sender has besides.
create or replace function addresses_beside(of_instance uuid, of_channel text, given text[])
  returns table (customer_id uuid, address text, place bigint)
  language plpgsql
  stable
  -- Plans are cached: one made while the tables were small would use sequential scans.
  set enable_seqscan = off
  as $$
begin
  return query
  select null::uuid, g.spelling, g.place from unnest(given) with ordinality g (spelling, place)
  union all
  select o.customer_id, s.spelling, cardinality(given) + row_number() over (order by o.is_phone, o.since)
  from conversation_addresses t
  join conversation_addresses o on o.conversation_id = t.conversation_id and o.address_key <> t.address_key
  cross join unnest(address_spellings(o.address)) s (spelling)
  where t.customer_id in (select d.customer_id from served_deployments d where d.instance_id = of_instance)
    and t.instance_id = of_instance and t.channel = of_channel
    and t.address_key in (select address_key(spelling) from unnest(given) g (spelling));
end $$;

-- The channel tells that a sender has another number or user id. The former ones are nobody's until they are told again.
create or replace function move_sender(of_conversation uuid, former text[], new_phone text, new_user_id text, at timestamptz) returns void
  language plpgsql
  as $$
declare
  place uuid := of_conversation;
begin
  delete from conversation_addresses
    where conversation_id = place and address_key in (select address_key(address) from unnest(former) f (address));
  if new_user_id is not null then
    place := tell_address(place, new_user_id, false, at);
  end if;
  if new_phone is not null then
    place := tell_address(place, new_phone, true, at);
    update conversations set phone = new_phone where id = place;
  end if;
end $$;

-- Locks the conversations that move_sender changes, before the message is claimed.
create or replace function hold_moving(of_endpoint uuid, of_message text, told text[]) returns void
  language plpgsql
  as $$
declare
  c conversations;
begin
  select v.* into c from channel_messages m join conversations v on v.id = m.conversation_id
    where m.endpoint_id = of_endpoint and m.message_id = of_message;
  if c.id is not null then
    perform lock_addresses(jsonb_agg(jsonb_build_object(
      'customer_id', c.customer_id, 'instance_id', c.instance_id, 'channel', c.channel, 'external_id', address)))
      from unnest(told) t (address);
    perform from conversations
      where id = c.id or id in (
        select conversation_of(c.customer_id, c.instance_id, c.channel, address) from unnest(told) t (address))
      order by instance_id, customer_id, channel, external_id for no key update;
  end if;
end $$;

-- The conversations whose name or address contains the text: names that the channel told, of identities and of staff.
-- `digits` is the text without what people write between the digits of a number.
create or replace function conversations_named(search text, digits text) returns setof uuid
  language sql
  stable
  as $$
  with found (id) as (
    select id from conversations
    where contains_text(search, display_name, coalesce(began_with, external_id)) or contains_text(digits, coalesce(began_with, external_id))
    union all
    select conversation_id from conversation_addresses
    where contains_text(search, address) or contains_text(digits, address)
    union all
    select c.id from identities n join conversations c on c.identity_id = n.id and c.customer_id = n.customer_id
    where contains_text(search, n.display_name)
    union all
    select t.conversation_id
    from identities n join identity_addresses a on a.identity_id = n.id
    join conversation_addresses t on t.customer_id = n.customer_id and t.channel = a.channel
      and t.address_key in (address_key(a.external_id), n.address_key)
    where contains_text(search, n.display_name)
    union all
    select t.conversation_id
    from staff p join staff_bindings b on b.person_id = p.id and b.state = 'verified'
    join conversation_addresses t on t.customer_id = b.customer_id and t.channel = b.channel_type
      and t.address_key in (address_key(b.channel_address), b.address_key)
    where contains_text(search, p.name)
  )
  select id from found
  union all
  -- A conversation has the addresses of the one in which its sender goes on.
  select id from conversations where merged_into in (select id from found)
$$;

-- oldest service: 0002
-- One sender, one conversation: the phone numbers and user ids that the channel told for the sender of a conversation. An
-- address is of the sender for whom it was told last.
create table conversation_addresses (
  tenant_id uuid not null,
  customer_id uuid not null,
  instance_id uuid not null,
  channel text not null,
  -- The address in the one spelling by which it is found (address_key).
  address_key text not null,
  -- As the channel told it.
  address text not null,
  is_phone boolean not null,
  conversation_id uuid not null references conversations (id) on delete cascade,
  -- When it was told first for this conversation, and when it was told last beside another address.
  since timestamptz not null,
  told_at timestamptz not null,
  primary key (customer_id, channel, address_key, instance_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create index conversation_addresses_conversation on conversation_addresses (conversation_id);
call enable_tenant_rls('conversation_addresses');
grant insert, update, delete on conversation_addresses to acp_system;

-- The conversation with which this one turned out to be of one sender; it has the addresses of both.
alter table conversations add column merged_into uuid;
-- The address that it began with, where an earlier conversation has it as external_id and lost it to this sender.
alter table conversations add column began_with text;

-- A number that the channel tells for another sender: the binding of the former one needs more than a yes.
alter table staff_bindings add column handed_over_at timestamptz;
grant update, delete on identity_addresses to acp_system;
grant update on identities, staff_bindings to acp_system;

create function pg_temp.key_of(address text) returns text language sql immutable as $$
  select case when address !~ '^\+?[0-9]{7,15}$' then address else (
    select case
      when digits ~ '^55[0-9]{2}9[016-9][0-9]{7}$' then substr(digits, 1, 4) || substr(digits, 6)
      when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
      when digits ~ '^549[0-9]{10}$' then '54' || substr(digits, 4)
      else digits
    end from (select ltrim(address, '+') as digits) d) end
$$;
insert into conversation_addresses
  (tenant_id, customer_id, instance_id, channel, address_key, address, is_phone, conversation_id, since, told_at)
select distinct on (customer_id, instance_id, channel, pg_temp.key_of(address))
  tenant_id, customer_id, instance_id, channel, pg_temp.key_of(address), address, is_phone, id, created_at, last_message_at
from (
  -- Where two conversations have a number, it stays with the one that began with it until the channel tells it again.
  select *, external_id as address, external_id = phone or phone is null and external_id ~ '^\+?[0-9]{7,15}$' as is_phone, 1 as place
  from conversations
  union all
  select *, phone, true, 2 from conversations where phone <> external_id) told
order by customer_id, instance_id, channel, pg_temp.key_of(address), place, last_message_at desc
on conflict do nothing;

-- The same rules as identities/address-spellings.ts; a test compares both.
create or replace function address_spellings(address text) returns text[]
  language sql
  immutable
  strict
  parallel safe
  as $$
  select case when address !~ '^\+?[0-9]{7,15}$' then array[address]
    else array[ltrim(address, '+'), '+' || ltrim(address, '+')] || coalesce((
      select array[variant, '+' || variant] from (
        select case
          when digits ~ '^55[0-9]{2}9[016-9][0-9]{7}$' then '55' || substr(digits, 3, 2) || substr(digits, 6)
          when digits ~ '^55[0-9]{2}[016-9][0-9]{7}$' then '55' || substr(digits, 3, 2) || '9' || substr(digits, 5)
          when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
          when digits ~ '^52[0-9]{10}$' then '521' || substr(digits, 3)
          when digits ~ '^549[0-9]{10}$' then '54' || substr(digits, 4)
          when digits ~ '^54[0-9]{10}$' then '549' || substr(digits, 3)
        end as variant from (select ltrim(address, '+') as digits) d) v
      where variant is not null), '{}')
    end
$$;

create or replace function insert_identity_address() returns trigger
  language plpgsql
  as $$
begin
  insert into identity_addresses (tenant_id, channel, external_id, identity_id)
  values (new.tenant_id, new.channel, new.external_id, new.id);
  return null;
end $$;

create or replace trigger insert_identity_address after insert on identities
  for each row execute function insert_identity_address();

-- A corrected address drops the aliases, because they belonged to the former sender.
create or replace function move_identity_address() returns trigger
  language plpgsql
  as $$
begin
  delete from identity_addresses where identity_id = new.id;
  insert into identity_addresses (tenant_id, channel, external_id, identity_id)
  values (new.tenant_id, new.channel, new.external_id, new.id);
  return null;
end $$;

create or replace trigger move_identity_address after update of channel, external_id on identities
  for each row when ((old.channel, old.external_id) is distinct from (new.channel, new.external_id))
  execute function move_identity_address();

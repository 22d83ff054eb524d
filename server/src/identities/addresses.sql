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

-- The one spelling by which an address is found: of a phone number the digits, without the optional one of its country.
create or replace function address_key(address text) returns text
  language sql
  immutable
  strict
  parallel safe
  as $$
  select case when address !~ '^\+?[0-9]{7,15}$' then address else (
    select case
      when digits ~ '^55[0-9]{2}9[016-9][0-9]{7}$' then substr(digits, 1, 4) || substr(digits, 6)
      when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
      when digits ~ '^549[0-9]{10}$' then '54' || substr(digits, 4)
      else digits
    end from (select ltrim(address, '+') as digits) d) end
$$;

-- The channel tells a number for another sender than before. Whose identity began with it is not verified any more, and for
-- others it is no alias any more.
create or replace function unverify_number_of_identity(of_customer uuid, of_channel text, of_phone text) returns void
  language sql
  as $$
  with found as (
    select i.id, a.external_id, address_key(coalesce(i.address_key, i.external_id)) = address_key(a.external_id) as is_own
    from identity_addresses a join identities i on i.id = a.identity_id
    where i.customer_id = of_customer and a.channel = of_channel and a.external_id = any (address_spellings(of_phone))
  ), forgotten as (
    delete from identity_addresses a using found f
    where a.identity_id = f.id and a.channel = of_channel and a.external_id = f.external_id and not f.is_own
  )
  update identities i set verified = false, updated_at = greatest(i.updated_at, now()) from found f
  where i.id = f.id and f.is_own and i.verified
$$;

create or replace function insert_identity_address() returns trigger
  language plpgsql
  as $$
begin
  insert into identity_addresses (tenant_id, channel, external_id, identity_id)
  values (new.tenant_id, new.channel, coalesce(new.address_key, new.external_id), new.id);
  return null;
end $$;

create or replace trigger insert_identity_address after insert on identities
  for each row execute function insert_identity_address();

-- A corrected address drops the aliases, because they belonged to the former sender. Another spelling is no other address.
create or replace function move_identity_address() returns trigger
  language plpgsql
  as $$
begin
  if new.address_key = old.address_key and new.channel = old.channel then
    return null;
  end if;
  delete from identity_addresses where identity_id = new.id;
  insert into identity_addresses (tenant_id, channel, external_id, identity_id)
  values (new.tenant_id, new.channel, coalesce(new.address_key, new.external_id), new.id);
  return null;
end $$;

create or replace trigger move_identity_address after update of channel, external_id on identities
  for each row when ((old.channel, old.external_id) is distinct from (new.channel, new.external_id))
  execute function move_identity_address();

-- A number with a leading 0 is another one in another country.
create or replace function forget_identity_keys() returns trigger
  language plpgsql
  as $$
begin
  update identity_addresses a set external_id = i.external_id from identities i
    where i.customer_id = new.id and a.identity_id = i.id and a.channel = i.channel and a.external_id = i.address_key
      and i.external_id !~ '^[+]?[1-9][0-9]{6,14}$' and i.external_id <> i.address_key;
  update identities set address_key = null where customer_id = new.id and external_id !~ '^[+]?[1-9][0-9]{6,14}$';
  perform enqueue_job('key_addresses', new.tenant_id::text, new.tenant_id);
  return null;
end $$;

create or replace trigger forget_identity_keys after update of country_code on customers
  for each row when (old.country_code is distinct from new.country_code) execute function forget_identity_keys();

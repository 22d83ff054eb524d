-- A message is found by the id of its medium, which its sealed content holds: a keyed hash of tenant and id.
alter table channel_messages
  add column media_hash bytea,
  -- When a sender's new number was acted on: a message that comes twice moves nobody a second time.
  add column applied_at timestamptz;
create index messages_media on channel_messages (tenant_id, media_hash) where media_hash is not null;

-- The hash goes with the content, whichever statement erases that.
create function forget_media() returns trigger
  language plpgsql
  as $$
begin
  new.media_hash := null;
  return new;
end $$;
create trigger forget_media before update of sealed_content on channel_messages
  for each row when (new.sealed_content is null and new.media_hash is not null) execute function forget_media();

-- A code is hashed together with the address that it was made for, which the binding may have left since.
alter table staff_bindings add column code_address text;

-- The spellings of a channel address; the rules are those of identities/address-spellings.ts, and a test compares both.
create function address_spellings(address text) returns text[]
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

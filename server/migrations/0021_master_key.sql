-- The master keys that something stands under, by their ids; the keys themselves are the operator's. Taking one out of
-- this table is taking it out of use: it does not go while a value refers to it, and no value under it comes after.
create table master_keys (
  id bytea primary key,
  -- When a copy of the service last began to wrap with it.
  taken_at timestamptz not null default now()
);
grant select, insert, delete, update (taken_at) on master_keys to acp_system;

-- Which master key a value is under; null of one that was wrapped before values said so (its first byte is 1).
create function master_key_of(wrapped bytea) returns bytea
  language sql immutable parallel safe
  return case when substr(wrapped, 1, 1) = '\x02'::bytea then substr(wrapped, 2, 8) end;

-- What is wrapped by a master key stands in these three columns and nowhere else.
alter table tenants
  add master_key_id bytea generated always as (master_key_of(wrapped_key)) stored,
  add constraint tenants_master_key foreign key (master_key_id) references master_keys (id);
alter table service_keys
  add master_key_id bytea generated always as (master_key_of(wrapped_key)) stored,
  add constraint service_keys_master_key foreign key (master_key_id) references master_keys (id);
alter table ca_keys
  add master_key_id bytea generated always as (master_key_of(sealed_private_key)) stored,
  add constraint ca_keys_master_key foreign key (master_key_id) references master_keys (id);

grant update (wrapped_key) on service_keys to acp_system;
grant update (sealed_private_key) on ca_keys to acp_system;

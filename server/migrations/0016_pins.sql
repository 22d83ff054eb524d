-- A PIN of a customer, or of one of its identities, which then counts in place of the customer's (contract, section 5).
alter table identities add constraint identities_of_customer unique (tenant_id, customer_id, id);
create table pins (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  identity_id uuid,
  -- argon2id over the peppered PIN.
  pin_hash text not null,
  -- Another one each time the PIN is set: what was begun with the PIN before does not count.
  version uuid not null default gen_random_uuid(),
  -- Since the last right one. Spent before the hash is computed; what follows from them is in domain/lockout.ts.
  attempts integer not null default 0 check (attempts >= 0),
  locked_until timestamptz,
  created_at timestamptz not null,
  constraint pins_owner unique nulls not distinct (tenant_id, customer_id, identity_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id),
  constraint pins_identity foreign key (tenant_id, customer_id, identity_id)
    references identities (tenant_id, customer_id, id) on delete cascade
);
call enable_tenant_rls('pins');

-- What a right PIN was answered with. Only the token's SHA-256 stands here.
create table pin_sessions (
  token_hash bytea primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  pin_id uuid not null references pins (id) on delete cascade,
  pin_version uuid not null,
  expires_at timestamptz not null,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index pin_sessions_pin on pin_sessions (pin_id);
call enable_tenant_rls('pin_sessions');

-- Every address that finds an identity: its own external_id, and those that the channel used for the same sender
-- (a phone number and a business-scoped user id). One address belongs to one identity, whichever way it came here.
create table identity_addresses (
  tenant_id uuid not null,
  channel text not null,
  external_id text not null,
  identity_id uuid not null references identities (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint identity_addresses_key primary key (tenant_id, channel, external_id)
);
create index identity_addresses_identity on identity_addresses (identity_id);

-- The owner of the tables is under row-level security too, and would copy nothing.
alter table identities no force row level security;
insert into identity_addresses (tenant_id, channel, external_id, identity_id)
select tenant_id, channel, external_id, id from identities;
alter table identities force row level security;
call enable_tenant_rls('identity_addresses');

create function insert_identity_address() returns trigger
  language plpgsql
  as $$
begin
  insert into identity_addresses (tenant_id, channel, external_id, identity_id)
  values (new.tenant_id, new.channel, new.external_id, new.id);
  return null;
end $$;
create trigger insert_identity_address after insert on identities
  for each row execute function insert_identity_address();

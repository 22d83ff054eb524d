-- Wrong PINs in a row of one who tries: an identity, or all calls without one together (null). The PIN that an identity
-- tries is its own or its customer's, one at a time, so its tries need no PIN and survive the one that it had
-- (contract, section 17). pins.attempts counts the tries of everybody at that PIN.
create table pin_tries (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  identity_id uuid,
  attempts integer not null check (attempts >= 0),
  locked_until timestamptz,
  constraint pin_tries_who unique nulls not distinct (tenant_id, customer_id, identity_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  constraint pin_tries_identity foreign key (tenant_id, customer_id, identity_id)
    references identities (tenant_id, customer_id, id) on delete cascade
);
call enable_tenant_rls('pin_tries');

-- The skill or tool that a session is for alone; null: for all.
alter table pin_sessions add column purpose text;

-- True when the service itself asks for the session, and not the runtime alone.
alter table pin_policies add column enforced boolean not null default false;

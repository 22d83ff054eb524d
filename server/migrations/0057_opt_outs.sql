-- oldest service: 0054
--
-- Senders who wrote STOP: no trigger speaks to them until they write START. A wish outlives the conversation that it was said
-- in, so an address is kept as a keyed hash, which nobody can read.
create table opt_outs (
  tenant_id uuid not null,
  customer_id uuid not null,
  address_hash bytea not null,
  at timestamptz not null,
  primary key (customer_id, address_hash),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('opt_outs');

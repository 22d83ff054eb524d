create table connections (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  provider text not null,
  name text,
  -- AES-256-GCM under the tenant's data key; emptied when the connection is revoked.
  sealed_credentials bytea,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
create index connections_customer on connections (tenant_id, customer_id, created_at);
call enable_tenant_rls('connections');

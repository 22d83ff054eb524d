create table identities (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  channel text not null,
  external_id text not null,
  display_name text,
  role_override text,
  verified boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id),
  constraint identities_external_id unique (tenant_id, channel, external_id)
);
create index identities_customer on identities (tenant_id, customer_id, created_at desc);
call enable_tenant_rls('identities');

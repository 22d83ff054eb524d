create table customers (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  email text,
  company_name text,
  country_code text,
  currency text,
  timezone text not null default 'UTC',
  locale text,
  payments_customer_id text,
  rules jsonb not null default '{}',
  config jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create unique index customers_email on customers (tenant_id, lower(email));
create index customers_created_at on customers (tenant_id, created_at desc, id);
call enable_tenant_rls('customers');

create table subscriptions (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  status text not null check (status in ('trialing', 'active', 'past_due', 'paused', 'canceled')),
  plan text,
  current_period_end timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
create index subscriptions_customer on subscriptions (tenant_id, customer_id, created_at desc);
call enable_tenant_rls('subscriptions');

create table websites (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  -- Lower case, without port and trailing dot. Unique over all tenants: one name has one owner.
  hostname text not null constraint websites_hostname unique,
  created_at timestamptz not null default now(),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
create index websites_customer on websites (tenant_id, customer_id, created_at desc);
call enable_tenant_rls('websites');

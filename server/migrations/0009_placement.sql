-- What an instance may be deployed on. The operator's, the same for all tenants.
create table tiers (
  id uuid primary key,
  name text not null,
  description text,
  cpu_millis integer,
  memory_mib integer,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table regions (
  id text primary key check (length(id) <= 50),
  name text not null,
  -- Where runtimes of this region reach the chat channel's send API; null for the channel's public address.
  chatapp_api_base_url text,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select on tiers, regions to acp_tenant;
grant select, insert, update on tiers, regions to acp_system;

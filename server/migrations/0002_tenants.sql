create table tenants (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Merged below every resolved configuration that a shared instance serves (contract, section 7).
  defaults jsonb not null default '{}',
  -- The tenant's data key, wrapped by MASTER_KEY (AES-256-GCM).
  wrapped_key bytea not null,
  is_platform boolean not null default false,
  created_at timestamptz not null default now()
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy own_tenant on tenants to acp_tenant using (id = current_tenant());
create policy system_rows on tenants to acp_system using (true) with check (true);
grant select on tenants to acp_tenant;
grant select, insert, update on tenants to acp_system;

-- Keys of the service itself (token signing, refresh tokens, lookups), wrapped by MASTER_KEY.
create table service_keys (
  id text primary key,
  wrapped_key bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on service_keys to acp_system;

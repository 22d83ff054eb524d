create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table memberships (
  tenant_id uuid not null references tenants (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, tenant_id)
);
create index memberships_tenant on memberships (tenant_id, created_at desc);
call enable_tenant_rls('memberships');
grant insert on memberships to acp_system;

-- An account may belong to several tenants: a tenant sees who its members are, never a password hash.
alter table users enable row level security;
alter table users force row level security;
create policy members on users for select to acp_tenant
  using (exists (select from memberships m where m.user_id = users.id and m.tenant_id = current_tenant()));
create policy system_rows on users to acp_system using (true) with check (true);
grant select (id, email, created_at) on users to acp_tenant;
grant select, insert, update on users to acp_system;

-- One login. The refresh token is derived from (id, generation), so nothing of it stands here (contract, section 3).
create table sessions (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  user_id uuid not null references users (id),
  generation integer not null default 1,
  rotated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
call enable_tenant_rls('sessions');
grant insert, update, delete on sessions to acp_system;

-- oldest service: 0006
-- Sign-in from browsers: one-time links, and the password that a session begun by one may set.

create table sign_in_links (
  token_hash bytea primary key,
  tenant_id uuid not null references tenants (id),
  user_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (user_id, tenant_id) references memberships (user_id, tenant_id) on delete cascade
);
create index sign_in_links_member on sign_in_links (user_id, tenant_id);
create index sign_in_links_expires on sign_in_links (expires_at);
call enable_tenant_rls('sign_in_links');
grant insert, delete, update (used_at) on sign_in_links to acp_system;

-- Until then the session may set the account's password once without the current one; null: never, or done.
alter table sessions add column password_free_until timestamptz;

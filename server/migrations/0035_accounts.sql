-- An account belongs to the tenant that made it, and its address may have other accounts in other tenants. So no password
-- that one tenant chose opens another one.
alter table users
  -- null: all its memberships had ended before accounts belonged to tenants.
  add column home_tenant_id uuid references tenants (id),
  -- True when its owner set the password: by invitation, by reset or by changing it. An admin's choice makes it false.
  add column password_is_owners boolean not null default false,
  add column last_login_at timestamptz;
alter table memberships add column email text;

-- The owner of the tables is under row-level security too, and would change nothing.
alter table users no force row level security;
alter table memberships no force row level security;
alter table sessions no force row level security;
update users u set
  home_tenant_id = (select m.tenant_id from memberships m where m.user_id = u.id order by m.created_at, m.tenant_id limit 1),
  last_login_at = (select max(s.created_at) from sessions s where s.user_id = u.id and s.family_id is null);
update memberships m set email = u.email from users u where u.id = m.user_id;
alter table users force row level security;
alter table memberships force row level security;
alter table sessions force row level security;

drop index users_email;
create index users_email on users (lower(email));
alter table users add constraint users_id_email unique (id, email);
-- The address stands here too, so that the database keeps it unique within the tenant.
alter table memberships
  alter column email set not null,
  drop constraint memberships_user_id_fkey,
  add foreign key (user_id, email) references users (id, email) on update cascade;
create unique index memberships_email on memberships (tenant_id, lower(email));

-- The networks that an account was signed in from. They are never locked out by failed logins from others.
create table login_networks (
  user_id uuid not null references users (id),
  network text not null,
  last_login_at timestamptz not null,
  primary key (user_id, network)
);
grant select, insert, update, delete on login_networks to acp_system;

-- The tokens of both tables are stored as hashes alone.
create table invitations (
  token_hash bytea primary key,
  tenant_id uuid not null references tenants (id),
  email text not null,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);
call enable_tenant_rls('invitations');
grant insert, update (accepted_at) on invitations to acp_system;

create table password_resets (
  token_hash bytea primary key,
  tenant_id uuid not null references tenants (id),
  user_id uuid not null,
  -- The operator may reset accounts of several tenants; an admin's token ends when the account joins another tenant.
  by_operator boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (user_id, tenant_id) references memberships (user_id, tenant_id) on delete cascade
);
create index password_resets_member on password_resets (user_id, tenant_id);
call enable_tenant_rls('password_resets');
grant insert, update (used_at) on password_resets to acp_system;

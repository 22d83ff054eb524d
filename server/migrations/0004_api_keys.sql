create table api_keys (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  name text not null,
  -- The part before the second underscore, to recognise a key by; and SHA-256 of the whole.
  prefix text not null,
  key_hash bytea not null unique,
  role text not null check (role in ('member', 'admin')),
  scopes text[] not null,
  rate_limit_limit integer not null check (rate_limit_limit > 0),
  rate_limit_window_seconds integer not null check (rate_limit_window_seconds > 0),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_tenant on api_keys (tenant_id, created_at desc);
call enable_tenant_rls('api_keys');
grant update (last_used_at) on api_keys to acp_system;
grant insert on api_keys to acp_system;

-- Every copy of the service forgets what it remembers of keys when one is revoked or ends earlier.
create function notify_api_key_change() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('api_keys', new.id::text);
  return null;
end $$;
create trigger notify_api_key_change after update of revoked_at, expires_at on api_keys
  for each row execute function notify_api_key_change();

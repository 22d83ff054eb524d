-- Copies of the service drop cached keys when one is revoked or its end changes.
create or replace function notify_api_key_change() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('api_keys', new.id::text);
  return null;
end $$;

create or replace trigger notify_api_key_change after update of revoked_at, expires_at on api_keys
  for each row execute function notify_api_key_change();

-- Copies of the service drop cached keys when a tenant becomes active or inactive.
create or replace function notify_tenant_activity() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('api_keys', new.id::text);
  return null;
end $$;

create or replace trigger notify_tenant_activity after update of is_active on tenants
  for each row when (old.is_active is distinct from new.is_active) execute function notify_tenant_activity();

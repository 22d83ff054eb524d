-- Every copy of the service forgets what it remembers of keys when one is revoked or ends earlier.
create or replace function notify_api_key_change() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('api_keys', new.id::text);
  return null;
end $$;

create or replace trigger notify_api_key_change after update of revoked_at, expires_at on api_keys
  for each row execute function notify_api_key_change();

-- Every copy of the service forgets the keys of a tenant that becomes active or inactive.
create or replace function notify_tenant_activity() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('api_keys', new.id::text);
  return null;
end $$;

create or replace trigger notify_tenant_activity after update of is_active on tenants
  for each row when (old.is_active is distinct from new.is_active) execute function notify_tenant_activity();

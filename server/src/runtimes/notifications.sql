-- A host is told which of its runtimes to look at: <host>/<instance>, or <host> for all of them.
create or replace function notify_runtime() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtimes', new.runtime_host || '/' || new.id);
  return null;
end $$;

create or replace trigger notify_runtime after update of runtime_wanted, runtime_generation, runtime_host on instances
  for each row when (
    new.runtime_host is not null and
    (old.runtime_wanted, old.runtime_generation, old.runtime_host)
      is distinct from (new.runtime_wanted, new.runtime_generation, new.runtime_host))
  execute function notify_runtime();

create or replace function notify_runtimes_of_tenant() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtimes', id::text) from runtime_hosts;
  return null;
end $$;

create or replace trigger notify_runtimes_of_tenant after update of is_active on tenants
  for each row when (old.is_active is distinct from new.is_active)
  execute function notify_runtimes_of_tenant();

-- Every instance has a row for its runtime.
create or replace function insert_runtime() returns trigger
  language plpgsql
  as $$
begin
  insert into runtimes (instance_id, tenant_id) values (new.id, new.tenant_id);
  return null;
end $$;

create or replace trigger insert_runtime after insert on instances for each row execute function insert_runtime();

-- The read interface for other rooms, with the states of the API.
create or replace view runtime_states with (security_invoker = true) as
  select instance_id, tenant_id, host_id, wanted, generation, address, restarts,
         case when phase = 'gone' then case when asleep_at is null then 'absent' else 'asleep' end
              when phase = 'up' and reason = 'node_lost' then 'lost'
              when phase = 'up' and unready_since is not null then 'unready' else phase
         end as state,
         case when phase = 'up' and unready_since is not null then coalesce(reason, 'unhealthy') else reason end as reason,
         case when phase = 'up' then coalesce(unready_since, since) else since end as since,
         exists (select from runtime_hosts h where h.id = host_id and h.is_draining) as is_draining,
         asleep_at is not null or wake_at is not null as needs_waking, up_at, asleep_at
  from runtimes;

grant select on runtime_states to acp_tenant, acp_system;

-- Notifies a host which of its runtimes to reconcile: <host>/<instance>, or <host> for all of them.
create or replace function notify_runtime() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtimes', new.host_id || '/' || new.instance_id);
  return null;
end $$;

create or replace trigger notify_runtime after update of wanted, generation, host_id on runtimes
  for each row when (
    new.host_id is not null and
    (old.wanted, old.generation, old.host_id) is distinct from (new.wanted, new.generation, new.host_id))
  execute function notify_runtime();

-- Every host reconciles all of its runtimes when a tenant becomes active or inactive.
create or replace function notify_runtimes_of_tenant() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtimes', host_id::text)
  from (select id from runtime_hosts union all select host_id from clusters where host_id is not null) as places (host_id);
  return null;
end $$;

create or replace trigger notify_runtimes_of_tenant after update of is_active on tenants
  for each row when (old.is_active is distinct from new.is_active)
  execute function notify_runtimes_of_tenant();

-- While a tenant is inactive its runtimes do not run.
alter table tenants add column if not exists is_active boolean not null default true;

-- Wanted: runtime_wanted, and a generation that grows with each start. Observed: the rest.
alter table instances
  add column runtime_generation integer not null default 0,
  -- Limits are those that the tier had at the start.
  add column runtime_cpu_millis integer,
  add column runtime_memory_mib integer,
  add column runtime_spec_hash text,
  add column runtime_phase text not null default 'gone'
    check (runtime_phase in ('starting', 'up', 'ending', 'gone')),
  add column runtime_reason text check (runtime_reason in (
    'unschedulable', 'image_pull_failed', 'spec_rejected', 'name_taken', 'start_timeout', 'crashed', 'out_of_memory',
    'identity_refused', 'evicted', 'node_lost', 'cluster_unreachable')),
  add column runtime_restarts integer not null default 0,
  -- Since when it has been in its phase.
  add column runtime_since timestamptz not null default now(),
  -- When it was up for the first time since it was last asked to start. From then on it is restarted without limit.
  add column runtime_up_at timestamptz;

-- Runtimes of the version before. Forced row-level security hides every row from the owner.
set local role acp_system;
update instances i set runtime_generation = 1,
    runtime_phase = case when runtime_address is null then 'starting' else 'up' end,
    runtime_up_at = case when runtime_address is null then null else now() end,
    runtime_cpu_millis = greatest(coalesce(t.cpu_millis, 500), 250),
    runtime_memory_mib = coalesce(t.memory_mib, 256)
  from tiers t where t.id = i.tier_id and runtime_wanted;
reset role;

-- A task that has failed for good is undone, which may take several runs.
alter table tasks add column is_failing boolean not null default false;

-- A host is told which of its runtimes to look at: <host>/<instance>, or <host> for all of them.
drop trigger notify_runtime_unwanted on instances;
drop function notify_runtime_unwanted();
create function notify_runtime() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtimes', new.runtime_host || '/' || new.id);
  return null;
end $$;
create trigger notify_runtime after update of runtime_wanted, runtime_generation, runtime_host on instances
  for each row when (
    new.runtime_host is not null and
    (old.runtime_wanted, old.runtime_generation, old.runtime_host)
      is distinct from (new.runtime_wanted, new.runtime_generation, new.runtime_host))
  execute function notify_runtime();

create function notify_runtimes_of_tenant() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('runtimes', id::text) from runtime_hosts;
  return null;
end $$;
create trigger notify_runtimes_of_tenant after update of is_active on tenants
  for each row when (old.is_active is distinct from new.is_active)
  execute function notify_runtimes_of_tenant();

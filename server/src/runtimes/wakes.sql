-- The job admits as many of a cluster's runtimes as may start at once. It is of the service itself, hence the role.
create or replace function admit_wakes_of(instance uuid) returns void
  language plpgsql
  set role = acp_system
  as $$
begin
  perform enqueue_job('wake_runtimes', cluster_id, '00000000-0000-0000-0000-000000000000') from instances where id = instance;
end $$;

-- Asks for a runtime that sleeps, once for all who wait. False: it is awake. One that falls asleep just now stays awake.
create or replace function ask_wake(instance uuid) returns boolean
  language plpgsql
  as $$
declare
  asked runtimes;
begin
  select * into asked from runtimes where instance_id = instance for update;
  if asked.asleep_at is not null and asked.wanted then
    update runtimes set asleep_at = null where instance_id = instance;
    return false;
  end if;
  if asked.asleep_at is null and asked.wake_at is null then return false; end if;
  if asked.wake_at is null then
    update runtimes set wake_at = now() where instance_id = instance;
  end if;
  perform admit_wakes_of(instance);
  return true;
end $$;

-- A wake has ended: conversations that waited for it go on, or count a failed try, and another runtime may start.
create or replace function end_wake() returns trigger
  language plpgsql
  as $$
begin
  perform enqueue_job('converse', conversation_id::text, tenant_id, instance_id::text) from wake_waits
    where tenant_id = new.tenant_id and instance_id = new.instance_id order by conversation_id;
  if new.phase = 'up' then
    delete from wake_waits where tenant_id = new.tenant_id and instance_id = new.instance_id;
  else
    update wake_waits set has_failed = true where tenant_id = new.tenant_id and instance_id = new.instance_id;
  end if;
  perform admit_wakes_of(new.instance_id);
  return null;
end $$;

create or replace trigger end_wake after update of wake_at on runtimes for each row
  when (old.wake_at is not null and new.wake_at is null) execute function end_wake();

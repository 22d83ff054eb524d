-- Each deployment with triggers has one job, which schedules its next run itself. It is enqueued with the deployment, and
-- again when schedules or the time zone change.
create or replace function fire_triggers_of(deployment deployments) returns void
  language plpgsql
  as $$
begin
  perform enqueue_job('fire_triggers', deployment.id::text, deployment.tenant_id);
end $$;

create or replace function begin_triggers() returns trigger
  language plpgsql
  as $$
begin
  perform fire_triggers_of(new);
  return null;
end $$;

create or replace trigger begin_triggers after insert on deployments for each row
  when (jsonb_array_length(case jsonb_typeof(new.resolved_config -> 'trigger_templates')
          when 'array' then new.resolved_config -> 'trigger_templates' else '[]' end) > 0)
  execute function begin_triggers();

create or replace function change_triggers() returns trigger
  language plpgsql
  as $$
begin
  new.triggers_since := now();
  perform fire_triggers_of(new);
  return new;
end $$;

create or replace trigger change_triggers before update of resolved_config on deployments for each row
  when (new.released_at is null
        and new.resolved_config -> 'trigger_templates' is distinct from old.resolved_config -> 'trigger_templates')
  execute function change_triggers();

create or replace function change_triggers_of_customer() returns trigger
  language plpgsql
  as $$
begin
  perform fire_triggers_of(d) from restart_triggers(new.id) d order by d.id;
  return null;
end $$;

create or replace trigger change_triggers_of_customer after update of timezone, config on customers for each row
  when (new.timezone is distinct from old.timezone
        or new.config -> 'trigger_templates' is distinct from old.config -> 'trigger_templates')
  execute function change_triggers_of_customer();

-- A trigger that was due meanwhile is fired now.
create or replace function fire_triggers_of_instance() returns trigger
  language plpgsql
  as $$
begin
  perform fire_triggers_of(d) from deployments d
    where d.instance_id = new.id and d.released_at is null
      and jsonb_array_length(case jsonb_typeof(d.resolved_config -> 'trigger_templates')
        when 'array' then d.resolved_config -> 'trigger_templates' else '[]' end) > 0
    order by d.id;
  return null;
end $$;

create or replace trigger fire_triggers_of_instance after update of status on instances for each row
  when (new.status = 'running' and old.status is distinct from 'running') execute function fire_triggers_of_instance();

-- Trigger names may contain names of people, so they are erased with the customer.
create or replace function erase_triggers() returns trigger
  language plpgsql
  as $$
begin
  delete from trigger_runs r using deployments d
  where d.id = r.deployment_id and d.tenant_id = old.tenant_id and d.customer_id = old.id;
  return old;
end $$;

create or replace trigger erase_triggers before delete on customers for each row execute function erase_triggers();

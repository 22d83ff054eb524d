-- Templates of rules and flows for new senders, which recipes name by id; triggers, which make the agent speak first.

create table rules_templates (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  name text not null,
  rules jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index rules_templates_latest on rules_templates (tenant_id, created_at desc, id);
call enable_tenant_rls('rules_templates');
call note_changes('rules_templates', 'id');

create table onboarding_flows (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  name text not null,
  -- A list of {text, save_as}.
  steps jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index onboarding_flows_latest on onboarding_flows (tenant_id, created_at desc, id);
call enable_tenant_rls('onboarding_flows');
call note_changes('onboarding_flows', 'id');

alter table conversations
  -- The flow that a new sender is being asked; null before and after.
  add column onboarding_flow_id uuid,
  -- How many of its steps were asked, and the number of the last message before the last one: replies have higher ones.
  add column onboarding_step integer not null default 0,
  add column onboarding_number bigint not null default 0,
  -- When it was over.
  add column onboarded_at timestamptz;
-- Replies that are kept beyond the conversation, under the tenant's key.
alter table identities add column sealed_attributes bytea;

-- Times of a deployment's triggers count from here on: an earlier one was fired, or was none when it passed.
alter table deployments add column triggers_since timestamptz not null default now();

-- A time at which a trigger was fired: the row decides that it is once.
create table trigger_runs (
  tenant_id uuid not null,
  deployment_id uuid not null references deployments (id) on delete cascade,
  name text not null,
  at timestamptz not null,
  -- Why nothing was said.
  error text,
  primary key (deployment_id, name, at)
);
call enable_tenant_rls('trigger_runs');

-- A trigger's name may name a person.
create function erase_triggers() returns trigger
  language plpgsql
  as $$
begin
  delete from trigger_runs r using deployments d
  where d.id = r.deployment_id and d.tenant_id = old.tenant_id and d.customer_id = old.id;
  delete from instance_events e using deployments d
  where d.instance_id = e.instance_id and e.step = 'trigger' and d.tenant_id = old.tenant_id and d.customer_id = old.id;
  return old;
end $$;
create trigger erase_triggers before delete on customers for each row execute function erase_triggers();

-- One job per deployment with triggers finds the next time by itself. It begins with the deployment, and looks anew when
-- the schedules or the time zone change.
create function fire_triggers_of(deployment deployments) returns void
  language plpgsql
  as $$
begin
  insert into jobs as j (kind, key, tenant_id, due_at)
    values ('fire_triggers', deployment.id::text, deployment.tenant_id, now())
    on conflict (kind, key) do update set
      again_at = case when j.claim is null then null else '-infinity'::timestamptz end,
      run_at = case when j.claim is null then '-infinity' else j.run_at end,
      due_at = case when j.claim is null then now() else j.due_at end;
  perform pg_notify('jobs', 'fire_triggers');
end $$;

create function begin_triggers() returns trigger
  language plpgsql
  as $$
begin
  perform fire_triggers_of(new);
  return null;
end $$;
create trigger begin_triggers after insert on deployments for each row
  when (jsonb_array_length(case jsonb_typeof(new.resolved_config -> 'trigger_templates')
          when 'array' then new.resolved_config -> 'trigger_templates' else '[]' end) > 0)
  execute function begin_triggers();

create function change_triggers() returns trigger
  language plpgsql
  as $$
begin
  new.triggers_since := now();
  perform fire_triggers_of(new);
  return new;
end $$;
create trigger change_triggers before update of resolved_config on deployments for each row
  when (new.released_at is null
        and new.resolved_config -> 'trigger_templates' is distinct from old.resolved_config -> 'trigger_templates')
  execute function change_triggers();

create function change_triggers_of_customer() returns trigger
  language plpgsql
  as $$
begin
  update deployments set triggers_since = now() where customer_id = new.id and released_at is null;
  perform fire_triggers_of(d) from deployments d where d.customer_id = new.id and d.released_at is null order by d.id;
  return null;
end $$;
create trigger change_triggers_of_customer after update of timezone, config on customers for each row
  when (new.timezone is distinct from old.timezone
        or new.config -> 'trigger_templates' is distinct from old.config -> 'trigger_templates')
  execute function change_triggers_of_customer();

-- Deployments of before: what was written down then acts from now on.
set local role acp_system;
insert into jobs (kind, key, tenant_id, due_at)
  select 'fire_triggers', id::text, tenant_id, now() from deployments
  where released_at is null and jsonb_typeof(resolved_config -> 'trigger_templates') = 'array'
    and resolved_config -> 'trigger_templates' <> '[]';
reset role;

-- Instances are upgraded in place, customers leave shared ones, and what runtimes say is kept for a day.

-- The instance itself is moved by one task at a time; customers who join or leave a shared one do not move it.
alter table tasks drop constraint tasks_kind_check,
  add constraint tasks_kind_check
    check (kind in ('provision', 'join', 'leave', 'start', 'stop', 'terminate', 'upgrade'));
drop index tasks_one_at_a_time;
create unique index tasks_one_at_a_time on tasks (instance_id)
  where kind not in ('join', 'leave') and status in ('queued', 'running');

-- An upgrade under way. Until it is applied a row holds the configuration to come, from then on the former one, which
-- undoing brings back. The rows go with the end of the task.
create table upgrades (
  task_id uuid primary key references tasks (id),
  tenant_id uuid not null,
  plan_hash text not null,
  is_applied boolean not null default false,
  recipe_revision integer not null,
  template_name text not null,
  manifest_id text,
  resolved_config jsonb not null,
  provenance jsonb not null,
  -- The skills that require a PIN from now on, and those of them that the policy did not have.
  pin_skills jsonb not null,
  pins_added jsonb,
  -- What the runtime would have been started with before, and the generations that were begun because that has changed.
  former_spec_hash text,
  renewed_generation integer,
  restored_generation integer
);
call enable_tenant_rls('upgrades');

create table deployment_upgrades (
  task_id uuid not null references upgrades (task_id) on delete cascade,
  deployment_id uuid not null references deployments (id),
  tenant_id uuid not null,
  is_applied boolean not null default false,
  recipe_revision integer not null,
  plan_hash text not null,
  instance_overrides jsonb,
  resolved_config jsonb not null,
  retention_days integer not null,
  onboarding_flow_id uuid,
  primary key (task_id, deployment_id)
);
create index deployment_upgrades_deployment on deployment_upgrades (deployment_id);
call enable_tenant_rls('deployment_upgrades');

create table instance_logs (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null,
  line text not null,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index instance_logs_instance on instance_logs (instance_id, id desc);
create index instance_logs_at on instance_logs (at);
call enable_tenant_rls('instance_logs');
grant delete on instance_logs to acp_system;

-- A runtime's lines may name people.
create function erase_instance_logs() returns trigger
  language plpgsql
  as $$
begin
  delete from instance_logs l
  where l.tenant_id = old.tenant_id and l.instance_id in (
    select instance_id from deployments where tenant_id = old.tenant_id and customer_id = old.id);
  return old;
end $$;
create trigger erase_instance_logs before delete on customers for each row execute function erase_instance_logs();

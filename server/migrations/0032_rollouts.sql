-- oldest service: 0006
-- Rollouts: a revision of a recipe for its instances, in batches.

create table rollouts (
  id uuid primary key,
  tenant_id uuid not null,
  recipe_id uuid not null references recipes (id),
  revision integer not null,
  status text not null default 'running'
    check (status in ('running', 'paused', 'stopped', 'succeeded', 'rolling_back', 'rolled_back')),
  -- The one that is under way, from 1, and how many percent of the instances are reached after each.
  batch integer not null default 1,
  batches jsonb not null,
  pause_seconds integer not null check (pause_seconds between 0 and 86400),
  -- As many stop the rollout; null: not watched.
  failed_upgrades integer not null check (failed_upgrades >= 1),
  refused_messages integer check (refused_messages >= 1),
  llm_failures integer check (llm_failures >= 1),
  -- Counted before somebody resumed the stopped rollout, in spite of them.
  failed_before integer not null default 0,
  refused_before integer not null default 0,
  llm_before integer not null default 0,
  -- The pause before the next batch, and the watch after the last one.
  next_batch_at timestamptz,
  watched_until timestamptz,
  -- A word of ours.
  stopped_because text,
  -- It cannot go on any more.
  has_gone_back boolean not null default false,
  created_at timestamptz not null,
  created_by jsonb,
  -- While it is stopped, succeeded or rolled back.
  ended_at timestamptz,
  unique (tenant_id, id)
);
create index rollouts_recipe on rollouts (tenant_id, recipe_id, created_at desc);
-- One at a time changes the instances of a recipe.
create unique index rollouts_one_at_a_time on rollouts (tenant_id, recipe_id)
  where status in ('running', 'paused', 'rolling_back');
create index rollouts_states on rollouts (status);
create index rollouts_ended on rollouts (ended_at) where ended_at is not null;
call enable_tenant_rls('rollouts');
grant delete on rollouts to acp_system;

create table rollout_items (
  tenant_id uuid not null,
  rollout_id uuid not null,
  instance_id uuid not null,
  position integer not null,
  batch integer not null,
  -- Where it goes back to.
  from_revision integer not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'upgrading', 'upgraded', 'failed', 'skipped', 'rolled_back')),
  error text,
  -- The task that gave it the revision, and the last one that took it back.
  task_id uuid,
  back_task_id uuid,
  -- Failures count towards the bounds of the rollout since then.
  upgraded_at timestamptz,
  -- Another task has been at work on the instance since then.
  busy_since timestamptz,
  -- Its way back is still to begin; and: has begun, or was refused.
  is_to_go_back boolean not null default false,
  is_back boolean not null default false,
  primary key (tenant_id, rollout_id, instance_id),
  foreign key (tenant_id, rollout_id) references rollouts (tenant_id, id) on delete cascade,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) on delete cascade
);
create index rollout_items_instance on rollout_items (tenant_id, instance_id);
call enable_tenant_rls('rollout_items');

-- Tries that an upgraded runtime did not take. A table of its own, so that messages and rollouts never wait for each other.
create table rollout_refusals (
  tenant_id uuid not null,
  rollout_id uuid not null,
  instance_id uuid not null,
  tries integer not null,
  primary key (tenant_id, rollout_id, instance_id),
  foreign key (tenant_id, rollout_id, instance_id) references rollout_items on delete cascade
);
call enable_tenant_rls('rollout_refusals');

create index llm_calls_failed on llm_calls (tenant_id, instance_id, at) where status = 'failed';

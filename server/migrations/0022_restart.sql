-- oldest service: 0006
-- Restarts of one instance and of many.

alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check
  check (kind in ('provision', 'join', 'leave', 'start', 'stop', 'restart', 'terminate', 'upgrade')) not valid;

alter table tasks
  -- A restart has begun its new generation.
  add column has_renewed boolean not null default false,
  -- The restart of many instances that a restart belongs to, and its place among the tenant's; null once it may begin.
  add column fleet_id uuid,
  add column turn integer;
create index tasks_fleet on tasks (fleet_id, turn)
  where fleet_id is not null and status in ('queued', 'running', 'canceling');
grant insert, update (status, error, turn, updated_at, finished_at) on tasks to acp_system;

-- A restart of many instances, until all of its tasks may begin.
create table fleet_restarts (
  id uuid primary key,
  at_once integer not null check (at_once between 1 and 100),
  -- Which instances; null: any.
  cluster_id text,
  manifest_id text,
  of_tenant uuid,
  -- Instances have tasks up to this id; all of them once it is whole.
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  is_whole boolean not null default false,
  created_at timestamptz not null
);
grant select, insert, update (after, is_whole), delete on fleet_restarts to acp_system;

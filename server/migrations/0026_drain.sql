-- oldest service: 0006
-- Instances move from one cluster to others.

alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check
  check (kind in ('provision', 'join', 'leave', 'start', 'stop', 'restart', 'move', 'terminate', 'upgrade')) not valid;
-- The cluster that a move that has begun goes back to where it fails.
alter table tasks add column moved_from text;
create index tasks_moves on tasks (fleet_id, status) where kind = 'move';

-- A cluster's instances move away until all that it had are somewhere else. Its tasks have the id as their fleet_id.
create table cluster_drains (
  id uuid primary key,
  cluster_id text not null unique references clusters (id) on delete cascade,
  -- null: for each instance another active cluster of its region.
  to_cluster text references clusters (id) on delete cascade,
  -- Runtimes are left behind while the cluster is out of reach.
  is_forced boolean not null,
  -- Instances that are made later stay.
  created_at timestamptz not null default now()
);
grant select on cluster_drains to acp_tenant;
grant select, insert, update, delete on cluster_drains to acp_system;

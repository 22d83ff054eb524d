-- oldest service: 0006
-- Clusters: places where runtimes run and that outlive the copies of the service. And the id by which what runs there is
-- known to be this installation's.

create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
insert into installation default values;
grant select on installation to acp_system;

create table clusters (
  id text primary key check (length(id) <= 50),
  -- In runtimes.host_id where a copy's id would stand; null with the engine `process`: each copy is a place of its own.
  host_id uuid unique,
  -- null: `default`, which serves every region that has no active cluster.
  region_id text references regions (id),
  engine text not null check (engine in ('process', 'docker', 'kubernetes')),
  is_active boolean not null default true,
  -- null: no limit.
  max_instances integer check (max_instances >= 1),
  -- null: the engine's address is a setting of the service.
  endpoint text,
  -- Under a key of the service itself.
  sealed_credentials bytea,
  options jsonb not null default '{}',
  -- The copy that reconciles it, until then by the database's clock.
  lease_holder uuid,
  lease_until timestamptz,
  -- null: no copy has tried yet.
  reachable boolean,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((engine = 'process') = (host_id is null)),
  check ((id = 'default') = (region_id is null)),
  check (id = 'default' or engine <> 'process')
);
create index clusters_region on clusters (region_id);
grant select (id, host_id, region_id, engine, is_active, max_instances, lease_holder, lease_until, reachable, last_seen_at)
  on clusters to acp_tenant;
grant select, insert, update, delete on clusters to acp_system;
insert into clusters (id, engine) values ('default', 'process');

-- Terminated instances may have run on a place that is gone.
alter table instances add column cluster_id text not null default 'default';
-- Rows from before need no look: all have the default.
alter table instances add constraint instances_cluster foreign key (cluster_id)
  references clusters (id) on delete set default not valid;
-- Instances of a cluster are counted from this index alone.
create index instances_by_cluster on instances (cluster_id) where status <> 'terminated';

-- Gauges are counted from this index alone, now by cluster.
create index runtimes_phases on runtimes (phase) include (unready_since, host_id) where wanted or phase <> 'gone';
drop index runtimes_states;

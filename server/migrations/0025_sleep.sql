-- oldest service: 0006
-- Runtimes that sleep while nobody writes to them.

-- null: it never sleeps.
alter table recipes add column idle_minutes integer check (idle_minutes between 5 and 43200);

alter table runtimes
  -- It sleeps since then, or falls asleep now while `wanted`; null: neither.
  add column asleep_at timestamptz,
  -- Messages wait since then for it to be up; null: none does, or it is up.
  add column wake_at timestamptz;
create index runtimes_asleep on runtimes (asleep_at) where asleep_at is not null;
create index runtimes_waking on runtimes (wake_at) where wake_at is not null;
-- Looked through each minute.
create index instances_sleepers on instances (id)
  where status = 'running' and jsonb_typeof(resolved_config -> 'idle_minutes') = 'number';
create index conversations_human on conversations (instance_id) where mode = 'human';

-- Conversations whose messages wait for a runtime to wake.
create table wake_waits (
  conversation_id uuid primary key references conversations (id) on delete cascade,
  tenant_id uuid not null,
  instance_id uuid not null,
  -- The runtime did not wake: the next look counts a failed try.
  has_failed boolean not null default false,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) on delete cascade
);
create index wake_waits_instance on wake_waits (tenant_id, instance_id);
call enable_tenant_rls('wake_waits');
grant insert on instance_events to acp_system;

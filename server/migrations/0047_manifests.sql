-- A kind of runtime that instances can run. The operator's, the same for all tenants. The service keeps the row
-- `reference`, which describes its own runtime.
create table manifests (
  id text primary key check (length(id) <= 200),
  name text not null,
  image text,
  command jsonb,
  sidecar_images jsonb,
  capabilities jsonb not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select on manifests to acp_tenant;
grant select, insert, update on manifests to acp_system;

-- Who acts on each part of the configuration, as it was at the deploy or the last upgrade; null for those of earlier
-- versions. `applied_manifest_id` is the manifest that was chosen then: the one that is named may not have been offered.
alter table instances
  add column effects jsonb,
  add column applied_manifest_id text not null default 'reference';
alter table upgrades
  add column effects jsonb,
  add column applied_manifest_id text not null default 'reference';

-- A new tenant starts with what acts. The tenants that are there keep what they have.
delete from default_primitives
where (kind, slug) not in (
  ('skill', 'staff_query'), ('skill', 'worker_shifts'), ('skill', 'timesheet'), ('skill', 'drive_search'),
  ('channel', 'chatapp'),
  ('integration', 'chatapp'), ('integration', 'google_drive'), ('integration', 'filesystem'))
  and kind <> 'model';
insert into default_primitives (kind, slug, display_name) values ('channel', 'playground', 'Playground');

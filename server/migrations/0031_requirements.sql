-- oldest service: 0006
-- Requirements: what work at a place, on a job or under a title demands of a person of the staff.

create table requirements (
  tenant_id uuid not null,
  customer_id uuid not null,
  -- Sorted by code point, so that every database answers in the same order.
  key text collate "C" not null,
  -- Each one that is given has to equal what is asked, without case.
  site text,
  job_id text,
  title text,
  demands jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, customer_id, key),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('requirements');

-- New tenants start with it; others approve it themselves.
insert into default_primitives (kind, slug, display_name) values
  ('skill', 'eligibility', 'Who may work where, and why not');

-- A channel address that speaks for a person of the staff.
create table staff_bindings (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  channel_type text not null,
  channel_address text not null,
  state text not null default 'unverified' check (state in ('unverified', 'verified', 'rejected')),
  -- A keyed hash of the code that the person has to answer with; null where a plain yes will do.
  code_hash bytea,
  wrong_codes integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint staff_bindings_address unique (tenant_id, channel_type, channel_address),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index staff_bindings_person on staff_bindings (tenant_id, person_id, created_at desc);
call enable_tenant_rls('staff_bindings');

create table shifts (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  job_id text,
  title text,
  site text,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index shifts_customer on shifts (tenant_id, customer_id, created_at desc, id);
create index shifts_person on shifts (tenant_id, person_id, ends_at);
call enable_tenant_rls('shifts');

create table assignments (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  job_id text,
  title text,
  site text,
  starts_at timestamptz,
  -- Null while no end is set.
  ends_at timestamptz,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
create index assignments_customer on assignments (tenant_id, customer_id, created_at desc, id);
create index assignments_person on assignments (tenant_id, person_id, ends_at);
call enable_tenant_rls('assignments');

create table timesheets (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  date date not null,
  hours numeric not null check (hours > 0 and hours <= 24),
  description text,
  job_id text,
  rate numeric,
  shift_id uuid references shifts (id),
  status text not null default 'submitted' check (status in ('submitted', 'approved', 'rejected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
);
-- A shift is paid once. A rejected timesheet makes room for a corrected one.
create unique index timesheets_shift on timesheets (shift_id) where status <> 'rejected';
create index timesheets_customer on timesheets (tenant_id, customer_id, created_at desc, id);
create index timesheets_person on timesheets (tenant_id, person_id, date desc);
call enable_tenant_rls('timesheets');

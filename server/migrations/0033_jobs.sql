-- Work that is done later. A job is a ticket for one unit of work that runs serially (a conversation, a task, a schedule):
-- there is one per kind and key, however often it is enqueued, and it goes when the work is done. What has to be done, and
-- in which order, stands in the tables of the unit.
create table jobs (
  kind text collate "C" not null,
  key text collate "C" not null,
  -- The nil UUID for work of the service itself.
  tenant_id uuid not null,
  -- Jobs of a tenant that wait for the same resource, such as one runtime, share a lane.
  lane text collate "C" not null default 'default',
  -- Not before this time; -infinity for as soon as possible.
  run_at timestamptz not null default '-infinity',
  -- When it can be claimed. While it runs, the end of its lease, which its holder keeps moving on.
  due_at timestamptz not null,
  -- Failed tries in a row.
  attempts integer not null default 0,
  -- Names the run that holds it; null while it waits. A holder that lost its lease finds another one.
  claim uuid,
  -- It was enqueued once more while it ran: when it runs again.
  again_at timestamptz,
  primary key (kind, key)
);
create index jobs_lanes on jobs (kind, tenant_id, lane, due_at);
call enable_tenant_rls('jobs');
grant insert, update, delete on jobs to acp_system;

-- Claims due jobs lane by lane, behind the lane `after`, as many of each as the limits of its tenant and its own leave room
-- for; `running` holds what the caller runs now, by tenant and by tenant/lane. A lane costs two index look-ups, however many
-- jobs wait in it. Jobs that another process claims at the same moment are left out. The settings keep PostgreSQL from
-- reading and sorting all jobs, which it would do as long as its statistics do not know of them.
create function claim_jobs(of_kind text, wanted integer, lease interval, after_tenant uuid, after_lane text,
                           per_tenant integer, per_lane integer, running jsonb) returns setof jobs
  language plpgsql
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_sort = off
  as $$
declare
  at record;
  due record;
  job jobs;
  of_tenant integer := 0;
begin
  while wanted > 0 loop
    select tenant_id, lane into at from jobs
      where kind = of_kind and (tenant_id, lane) > (after_tenant, after_lane) order by tenant_id, lane limit 1;
    exit when not found;
    if at.tenant_id <> after_tenant then of_tenant := 0; end if;
    for due in
      select ctid as place from jobs where kind = of_kind and tenant_id = at.tenant_id and lane = at.lane and due_at <= now()
      order by due_at
      limit greatest(0, least(wanted,
        per_tenant - of_tenant - coalesce((running ->> at.tenant_id::text)::int, 0),
        per_lane - coalesce((running ->> (at.tenant_id || '/' || at.lane))::int, 0)))
      for update skip locked
    loop
      -- The job of a run that ended without a word has failed once more. A locked row stays in its place; by its key it
      -- could be looked for in the wrong index, with a plan from when the table was empty.
      update jobs set claim = gen_random_uuid(), due_at = now() + lease,
        attempts = attempts + case when claim is null then 0 else 1 end
        where ctid = due.place returning * into job;
      return next job;
      of_tenant := of_tenant + 1;
      wanted := wanted - 1;
    end loop;
    after_tenant := at.tenant_id;
    after_lane := at.lane;
  end loop;
end $$;

-- Jobs for the work that an earlier version left. Forced row-level security hides every row from the owner.
set local role acp_system;
insert into jobs (kind, key, tenant_id, due_at)
  select 'run_task', id::text, tenant_id, now() from tasks where status in ('queued', 'running', 'canceling');
insert into jobs (kind, key, tenant_id, lane, due_at)
  select distinct on (endpoint_id, external_id)
    'forward_messages', endpoint_id || ':' || external_id, tenant_id, instance_id::text, now()
  from channel_messages where status = 'pending' order by endpoint_id, external_id, number;
reset role;

-- The library that held the jobs before, and the order of its jobs.
set local role acp_jobs;
drop schema pgboss cascade;
reset role;
drop function job_priority(bigint);
drop index tasks_unfinished;

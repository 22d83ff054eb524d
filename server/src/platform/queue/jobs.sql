-- Enqueues a job once. A running one will run once more.
create or replace function enqueue_job(of_kind text, of_key text, tenant uuid, of_lane text default 'default') returns void
  language plpgsql
  as $$
begin
  insert into jobs as j (kind, key, tenant_id, lane, due_at) values (of_kind, of_key, tenant, of_lane, now())
    on conflict (kind, key) do update set
      again_at = case when j.claim is null then null else '-infinity'::timestamptz end,
      run_at = case when j.claim is null then '-infinity' else j.run_at end,
      due_at = case when j.claim is null then now() else j.due_at end;
  perform pg_notify('jobs', of_kind);
end $$;

-- Failed jobs of a lane run at once, because what they waited for is there; their backoff starts again. A running one may have
-- begun earlier, and gets the first pause if it fails.
create or replace function wake_lane(of_kind text, tenant uuid, of_lane text) returns void
  language plpgsql
  as $$
begin
  update jobs set attempts = 0, due_at = case when claim is null then greatest(run_at, now()) else due_at end
    where kind = of_kind and tenant_id = tenant and lane = of_lane and attempts > 0;
  if found then perform pg_notify('jobs', of_kind); end if;
end $$;

-- Claims due jobs for a host lane by lane, starting after lane `after`, up to the limits per tenant and lane; `running` has the
-- caller's running jobs by tenant and by tenant/lane. A lane costs two index lookups, however many jobs wait in it. While few
-- jobs of the kind are due, only their lanes are visited: most others may be for tomorrow.
-- Skips jobs that another process is claiming. Jobs of inactive tenants wait: the walk continues after the tenant's
-- last possible lane ('~' sorts after all names of lanes). The settings prevent PostgreSQL from scanning and sorting
-- all jobs while its statistics are outdated.
create or replace function claim_jobs(of_kind text, wanted integer, lease interval, after_tenant uuid, after_lane text,
                           per_tenant integer, per_lane integer, running jsonb, by_holder uuid) returns setof jobs
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
  few constant integer := 50;
  are_few boolean := few > (
    select count(*) from (select from jobs where kind = of_kind and due_at <= now() order by due_at limit few) d);
begin
  while wanted > 0 loop
    if are_few then
      with lanes as materialized (
        select tenant_id, lane from jobs where kind = of_kind and due_at <= now() order by due_at limit few
      )
      select tenant_id, lane into at from lanes
        where (tenant_id, lane) > (after_tenant, after_lane) order by tenant_id, lane limit 1;
    else
      select tenant_id, lane into at from jobs
        where kind = of_kind and (tenant_id, lane) > (after_tenant, after_lane) order by tenant_id, lane limit 1;
    end if;
    exit when not found;
    if exists (select from tenants where id = at.tenant_id and not is_active) then
      after_tenant := at.tenant_id;
      after_lane := '~';
      continue;
    end if;
    if at.tenant_id <> after_tenant then of_tenant := 0; end if;
    for due in
      select ctid as place from jobs where kind = of_kind and tenant_id = at.tenant_id and lane = at.lane and due_at <= now()
      order by due_at
      limit greatest(0, least(wanted,
        per_tenant - of_tenant - coalesce((running ->> at.tenant_id::text)::int, 0),
        per_lane - coalesce((running ->> (at.tenant_id || '/' || at.lane))::int, 0)))
      for update skip locked
    loop
      update jobs set claim = gen_random_uuid(), holder = by_holder, due_at = now() + lease,
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

-- For copies from before 0003, which may run beside this one.
create or replace function claim_jobs(of_kind text, wanted integer, lease interval, after_tenant uuid, after_lane text,
                           per_tenant integer, per_lane integer, running jsonb) returns setof jobs
  language sql
  as $$
  select * from claim_jobs(of_kind, wanted, lease, after_tenant, after_lane, per_tenant, per_lane, running, null)
$$;

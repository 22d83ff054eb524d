-- Limits per tenant. `tenants.limits` holds those that the operator gave; null as an effective value is no limit.
alter table tenants add column if not exists is_active boolean not null default true;
alter table tenants add column limits jsonb not null default '{}';

create function default_limits() returns jsonb
  language sql immutable parallel safe
  return jsonb '{"instances": 100, "recipes": 1000, "customers": 10000, "staff": 100000, "keys": 100, "users": 500,
    "channel_endpoints": 200, "monthly_cost": null, "starting": 5, "drive_reads_at_once": 4, "streams": 100,
    "revisions_kept": 200, "conversations_stored": 1000000, "sender_messages": null}';

create function limit_of(tenant uuid, limit_name text) returns numeric
  language sql stable parallel safe
  as $$ select (default_limits() || limits ->> limit_name)::numeric from tenants where id = tenant $$;

-- The refusal at a limit, as clients read it.
create function limit_refusal(tenant uuid, limit_name text) returns text
  language sql stable parallel safe
  as $$ select format('The tenant has reached its limit of %s %s', limit_of(tenant, limit_name), replace(limit_name, '_', ' ')) $$;

-- The rows that each tenant has of a limited kind. An insert counts in its own statement, whose row lock has the
-- tenant's other inserts wait: the database decides the race for the last place.
create table tenant_counts (
  tenant_id uuid not null references tenants (id),
  name text collate "C" not null,
  used bigint not null,
  -- Before the transaction that changed it last: replacing a row is allowed above a lowered limit.
  used_before bigint not null default 0,
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, name)
) with (fillfactor = 50);
call enable_tenant_rls('tenant_counts');
grant insert, update on tenant_counts to acp_system;

-- Locks the count until the transaction ends, so a statement that knows its count early takes it before other rows.
create function change_count(tenant uuid, limit_name text, change bigint) returns tenant_counts
  language sql
  as $$
insert into tenant_counts as c (tenant_id, name, used) values (tenant, limit_name, change)
on conflict (tenant_id, name) do update set
  used = c.used + change,
  used_before = case when c.changed_in = pg_current_xact_id() then c.used_before else c.used end,
  changed_in = pg_current_xact_id()
returning *
$$;

create function count_rows() returns trigger
  language plpgsql
  as $$
declare
  of_tenant record;
  counted tenant_counts;
begin
  for of_tenant in execute format('select tenant_id, count(*) as rows from changed where %s group by 1 order by 1', tg_argv[1])
  loop
    if tg_op = 'DELETE' then
      perform change_count(of_tenant.tenant_id, tg_argv[0], -of_tenant.rows);
      continue;
    end if;
    counted := change_count(of_tenant.tenant_id, tg_argv[0], of_tenant.rows);
    if counted.used > limit_of(of_tenant.tenant_id, tg_argv[0]) and counted.used > counted.used_before then
      raise exception using errcode = 'AC403', message = limit_refusal(of_tenant.tenant_id, tg_argv[0]);
    end if;
  end loop;
  return null;
end $$;

create function count_leaving_row() returns trigger
  language plpgsql
  as $$
begin
  perform change_count(new.tenant_id, tg_argv[0], -1);
  return null;
end $$;

-- Has rows that meet a condition count. By their names these triggers run before others of the table, so every statement
-- locks the count before what the others lock.
create procedure count_rows_of(table_name regclass, limit_name text, condition text)
  language plpgsql
  as $$
begin
  execute format('create trigger count_inserted after insert on %s referencing new table as changed
    for each statement execute function count_rows(%L, %L)', table_name, limit_name, condition);
  execute format('create trigger count_deleted after delete on %s referencing old table as changed
    for each statement execute function count_rows(%L, %L)', table_name, limit_name, condition);
end $$;
call count_rows_of('instances', 'instances', $$status <> 'terminated'$$);
call count_rows_of('recipes', 'recipes', 'deleted_at is null');
call count_rows_of('customers', 'customers', 'true');
call count_rows_of('staff', 'staff', 'true');
call count_rows_of('api_keys', 'keys', 'revoked_at is null');
call count_rows_of('memberships', 'users', 'true');
call count_rows_of('channel_endpoints', 'channel_endpoints', 'true');
drop procedure count_rows_of;
-- None of these comes back.
create trigger count_leaving after update of status on instances for each row
  when (old.status <> 'terminated' and new.status = 'terminated') execute function count_leaving_row('instances');
create trigger count_leaving after update of deleted_at on recipes for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function count_leaving_row('recipes');
create trigger count_leaving after update of revoked_at on api_keys for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function count_leaving_row('keys');

-- The rows of before. Forced row-level security hides them from the owner.
set local role acp_system;
insert into tenant_counts (tenant_id, name, used)
  select tenant_id, 'instances', count(*) from instances where status <> 'terminated' group by 1 union all
  select tenant_id, 'recipes', count(*) from recipes where deleted_at is null group by 1 union all
  select tenant_id, 'customers', count(*) from customers group by 1 union all
  select tenant_id, 'staff', count(*) from staff group by 1 union all
  select tenant_id, 'keys', count(*) from api_keys where revoked_at is null group by 1 union all
  select tenant_id, 'users', count(*) from memberships group by 1 union all
  select tenant_id, 'channel_endpoints', count(*) from channel_endpoints group by 1;
reset role;

-- As many of these rows as there is room for, up to `wanted`; null for all.
create function room_for(tenant uuid, limit_name text, wanted bigint) returns bigint
  language plpgsql
  as $$
declare
  counted tenant_counts := change_count(tenant, limit_name, 0);
begin
  return greatest(0, least(wanted, limit_of(tenant, limit_name) - counted.used));
end $$;

-- A recipe's oldest revisions go with the change that makes them surplus, except those that an instance runs.
create index instances_revision on instances (tenant_id, recipe_id, recipe_revision) where status <> 'terminated';
create or replace function record_recipe_revision() returns trigger
  language plpgsql
  as $$
begin
  insert into recipe_revisions (tenant_id, recipe_id, revision, content, created_at)
  values (new.tenant_id, new.id, new.revision,
          to_jsonb(new) - array['id', 'tenant_id', 'revision', 'is_platform_template', 'deleted_at', 'created_at', 'updated_at'],
          new.updated_at);
  delete from recipe_revisions r
  where r.recipe_id = new.id and r.revision <= new.revision - limit_of(new.tenant_id, 'revisions_kept')
    and not exists (select from instances i where i.tenant_id = new.tenant_id and i.recipe_id = new.id
                      and i.recipe_revision = r.revision and i.status <> 'terminated');
  return null;
end $$;

-- Provisioning waits for a place among those that a tenant may have under way, whichever copy of the service runs it.
create index tasks_provisioning on tasks (tenant_id, created_at)
  where kind = 'provision' and status in ('queued', 'running');

-- Copies forget the keys that they remember, and hosts look at their runtimes.
create function notify_tenant_activity() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('api_keys', new.id::text);
  perform pg_notify('runtime_unwanted', id::text) from runtime_hosts;
  return null;
end $$;
create trigger notify_tenant_activity after update of is_active on tenants
  for each row when (old.is_active is distinct from new.is_active) execute function notify_tenant_activity();

-- As in 0033, and jobs of an inactive tenant wait: the walk goes on behind its last lane, because lanes have ids and
-- words for names.
create or replace function claim_jobs(of_kind text, wanted integer, lease interval, after_tenant uuid, after_lane text,
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

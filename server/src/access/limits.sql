-- Limits that `tenants.limits` does not override; null: unlimited.
create or replace function default_limits() returns jsonb
  language sql immutable parallel safe
  return jsonb '{"instances": 100, "recipes": 1000, "customers": 10000, "staff": 100000, "keys": 100, "users": 500,
    "channel_endpoints": 200, "monthly_cost": null, "starting": 5, "drive_reads_at_once": 4, "streams": 100,
    "revisions_kept": 200, "conversations_stored": 1000000, "sender_messages": 600, "stored_mib": 10240,
    "event_endpoints": 10, "rules_templates": 1000, "onboarding_flows": 1000}';

-- PL/pgSQL plans the query once per connection; an SQL function that reads a table is planned at each call.
create or replace function limit_of(tenant uuid, limit_name text) returns numeric
  language plpgsql stable parallel safe
  as $$
begin
  return (select (default_limits() || limits ->> limit_name)::numeric from tenants where id = tenant);
end $$;

-- Shown to clients.
create or replace function limit_refusal(tenant uuid, limit_name text) returns text
  language sql stable parallel safe
  as $$
  select format('The tenant has reached its limit of %s %s', limit_of(tenant, limit_name),
    case limit_name when 'stored_mib' then 'MiB of messages and logs' else replace(limit_name, '_', ' ') end)
  $$;

-- Locks the count until the transaction ends. A statement that knows its count early locks it before other rows.
create or replace function change_count(tenant uuid, limit_name text, change bigint) returns tenant_counts
  language sql
  as $$
insert into tenant_counts as c (tenant_id, name, used) values (tenant, limit_name, change)
on conflict (tenant_id, name) do update set
  used = c.used + change,
  used_before = case when c.changed_in = pg_current_xact_id() then c.used_before else c.used end,
  changed_in = pg_current_xact_id()
returning *
$$;

-- How many rows the limit still allows, at most `wanted`; null `wanted`: all of them.
create or replace function room_for(tenant uuid, limit_name text, wanted bigint) returns bigint
  language plpgsql
  as $$
declare
  counted tenant_counts := change_count(tenant, limit_name, 0);
begin
  return greatest(0, least(wanted, limit_of(tenant, limit_name) - counted.used));
end $$;

-- Counts inserted or deleted rows, and refuses inserts above the limit. Arguments: the limit's name, the condition of
-- counted rows.
create or replace function count_rows() returns trigger
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

-- Decrements the count for a row that stays in its table, such as a terminated instance.
create or replace function count_leaving_row() returns trigger
  language plpgsql
  as $$
begin
  perform change_count(new.tenant_id, tg_argv[0], -1);
  return null;
end $$;

-- Creates the triggers of a limit. PostgreSQL runs triggers in the order of their names, so the count is locked before
-- the rows that other triggers lock.
create or replace procedure count_rows_of(table_name regclass, limit_name text, condition text)
  language plpgsql
  as $$
begin
  execute format('create or replace trigger count_inserted after insert on %s referencing new table as changed
    for each statement execute function count_rows(%L, %L)', table_name, limit_name, condition);
  execute format('create or replace trigger count_deleted after delete on %s referencing old table as changed
    for each statement execute function count_rows(%L, %L)', table_name, limit_name, condition);
end $$;

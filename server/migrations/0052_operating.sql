-- Operators see the state of all tenants, and the service deletes what has served its time.

-- Since when a runtime that is up has not answered for its health; null while it is well.
alter table instances add column runtime_unready_since timestamptz;

-- Gauges are counted from indexes alone. An incoming message touches none of these when it is stored.
create index instances_states on instances (status) include (runtime_phase, runtime_wanted, runtime_unready_since)
  where status <> 'terminated';
create index channel_messages_failed on channel_messages (tenant_id, received_at desc) where status = 'failed';
create index certificates_ending on certificates (not_after) where revoked_at is null;
create index connections_states on connections (expires_at, refused_at) where revoked_at is null;

-- One row per gauge and label. The settings and limits keep a scrape cheap with any number of messages: without them
-- PostgreSQL might read whole tables while its statistics are old.
create function operating_gauges() returns table (gauge text, label text, value float8)
  language sql stable
  set enable_seqscan = off
  -- The price of a scan that cannot be avoided would have it compiled, which takes seconds.
  set jit = off
  as $$
with due as materialized (
  select j.kind, j.due_at from jobs j
  where j.due_at <= now() and not exists (select from tenants t where t.id = j.tenant_id and not t.is_active)
  limit 100000
), waiting as materialized (
  select conversation_id, received_at from channel_messages where status = 'pending' limit 10000
)
select 'instances', status, count(*)::float8 from instances where status <> 'terminated' group by status
union all
select 'runtimes',
       case when runtime_phase = 'gone' then 'absent'
            when runtime_phase = 'up' and runtime_unready_since is not null then 'unready' else runtime_phase end as state,
       count(*)
from instances where status <> 'terminated' and (runtime_wanted or runtime_phase <> 'gone') group by state
union all
select 'messages', 'pending', count(*) from (select from channel_messages where status = 'pending' limit 100000) m
union all
select 'messages', 'queued', count(*) from (select from channel_messages where status = 'queued' limit 100000) m
union all
select 'messages', 'dead', count(*) from (select from channel_messages where status = 'dead' limit 100000) m
union all
select 'messages', 'failed', count(*) from (select from channel_messages where status = 'failed' limit 100000) m
union all
-- Of those that an agent should have by now: no person has the conversation, it is open, and its instance runs.
select 'messages_oldest_seconds', '', coalesce(greatest(0, extract(epoch from now() - min(m.received_at))), 0)
from waiting m join conversations c on c.id = m.conversation_id join instances i on i.id = c.instance_id
  join tenants t on t.id = c.tenant_id
where c.mode = 'agent' and (c.away_until is null or c.away_until <= now()) and i.status = 'running' and t.is_active
union all
select 'tasks', t.status, count(*) from jobs j join tasks t on t.id = j.key::uuid where j.kind = 'run_task' group by t.status
union all
select 'queue_depth', kind, count(*) from due group by kind
union all
select 'queue_oldest_seconds', kind, max(extract(epoch from now() - due_at)) from due group by kind
union all
select 'hosts', case when seen_at > now() - interval '30 seconds' then 'alive' else 'dead' end as state, count(*)
from runtime_hosts group by state
union all
-- Past the time at which it should have been renewed: a certificate of a day with 4 hours left, or an authority's with 30 days.
select 'certificates_expiring', '',
       (select count(*) from certificates c join instances i on i.id = c.instance_id
        where c.revoked_at is null and c.not_after < now() + interval '4 hours' and i.runtime_wanted)
       + (select count(*) from ca_keys where retired_at is null and not_after < now() + interval '30 days')
union all
select 'connections',
       case when refused_at is not null then 'refused' when expires_at <= now() then 'expired'
            when expires_at <= now() + interval '7 days' then 'expiring' else 'active' end as state, count(*)
from connections where revoked_at is null group by state
$$;

-- What has served its time is found by these, and deleted in small batches (operating/retention.db.ts).
create index sessions_ended on sessions ((least(expires_at, revoked_at)));
create index sessions_family on sessions (family_id) where family_id is not null;
create index pin_sessions_expires on pin_sessions (expires_at);
create index instance_events_at on instance_events (at);
create index messages_emptied on channel_messages (finished_at)
  where erase_at is null and sealed_content is null and finished_at is not null;
create index instances_terminated on instances (updated_at) where status = 'terminated';
grant delete on pin_sessions, instance_events to acp_system;

-- Deletes rows, and before them the rows that refer to them, as far as references go that do not cascade themselves. A table
-- that comes later is found by its reference.
create procedure delete_with_referring(of_table regclass, condition text)
  language plpgsql
  as $$
declare
  reference record;
begin
  for reference in
    select c.conrelid::regclass as referring,
           (select string_agg(quote_ident(a.attname), ', ' order by k.place) from unnest(c.conkey) with ordinality k (number, place)
              join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
           (select string_agg(quote_ident(a.attname), ', ' order by k.place) from unnest(c.confkey) with ordinality k (number, place)
              join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as keys
    from pg_constraint c
    where c.contype = 'f' and c.confrelid = of_table and c.conrelid <> of_table and c.confdeltype in ('a', 'r')
  loop
    call delete_with_referring(reference.referring,
      format('(%s) in (select %s from %s where %s)', reference.columns, reference.keys, of_table, condition));
  end loop;
  execute format('delete from %s where %s', of_table, condition);
end $$;

-- Deletes a terminated instance of the tenant with everything that refers to it.
create function delete_terminated_instance(instance uuid) returns void
  language plpgsql
  as $$
begin
  call delete_with_referring('instances', format('id = %L and status = ''terminated''', instance));
end $$;

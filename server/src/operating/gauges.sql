-- One row per gauge and label. The settings and limits keep a scrape cheap with any number of messages: with outdated
-- statistics, PostgreSQL might scan whole tables.
create or replace function operating_gauges() returns table (gauge text, label text, value float8)
  language sql stable
  set enable_seqscan = off
  -- The planner takes a scan that it cannot avoid for so costly that it would JIT-compile it, which takes seconds.
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
select 'runtimes', state || '/' || cluster, sum(runtimes)
from (
  select r.state, coalesce(c.id, 'default') as cluster, count(*) as runtimes
  from runtime_states r left join clusters c on c.host_id = r.host_id
  where r.wanted or r.state not in ('absent', 'asleep') group by 1, 2
  union all
  -- No place is responsible for those that sleep.
  select 'asleep', i.cluster_id, count(*) from runtime_states r join instances i on i.id = r.instance_id
  where r.asleep_at is not null and r.state = 'asleep' group by 2
  union all
  select state, c.id, 0 from clusters c cross join unnest(array['absent', 'starting', 'up', 'unready', 'ending', 'asleep']) as state
) as counted group by state, cluster
union all
select 'cluster_reachable', id, coalesce(reachable and lease_until > now(), false)::integer
from clusters where engine <> 'process'
union all
select 'messages', 'pending', count(*) from (select from channel_messages where status = 'pending' limit 100000) m
union all
select 'messages', 'queued', count(*) from (select from channel_messages where status = 'queued' limit 100000) m
union all
select 'messages', 'dead', count(*) from (select from channel_messages where status = 'dead' limit 100000) m
union all
select 'messages', 'failed', count(*) from (select from channel_messages where status = 'failed' limit 100000) m
union all
-- Only messages that an agent should have: no person has the conversation, it is open, and its instance runs.
select 'messages_oldest_seconds', '', coalesce(greatest(0, extract(epoch from now() - min(m.received_at))), 0)
from waiting m join conversations c on c.id = m.conversation_id join instances i on i.id = c.instance_id
  join tenants t on t.id = c.tenant_id
where c.mode = 'agent' and (c.away_until is null or c.away_until <= now()) and i.status = 'running' and t.is_active
union all
select 'texts_oldest_seconds', '', coalesce(greatest(0, extract(epoch from now() - min(m.received_at))), 0)
from (select tenant_id, received_at from channel_messages where status = 'queued' limit 10000) m
  join tenants t on t.id = m.tenant_id where t.is_active
union all
select 'event_deliveries_waiting', '', count(*)
from (select from event_deliveries where status = 'pending' limit 100000) d
union all
select 'tasks', t.status, count(*) from jobs j join tasks t on t.id = j.key::uuid where j.kind = 'run_task' group by t.status
union all
select 'rollouts', status, count(*) from rollouts group by status
union all
select 'queue_depth', kind, count(*) from due group by kind
union all
select 'queue_oldest_seconds', kind, max(extract(epoch from now() - due_at)) from due group by kind
union all
select 'hosts', case when seen_at > now() - interval '30 seconds' then 'alive' else 'dead' end as state, count(*)
from runtime_hosts group by state
union all
-- Overdue renewals: a runtime's certificate with 4 hours left of a day, or an authority's with 30 days left.
select 'certificates_expiring', '',
       (select count(*) from certificates c join runtime_states r on r.instance_id = c.instance_id
        where c.revoked_at is null and c.not_after < now() + interval '4 hours' and r.wanted)
       + (select count(*) from ca_keys where retired_at is null and not_after < now() + interval '30 days')
union all
select 'connections',
       case when refused_at is not null then 'refused' when expires_at <= now() then 'expired'
            when expires_at <= now() + interval '7 days' then 'expiring' else 'active' end as state, count(*)
from connections where revoked_at is null group by state
$$;

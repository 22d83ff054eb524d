import { INTO_EVENTS } from '../instances/instance-events.db.ts';
import { IS_WAITING } from '../instances/tasks.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import type { Place } from './place.port.ts';
import { BEGUN, IS_FREE_FOR_PLACE } from './runtime-hosts.db.ts';

/** True: the runtime sleeps or wakes, and messages of the conversation wait for it. Asks for it once for all of them. */
export const waitForWake = (conversation_id: string, instance_id: string) =>
  sql<{ is_waiting: boolean }>`
    with asked as materialized (
      select ask_wake(${instance_id}) as is_waiting
    ), noted as (
      insert into wake_waits (conversation_id, tenant_id, instance_id)
      select ${conversation_id}, current_tenant(), ${instance_id} from asked where is_waiting
      on conflict (conversation_id) do update set has_failed = false
    )
    select is_waiting from asked`
    .one()
    .map(({ is_waiting }) => is_waiting);

/** True once for each wake that failed while the conversation waited for it. */
export const takeFailedWake = (conversation_id: string) =>
  sql`delete from wake_waits where conversation_id = ${conversation_id} and has_failed returning conversation_id`.exists();

/** For a runtime that could not be started: it sleeps again, so that the next try of a message wakes it. */
export const endFailedWake = (
  instance_id: string,
  { host_id, holder }: Place,
  generation: number,
  message: string,
) =>
  sql`with held as (
        select id, tenant_id, status from instances where id = ${instance_id} for no key update
      ), failed as (
        update runtimes set wanted = false, asleep_at = now(), wake_at = null
        from held
        where instance_id = held.id and host_id = ${host_id} and generation = ${generation} and wanted
          and wake_at is not null and up_at is null and has_lease(${host_id}, ${holder})
        returning held.*
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from failed returning id`.exists();

// The statements below run in the system scope.

/** One transaction at a time admits a cluster's wakes. */
export const lockWakes = (cluster_id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('wakes ' || ${cluster_id}, 0))`;

/**
 * Begins the starts of runtimes that messages wait for: at most ten at once in a cluster, tenants in turn, the longest wait
 * first. A runtime that a task is at work on waits for its end. Call it after lockWakes.
 * @param host as for beginRuntime
 */
export const admitWakes = (cluster_id: string, host: string) => sql`
  with place as (
    select coalesce(host_id, ${host}) as id from clusters where id = ${cluster_id}
  ), asked as (
    select r.instance_id, r.tenant_id, r.wake_at, r.wanted, ${IS_FREE_FOR_PLACE} as is_free
    from runtimes r join instances i on i.id = r.instance_id join tenants t on t.id = r.tenant_id cross join place
    where r.wake_at is not null and i.cluster_id = ${cluster_id} and t.is_active
  ), starting as (
    select tenant_id, count(*) as starts from asked where wanted group by tenant_id
  ), turns as (
    select a.instance_id, a.wake_at,
           coalesce(s.starts, 0) + row_number() over (partition by a.tenant_id order by a.wake_at, a.instance_id) as turn
    from asked a left join starting s using (tenant_id)
    where not a.wanted and a.is_free and not exists (
      select from tasks k where k.instance_id = a.instance_id and k.kind not in ('join', 'leave')
        and k.status in ('queued', 'running', 'canceling') and not ${IS_WAITING})
  ), next as (
    select instance_id from turns order by turn, wake_at, instance_id
    limit greatest(0, 10 - (select coalesce(sum(starts), 0) from starting))
  ), held as (
    select id, tenant_id, status, tier_id from instances where id in (select instance_id from next) and status = 'running'
    order by id for no key update
  ), begun as (
    update runtimes r set ${BEGUN}
    from held i join tiers t on t.id = i.tier_id cross join place
    where r.instance_id = i.id and not r.wanted and r.wake_at is not null
    returning i.id, i.tenant_id, i.status
  )
  ${INTO_EVENTS}
  select tenant_id, id, ${NOW}, status, status, null, 'The runtime is woken by a message' from begun`;

/** Some of the cluster's runtimes that messages wait for have not begun to start. */
export const wakesWait = (cluster_id: string) =>
  sql`select from runtimes r join instances i on i.id = r.instance_id join tenants t on t.id = r.tenant_id
      where r.wake_at is not null and not r.wanted and i.cluster_id = ${cluster_id} and t.is_active limit 1`.exists();

/** They fall asleep unless something comes up until the next look. */
export const markIdle = (ids: readonly string[]) =>
  sql`update runtimes set asleep_at = now()
      where instance_id = any (${ids}::uuid[]) and wanted and phase = 'up' and asleep_at is null and wake_at is null`;

export const listMarked = () =>
  sql<{ id: string }>`select instance_id as id from runtimes where asleep_at is not null and wanted`.each(
    ({ id }) => id,
  );

/** Until the transaction ends. @returns those that no other transaction has locked; the others have time until the next look */
export const lockIdle = (ids: readonly string[]) =>
  sql<{ id: string }>`
    select id from instances where id = any (${ids}::uuid[]) order by id for no key update skip locked`.each(
    ({ id }) => id,
  );

/** For marked runtimes of locked instances. */
export const beginSleep = (ids: readonly string[]) =>
  sql`with ended as (
        update runtimes set wanted = false
        where instance_id = any (${ids}::uuid[]) and wanted and asleep_at is not null
        returning instance_id
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, 'The runtime sleeps until the next message'
      from instances where id in (select instance_id from ended)`;

/** Those that are not idle any more. */
export const unmark = (ids: readonly string[]) =>
  sql`update runtimes set asleep_at = null where instance_id = any (${ids}::uuid[]) and wanted and asleep_at is not null`;

import { INTO_EVENTS } from '../instances/instance-events.db.ts';
import type { RuntimePhase, RuntimeReason } from '../instances/runtime-state.contract.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import type { Place } from './place.port.ts';

/** Living hosts refresh `seen_at` every few seconds. */
const DEAD_AFTER = fragment(`interval '30 seconds'`);

/** The host of the runtime `r`, if alive. A cluster always is: no other place takes its runtimes over. */
const LIVING_HOST = fragment(
  `select h.id from runtime_hosts h where h.id = r.host_id and h.seen_at > now() - ${DEAD_AFTER.text}
   union all select c.host_id from clusters c where c.host_id = r.host_id`,
);

/**
 * Marks a host as alive, by the database's clock (in the system scope). Also resets `seen_at` of other hosts that
 * - were seen in the future, because the clock was set back: killed ones would count as alive until the clock catches up;
 * - were last seen about when this host was, if that is long ago: probably the database was away for all.
 */
export const seeHost = (host: string) =>
  sql`with reset_hosts as (
        update runtime_hosts set seen_at = now() where id in (
          select id from runtime_hosts
          where id <> ${host} and (seen_at > now() + interval '10 seconds' or seen_at > (
            select own.seen_at - ${DEAD_AFTER} from runtime_hosts own
            where own.id = ${host} and own.seen_at < now() - ${DEAD_AFTER}))
          for update skip locked)
      )
      insert into runtime_hosts (id, seen_at) values (${host}, now()) on conflict (id) do update set seen_at = now()`;

/** A host that starts again may have been killed while it drained. */
export const endDraining = (host: string) =>
  sql`update runtime_hosts set is_draining = false where id = ${host} and is_draining`;

/** Its runtimes get no more turns, from whichever copy of the service. */
export const beginDraining = (host: string) =>
  sql`update runtime_hosts set is_draining = true where id = ${host}`;

export const deleteHost = (host: string) => sql`delete from runtime_hosts where id = ${host}`;

/** The limits of the tier `t`. */
const LIMITS = fragment(
  `cpu_millis = greatest(coalesce(t.cpu_millis, 500), 250), memory_mib = coalesce(t.memory_mib, 256)`,
);

/** A new generation of the runtime `r` in `place`, with the limits of the tier `t`. */
export const BEGUN = fragment(`host_id = place.id, wanted = true, address = null, generation = generation + 1,
  spec_hash = null, phase = 'starting', reason = null, last_line = null, restarts = 0, since = now(), up_at = null,
  asleep_at = null, ${LIMITS.text}`);

/** No other living host is ending the runtime `r`. */
export const IS_FREE_FOR_PLACE = fragment(
  `(r.host_id is null or r.host_id = place.id or not exists (${LIVING_HOST.text}))`,
);

/**
 * Marks a runtime as wanted, in a new generation with its tier's current limits. Does nothing when it is wanted already, or
 * while another living host is ending it.
 * @param host where the instance's cluster is no host of its own: a copy of the service
 */
export const beginRuntime = (instance_id: string, host: string) =>
  sql`update runtimes r set ${BEGUN}
      from instances i join tiers t on t.id = i.tier_id join clusters c on c.id = i.cluster_id
        cross join lateral (select coalesce(c.host_id, ${host}) as id) place
      where i.id = r.instance_id and r.instance_id = ${instance_id} and not wanted and ${IS_FREE_FOR_PLACE}`;

/**
 * Makes a host responsible for a wanted runtime unless another living host is. A runtime of another host gets a new
 * generation. Checks `wanted` again, because it may have been stopped since the host read it. False: the host must not run it.
 * @param host as for beginRuntime
 */
export const keepRuntime = (instance_id: string, host: string) =>
  sql`update runtimes r set host_id = place.id, address = case when r.host_id = place.id then address end,
        generation = generation + (r.host_id is distinct from place.id)::integer,
        spec_hash = case when r.host_id = place.id then spec_hash end
      from instances i join clusters c on c.id = i.cluster_id
        cross join lateral (select coalesce(c.host_id, ${host}) as id) place
      where i.id = r.instance_id and instance_id = ${instance_id} and wanted
        and (r.host_id = place.id or not exists (${LIVING_HOST}))
      returning instance_id`.exists();

/** @returns the living host that has the runtime, or null */
export const unwantRuntime = (instance_id: string) =>
  sql<{ host: string | null }>`
    update runtimes r set wanted = false, asleep_at = null, wake_at = null where instance_id = ${instance_id}
    returning (${LIVING_HOST}) as host`
    .first()
    .map((row) => row?.host ?? null);

/** The same for a runtime that starts elsewhere next: messages that wait for it go on waiting, and one that sleeps sleeps on. */
export const pauseRuntime = (instance_id: string) =>
  sql<{ host: string | null }>`
    update runtimes r set wanted = false, asleep_at = case when not wanted then asleep_at end
    where instance_id = ${instance_id} returning (${LIVING_HOST}) as host`
    .first()
    .map((row) => row?.host ?? null);

/** The runtime is gone, and no host is responsible for it. Does nothing if it is wanted again. */
export const releaseRuntime = (instance_id: string) =>
  sql`update runtimes set host_id = null, address = null, phase = 'gone',
        since = case when phase = 'gone' then since else now() end
      where instance_id = ${instance_id} and not wanted`;

/** The same by the place that had it. */
export const releaseHostedRuntime = (instance_id: string, { host_id, holder }: Place) =>
  sql`update runtimes set host_id = null, address = null, phase = 'gone',
        since = case when phase = 'gone' then since else now() end
      where instance_id = ${instance_id} and host_id = ${host_id} and not wanted and has_lease(${host_id}, ${holder})`;

/** Idempotent for a given generation. */
export const nextGeneration = (instance_id: string, { host_id, holder }: Place, generation: number) =>
  sql`update runtimes set generation = generation + 1, spec_hash = null
      where instance_id = ${instance_id} and host_id = ${host_id} and generation = ${generation}
        and has_lease(${host_id}, ${holder})`;

const RENEWED =
  fragment(`generation = generation + 1, spec_hash = null, address = null, phase = 'starting', reason = null,
  last_line = null, since = now(), up_at = null, ${LIMITS.text}`);

/**
 * Restarts a wanted runtime with its tier's current limits; its attempts are limited as at a first start.
 * @returns the new generation
 */
export const renewRuntime = (instance_id: string) =>
  sql<{ generation: number }>`
    update runtimes r set ${RENEWED} from instances i join tiers t on t.id = i.tier_id
    where i.id = r.instance_id and r.instance_id = ${instance_id} returning generation`
    .one()
    .map(({ generation }) => generation);

/** The same; does nothing for one that sleeps. */
export const renewAwake = (instance_id: string) =>
  sql`update runtimes r set ${RENEWED}, asleep_at = null from instances i join tiers t on t.id = i.tier_id
      where i.id = r.instance_id and r.instance_id = ${instance_id} and r.wanted`;

/** From now on its attempts have no limit, like those of a runtime that was up. Idempotent. */
export const tryWithoutLimit = (instance_id: string) =>
  sql`update runtimes set up_at = now(), phase = case when phase = 'gone' then 'starting' else phase end,
        since = case when phase = 'gone' then now() else since end
      where instance_id = ${instance_id} and wanted and up_at is null`;

/** False: the place is not responsible for that generation any more. */
export const noteSpecHash = (
  instance_id: string,
  { host_id, holder }: Place,
  generation: number,
  hash: string,
) =>
  sql`update runtimes set spec_hash = ${hash}
      where instance_id = ${instance_id} and host_id = ${host_id} and generation = ${generation}
        and has_lease(${host_id}, ${holder})
      returning instance_id`.exists();

/** The place is to run that generation. Call `keepLease` first. */
export const mayMint = (instance_id: string, { host_id, holder }: Place, generation: number) =>
  sql`select from runtimes r join tenants t on t.id = r.tenant_id
      where r.instance_id = ${instance_id} and r.host_id = ${host_id} and r.generation = ${generation}
        and r.wanted and t.is_active and has_lease(${host_id}, ${holder})`.exists();

export interface RuntimeNote {
  phase: RuntimePhase;
  reason: RuntimeReason | null;
  last_line: string | null;
  address: string | null;
  restarts: number;
}

/** Does nothing for another place or generation. */
export const noteRuntime = (
  instance_id: string,
  { host_id, holder }: Place,
  generation: number,
  { phase, reason, last_line, address, restarts }: RuntimeNote,
) =>
  sql`update runtimes set phase = ${phase}, reason = ${reason}, last_line = ${last_line}, address = ${address},
        restarts = greatest(restarts, ${restarts}::integer),
        since = case when phase = ${phase} then since else now() end,
        unready_since = case when phase = ${phase} then unready_since end,
        up_at = case when ${phase} = 'up' then coalesce(up_at, now()) else up_at end,
        wake_at = case when ${phase} <> 'up' then wake_at end
      where instance_id = ${instance_id} and host_id = ${host_id} and generation = ${generation}
        and has_lease(${host_id}, ${holder})`;

/**
 * Records a change of the health of a runtime that is up, with an event. During provisioning the task reports it instead.
 * Locks the instance before the event gets its id. False when nothing changed.
 */
export const noteHealth = (
  { id, generation }: { id: string; generation: number },
  { host_id, holder }: Place,
  { isHealthy, message }: { isHealthy: boolean; message: string },
) =>
  sql`with held as (
        select id, tenant_id, status from instances where id = ${id} and (${isHealthy} or status = 'running') for no key update
      ), changed as (
        update runtimes set unready_since = case when not ${isHealthy} then now() end
        from held
        where instance_id = held.id and host_id = ${host_id} and generation = ${generation} and phase = 'up'
          and (unready_since is null) <> ${isHealthy} and has_lease(${host_id}, ${holder})
        returning held.*
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from changed returning id`.exists();

/** An event of a running instance; an instance that provisions has the events of its task. */
export const insertRuntimeEvent = (instance_id: string, { host_id, holder }: Place, message: string) =>
  sql`${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from instances
      where id = ${instance_id} and status = 'running' and has_lease(${host_id}, ${holder}) for no key update`;

/** Like keepRuntime for a runtime whose host is dead, with an event. Locks the instance before the event gets its id. */
export const takeRuntimeOver = (instance_id: string, { host_id: host }: Place) =>
  sql`with held as (
        select id, tenant_id, status from instances where id = ${instance_id} for no key update
      ), taken as (
        update runtimes r set host_id = ${host}, address = null, generation = generation + 1, spec_hash = null
        from held
        where instance_id = held.id and wanted and host_id <> ${host} and not exists (${LIVING_HOST})
        returning held.*
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null,
             'The host of the runtime is gone; another one starts it again'
      from taken where status = 'running'`;

interface RuntimeStateRow {
  phase: RuntimePhase;
  reason: RuntimeReason | null;
  last_line: string | null;
  wanted: boolean;
  is_asleep: boolean;
  is_waking: boolean;
}

export const findRuntimeState = (instance_id: string) =>
  sql<RuntimeStateRow>`
    select phase, reason, last_line, wanted, asleep_at is not null and not wanted as is_asleep, wake_at is not null as is_waking
    from runtimes where instance_id = ${instance_id}`.first();

export interface HostedRuntime {
  id: string;
  tenant_id: string;
  /** False: a wanted runtime of a dead host. */
  is_mine: boolean;
  /** Also false while its tenant is inactive. */
  wanted: boolean;
  /** Wanted, but its tenant is inactive. */
  is_suspended: boolean;
  generation: number;
  spec_hash: string | null;
  cpu_millis: number;
  memory_mib: number;
  phase: RuntimePhase;
  reason: RuntimeReason | null;
  last_line: string | null;
  address: string | null;
  restarts: number;
  since: Date;
  was_up: boolean;
  /** Its health checks fail. */
  is_unready: boolean;
  /** Messages wait for its start. */
  is_waking: boolean;
  /** The database's clock. */
  now: Date;
}

const hosted = fragment(`r.instance_id as id, r.tenant_id, r.wanted and t.is_active as wanted,
  r.wanted and not t.is_active as is_suspended, r.generation, r.spec_hash, r.cpu_millis, r.memory_mib, r.phase, r.reason,
  r.last_line, r.address, r.restarts, r.since, r.up_at is not null as was_up, r.unready_since is not null as is_unready,
  r.wake_at is not null as is_waking, now() as now
  from runtimes r join tenants t on t.id = r.tenant_id`);

const OF_DEAD_HOST = fragment(`r.wanted and r.host_id is not null and not exists (${LIVING_HOST.text})`);

/** The place's own runtimes; for a copy also wanted ones of dead hosts (in the system scope). */
export const listHostedRuntimes = ({ host_id, holder }: Place) =>
  sql<HostedRuntime>`
    select r.host_id = ${host_id} as is_mine, ${hosted}
    where r.host_id = ${host_id} or (${holder}::uuid is null and ${OF_DEAD_HOST})`;

/** For them something is to be done only when the row or the runtime changes, of which the place is told. */
const SETTLED = fragment(`case when r.wanted and t.is_active
    then r.phase = 'up' and r.reason is null and r.unready_since is null and r.address is not null and r.spec_hash is not null
    else r.wanted and r.phase = 'gone' end`);

/** A cluster's runtimes that are not settled, and `others` of them (in the system scope). */
export const listOpenRuntimes = ({ host_id }: Place, others: readonly string[]) =>
  sql<HostedRuntime>`
    select true as is_mine, ${hosted}
    where r.host_id = ${host_id} and (not (${SETTLED}) or r.instance_id = any (${others}::uuid[]))`;

/** Like listHostedRuntimes. undefined also without the lease. */
export const findHostedRuntime = (instance_id: string, { host_id, holder }: Place) =>
  sql<HostedRuntime>`
    select r.host_id = ${host_id} as is_mine, ${hosted}
    where r.instance_id = ${instance_id} and has_lease(${host_id}, ${holder})
      and (r.host_id = ${host_id} or (${holder}::uuid is null and ${OF_DEAD_HOST}))`.first();

/** Hosts that were not seen for a day and have no runtimes left. */
export const deadHosts = (): Deletion =>
  expiredRows({
    table: 'runtime_hosts',
    where: sql`seen_at < now() - interval '1 day'
      and not exists (select from runtimes where host_id = runtime_hosts.id)`,
    orderBy: 'seen_at',
  });

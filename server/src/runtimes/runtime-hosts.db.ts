import { INTO_EVENTS } from '../instances/instance-events.db.ts';
import type { RuntimePhase, RuntimeReason } from '../instances/runtime-state.contract.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

/** Living hosts refresh `seen_at` every few seconds. */
const DEAD_AFTER = fragment(`interval '30 seconds'`);

/** The host of the runtime `r`, if alive. */
const LIVING_HOST = fragment(
  `select h.id from runtime_hosts h where h.id = r.host_id and h.seen_at > now() - ${DEAD_AFTER.text}`,
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

/**
 * Marks a runtime as wanted, in a new generation with its tier's current limits. Does nothing when it is wanted already, or
 * while another living host is ending it.
 */
export const beginRuntime = (instance_id: string, host: string) =>
  sql`update runtimes r set host_id = ${host}, wanted = true, address = null, generation = generation + 1,
        spec_hash = null, phase = 'starting', reason = null, last_line = null, restarts = 0, since = now(), up_at = null,
        cpu_millis = greatest(coalesce(t.cpu_millis, 500), 250), memory_mib = coalesce(t.memory_mib, 256)
      from instances i join tiers t on t.id = i.tier_id
      where i.id = r.instance_id and r.instance_id = ${instance_id} and not wanted
        and (host_id is null or host_id = ${host} or not exists (${LIVING_HOST}))`;

/**
 * Makes a host responsible for a wanted runtime unless another living host is. A runtime of another host gets a new
 * generation. Checks `wanted` again, because it may have been stopped since the host read it. False: the host must not run it.
 */
export const keepRuntime = (instance_id: string, host: string) =>
  sql`update runtimes r set host_id = ${host}, address = case when host_id = ${host} then address end,
        generation = generation + (host_id is distinct from ${host}::uuid)::integer,
        spec_hash = case when host_id = ${host} then spec_hash end
      where instance_id = ${instance_id} and wanted and (host_id = ${host} or not exists (${LIVING_HOST}))
      returning instance_id`.exists();

/** @returns the living host that has the runtime, or null */
export const unwantRuntime = (instance_id: string) =>
  sql<{ host: string | null }>`
    update runtimes r set wanted = false where instance_id = ${instance_id}
    returning (${LIVING_HOST}) as host`
    .first()
    .map((row) => row?.host ?? null);

/** The runtime is gone, and no host is responsible for it. Does nothing if it is wanted again. */
export const releaseRuntime = (instance_id: string) =>
  sql`update runtimes set host_id = null, address = null, phase = 'gone',
        since = case when phase = 'gone' then since else now() end
      where instance_id = ${instance_id} and not wanted`;

/** Idempotent for a given generation. */
export const nextGeneration = (instance_id: string, host: string, generation: number) =>
  sql`update runtimes set generation = generation + 1, spec_hash = null
      where instance_id = ${instance_id} and host_id = ${host} and generation = ${generation}`;

/** Restarts a wanted runtime; its attempts are limited as at a first start. @returns the new generation */
export const renewRuntime = (instance_id: string) =>
  sql<{ generation: number }>`
    update runtimes set generation = generation + 1, spec_hash = null, address = null, phase = 'starting', reason = null,
      last_line = null, since = now(), up_at = null
    where instance_id = ${instance_id} returning generation`
    .one()
    .map(({ generation }) => generation);

export const noteSpecHash = (instance_id: string, host: string, generation: number, hash: string) =>
  sql`update runtimes set spec_hash = ${hash}
      where instance_id = ${instance_id} and host_id = ${host} and generation = ${generation}`;

export interface RuntimeNote {
  phase: RuntimePhase;
  reason: RuntimeReason | null;
  last_line: string | null;
  address: string | null;
  restarts: number;
}

/** Does nothing for another host or generation. */
export const noteRuntime = (
  instance_id: string,
  host: string,
  generation: number,
  { phase, reason, last_line, address, restarts }: RuntimeNote,
) =>
  sql`update runtimes set phase = ${phase}, reason = ${reason}, last_line = ${last_line}, address = ${address},
        restarts = greatest(restarts, ${restarts}::integer),
        since = case when phase = ${phase} then since else now() end,
        unready_since = case when phase = ${phase} then unready_since end,
        up_at = case when ${phase} = 'up' then coalesce(up_at, now()) else up_at end
      where instance_id = ${instance_id} and host_id = ${host} and generation = ${generation}`;

/**
 * Records a change of the health of a runtime that is up, with an event. During provisioning the task reports it instead.
 * Locks the instance before the event gets its id. False when nothing changed.
 */
export const noteHealth = (
  { id, generation }: { id: string; generation: number },
  host: string,
  { isHealthy, message }: { isHealthy: boolean; message: string },
) =>
  sql`with held as (
        select id, tenant_id, status from instances where id = ${id} and (${isHealthy} or status = 'running') for no key update
      ), changed as (
        update runtimes set unready_since = case when not ${isHealthy} then now() end
        from held
        where instance_id = held.id and host_id = ${host} and generation = ${generation} and phase = 'up'
          and (unready_since is null) <> ${isHealthy}
        returning held.*
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from changed returning id`.exists();

/** An event of a running instance; an instance that provisions has the events of its task. */
export const insertRuntimeEvent = (instance_id: string, message: string) =>
  sql`${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from instances
      where id = ${instance_id} and status = 'running' for no key update`;

/** Like keepRuntime for a runtime whose host is dead, with an event. Locks the instance before the event gets its id. */
export const takeRuntimeOver = (instance_id: string, host: string) =>
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

export const findRuntimeState = (instance_id: string) =>
  sql<{ phase: RuntimePhase; reason: RuntimeReason | null; last_line: string | null; wanted: boolean }>`
    select phase, reason, last_line, wanted from runtimes where instance_id = ${instance_id}`.first();

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
  /** The database's clock. */
  now: Date;
}

const hosted = fragment(`r.instance_id as id, r.tenant_id, r.wanted and t.is_active as wanted,
  r.wanted and not t.is_active as is_suspended, r.generation, r.spec_hash, r.cpu_millis, r.memory_mib, r.phase, r.reason,
  r.last_line, r.address, r.restarts, r.since, r.up_at is not null as was_up, r.unready_since is not null as is_unready, now() as now
  from runtimes r join tenants t on t.id = r.tenant_id`);

const OF_DEAD_HOST = fragment(`r.wanted and r.host_id is not null and not exists (${LIVING_HOST.text})`);

/** The host's own runtimes, and wanted ones of dead hosts (in the system scope). */
export const listHostedRuntimes = (host: string) =>
  sql<HostedRuntime>`
    select r.host_id = ${host} as is_mine, ${hosted} where r.host_id = ${host} or (${OF_DEAD_HOST})`;

/** Like listHostedRuntimes. */
export const findHostedRuntime = (instance_id: string, host: string) =>
  sql<HostedRuntime>`
    select r.host_id = ${host} as is_mine, ${hosted}
    where r.instance_id = ${instance_id} and (r.host_id = ${host} or (${OF_DEAD_HOST}))`.first();

/** Hosts that were not seen for a day and have no runtimes left. */
export const deadHosts = (): Deletion =>
  expiredRows({
    table: 'runtime_hosts',
    where: sql`seen_at < now() - interval '1 day'
      and not exists (select from runtimes where host_id = runtime_hosts.id)`,
    orderBy: 'seen_at',
  });

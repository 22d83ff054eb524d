import { INTO_EVENTS } from '../instances/instance-events.db.ts';
import type { RuntimePhase, RuntimeReason } from '../instances/runtime-state.contract.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

/** A host counts as dead when its `seen_at` is older than this; living hosts refresh it every few seconds. */
const DEAD_AFTER = fragment(`interval '30 seconds'`);

/** Selects the host of the runtime `r` if it is alive. */
const LIVING_HOST = fragment(
  `select h.id from runtime_hosts h where h.id = r.host_id and h.seen_at > now() - ${DEAD_AFTER.text}`,
);

/**
 * Marks a host as alive, by the database's clock, which all hosts share (in the system scope). Also marks other hosts
 * that must not be misjudged:
 * - hosts seen in the future, because the clock was set back: a killed one would count as alive until the clock catches up;
 * - if this host was not seen for long either, hosts seen shortly before it: most likely the database was away for all.
 */
export const seeHost = (host: string) =>
  sql`with brought_back as (
        update runtime_hosts set seen_at = now() where id in (
          select id from runtime_hosts
          where id <> ${host} and (seen_at > now() + interval '10 seconds' or seen_at > (
            select own.seen_at - ${DEAD_AFTER} from runtime_hosts own
            where own.id = ${host} and own.seen_at < now() - ${DEAD_AFTER}))
          for update skip locked)
      )
      insert into runtime_hosts (id, seen_at) values (${host}, now()) on conflict (id) do update set seen_at = now()`;

export const deleteHost = (host: string) => sql`delete from runtime_hosts where id = ${host}`;

/**
 * Wants a runtime that was not wanted, in a new generation, with the limits that its tier has now. Does nothing when it
 * is wanted already, or while another living host is ending it.
 */
export const beginRuntime = (instance_id: string, host: string) =>
  sql`update runtimes r set host_id = ${host}, wanted = true, address = null, generation = generation + 1,
        spec_hash = null, phase = 'starting', reason = null, restarts = 0, since = now(), up_at = null,
        cpu_millis = greatest(coalesce(t.cpu_millis, 500), 250), memory_mib = coalesce(t.memory_mib, 256)
      from instances i join tiers t on t.id = i.tier_id
      where i.id = r.instance_id and r.instance_id = ${instance_id} and not wanted
        and (host_id is null or host_id = ${host} or not exists (${LIVING_HOST}))`;

/**
 * Makes a host responsible for a runtime that is wanted, unless another living host is. Taken over from another, it is of
 * a new generation. The condition repeats what the host read before: meanwhile the runtime may have been stopped. True
 * when the host is to run it.
 */
export const keepRuntime = (instance_id: string, host: string) =>
  sql`update runtimes r set host_id = ${host}, address = case when host_id = ${host} then address end,
        generation = generation + (host_id is distinct from ${host}::uuid)::integer,
        spec_hash = case when host_id = ${host} then spec_hash end
      where instance_id = ${instance_id} and wanted and (host_id = ${host} or not exists (${LIVING_HOST}))
      returning instance_id`.exists();

/** Marks a runtime as unwanted. Returns the living host that has it, or null. */
export const unwantRuntime = (instance_id: string) =>
  sql<{ host: string | null }>`
    update runtimes r set wanted = false where instance_id = ${instance_id}
    returning (${LIVING_HOST}) as host`
    .first()
    .map((row) => row?.host ?? null);

/** Notes that a runtime is gone: no host is responsible for it any more. Does nothing if it is wanted again. */
export const releaseRuntime = (instance_id: string) =>
  sql`update runtimes set host_id = null, address = null, phase = 'gone',
        since = case when phase = 'gone' then since else now() end
      where instance_id = ${instance_id} and not wanted`;

/** Begins another generation of a runtime, unless that has happened already. */
export const nextGeneration = (instance_id: string, host: string, generation: number) =>
  sql`update runtimes set generation = generation + 1, spec_hash = null
      where instance_id = ${instance_id} and host_id = ${host} and generation = ${generation}`;

/** Has a runtime that is wanted started anew, with a bounded number of tries as at its first start. Returns the generation. */
export const renewRuntime = (instance_id: string) =>
  sql<{ generation: number }>`
    update runtimes set generation = generation + 1, spec_hash = null, address = null, phase = 'starting', reason = null,
      since = now(), up_at = null
    where instance_id = ${instance_id} returning generation`
    .one()
    .map(({ generation }) => generation);

export const noteSpecHash = (instance_id: string, host: string, generation: number, hash: string) =>
  sql`update runtimes set spec_hash = ${hash}
      where instance_id = ${instance_id} and host_id = ${host} and generation = ${generation}`;

/** The state of a runtime as its engine sees it. */
export interface RuntimeNote {
  phase: RuntimePhase;
  reason: RuntimeReason | null;
  address: string | null;
  restarts: number;
}

/** Notes the state of a runtime of this host and generation. */
export const noteRuntime = (
  instance_id: string,
  host: string,
  generation: number,
  { phase, reason, address, restarts }: RuntimeNote,
) =>
  sql`update runtimes set phase = ${phase}, reason = ${reason}, address = ${address},
        restarts = greatest(restarts, ${restarts}::integer),
        since = case when phase = ${phase} then since else now() end,
        unready_since = case when phase = ${phase} then unready_since end,
        up_at = case when ${phase} = 'up' then coalesce(up_at, now()) else up_at end
      where instance_id = ${instance_id} and host_id = ${host} and generation = ${generation}`;

/**
 * Notes that a runtime of this host and generation, which is up, has stopped answering for its health or does so again,
 * with an event of its instance. While it is provisioned, its task tells. The
 * instance is locked before the event gets its number. True when that is new.
 */
export const noteHealth = (
  { id, generation }: { id: string; generation: number },
  host: string,
  { isWell, message }: { isWell: boolean; message: string },
) =>
  sql`with held as (
        select id, tenant_id, status from instances where id = ${id} and (${isWell} or status = 'running') for no key update
      ), changed as (
        update runtimes set unready_since = case when not ${isWell} then now() end
        from held
        where instance_id = held.id and host_id = ${host} and generation = ${generation} and phase = 'up'
          and (unready_since is null) <> ${isWell}
        returning held.*
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from changed returning id`.exists();

/** The state of a runtime as its task reads it. */
export const findRuntimeState = (instance_id: string) =>
  sql<{ phase: RuntimePhase; reason: RuntimeReason | null; wanted: boolean }>`
    select phase, reason, wanted from runtimes where instance_id = ${instance_id}`.first();

export interface HostedRuntime {
  id: string;
  tenant_id: string;
  /** False for one of a dead host, which is wanted. */
  is_mine: boolean;
  /** Also false while its tenant is inactive. */
  wanted: boolean;
  /** It is wanted, and does not run because its tenant is inactive. */
  is_suspended: boolean;
  generation: number;
  spec_hash: string | null;
  cpu_millis: number;
  memory_mib: number;
  phase: RuntimePhase;
  reason: RuntimeReason | null;
  address: string | null;
  restarts: number;
  since: Date;
  was_up: boolean;
  /** It is up, and did not answer for its health when it was last asked. */
  is_unready: boolean;
  /** The database's clock. */
  now: Date;
}

const hosted = fragment(`r.instance_id as id, r.tenant_id, r.wanted and t.is_active as wanted,
  r.wanted and not t.is_active as is_suspended, r.generation, r.spec_hash, r.cpu_millis, r.memory_mib, r.phase, r.reason,
  r.address, r.restarts, r.since, r.up_at is not null as was_up, r.unready_since is not null as is_unready, now() as now
  from runtimes r join tenants t on t.id = r.tenant_id`);

const OF_DEAD_HOST = fragment(`r.wanted and r.host_id is not null and not exists (${LIVING_HOST.text})`);

/** The runtimes that a host is responsible for, and wanted ones of dead hosts (in the system scope). */
export const listHostedRuntimes = (host: string) =>
  sql<HostedRuntime>`
    select r.host_id = ${host} as is_mine, ${hosted} where r.host_id = ${host} or (${OF_DEAD_HOST})`;

/** The same of one instance. */
export const findHostedRuntime = (instance_id: string, host: string) =>
  sql<HostedRuntime>`
    select r.host_id = ${host} as is_mine, ${hosted}
    where r.instance_id = ${instance_id} and (r.host_id = ${host} or (${OF_DEAD_HOST}))`.first();

/** Hosts that were not seen for a day, and whose runtimes others have taken over. */
export const deadHosts = (): Deletion =>
  expiredRows({
    table: 'runtime_hosts',
    where: sql`seen_at < now() - interval '1 day'
      and not exists (select from runtimes where host_id = runtime_hosts.id)`,
    orderBy: 'seen_at',
  });

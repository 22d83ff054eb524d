import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_EVENTS } from './instance-events.db.ts';
import type { RuntimePhase, RuntimeReason } from './runtime-state.contract.ts';

/** A host counts as dead when its `seen_at` is older than this; living hosts refresh it every few seconds. */
const DEAD_AFTER = fragment(`interval '30 seconds'`);

/** Selects the host of the instance `i` if it is alive. */
const LIVING_HOST = fragment(
  `select h.id from runtime_hosts h where h.id = i.runtime_host and h.seen_at > now() - ${DEAD_AFTER.text}`,
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
  sql`update instances i set runtime_host = ${host}, runtime_wanted = true, runtime_address = null,
        runtime_generation = runtime_generation + 1, runtime_spec_hash = null, runtime_phase = 'starting',
        runtime_reason = null, runtime_restarts = 0, runtime_since = now(), runtime_up_at = null,
        runtime_cpu_millis = greatest(coalesce(t.cpu_millis, 500), 250),
        runtime_memory_mib = coalesce(t.memory_mib, 256)
      from tiers t
      where t.id = i.tier_id and i.id = ${instance_id} and not runtime_wanted
        and (runtime_host is null or runtime_host = ${host} or not exists (${LIVING_HOST}))`;

/**
 * Makes a host responsible for a runtime that is wanted, unless another living host is. Taken over from another, it is of
 * a new generation. The condition repeats what the host read before: meanwhile the runtime may have been stopped. True
 * when the host is to run it.
 */
export const keepRuntime = (instance_id: string, host: string) =>
  sql`update instances i set runtime_host = ${host},
        runtime_address = case when runtime_host = ${host} then runtime_address end,
        runtime_generation = runtime_generation + (runtime_host is distinct from ${host}::uuid)::integer,
        runtime_spec_hash = case when runtime_host = ${host} then runtime_spec_hash end
      where id = ${instance_id} and runtime_wanted and (runtime_host = ${host} or not exists (${LIVING_HOST}))
      returning id`.exists();

/** Marks a runtime as unwanted. Returns the living host that has it, or null. */
export const unwantRuntime = (instance_id: string) =>
  sql<{ host: string | null }>`
    update instances i set runtime_wanted = false where id = ${instance_id}
    returning (${LIVING_HOST}) as host`
    .first()
    .map((row) => row?.host ?? null);

/** Notes that a runtime is gone: no host is responsible for it any more. Does nothing if it is wanted again. */
export const releaseRuntime = (instance_id: string) =>
  sql`update instances set runtime_host = null, runtime_address = null, runtime_phase = 'gone',
        runtime_since = case when runtime_phase = 'gone' then runtime_since else now() end
      where id = ${instance_id} and not runtime_wanted`;

/** Begins another generation of a runtime, unless that has happened already. */
export const nextGeneration = (instance_id: string, host: string, generation: number) =>
  sql`update instances set runtime_generation = runtime_generation + 1, runtime_spec_hash = null
      where id = ${instance_id} and runtime_host = ${host} and runtime_generation = ${generation}`;

/** Has a runtime that is wanted started anew, with a bounded number of tries as at its first start. Returns the generation. */
export const renewRuntime = (instance_id: string) =>
  sql<{ generation: number }>`
    update instances set runtime_generation = runtime_generation + 1, runtime_spec_hash = null, runtime_address = null,
      runtime_phase = 'starting', runtime_reason = null, runtime_since = now(), runtime_up_at = null
    where id = ${instance_id} returning runtime_generation as generation`
    .one()
    .map(({ generation }) => generation);

export const noteSpecHash = (instance_id: string, host: string, generation: number, hash: string) =>
  sql`update instances set runtime_spec_hash = ${hash}
      where id = ${instance_id} and runtime_host = ${host} and runtime_generation = ${generation}`;

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
  sql`update instances set runtime_phase = ${phase}, runtime_reason = ${reason}, runtime_address = ${address},
        runtime_restarts = greatest(runtime_restarts, ${restarts}::integer),
        runtime_since = case when runtime_phase = ${phase} then runtime_since else now() end,
        runtime_unready_since = case when runtime_phase = ${phase} then runtime_unready_since end,
        runtime_up_at = case when ${phase} = 'up' then coalesce(runtime_up_at, now()) else runtime_up_at end
      where id = ${instance_id} and runtime_host = ${host} and runtime_generation = ${generation}`;

/**
 * Notes that a runtime of this host and generation, which is up, has stopped answering for its health or does so again,
 * with an event of its instance. While it is provisioned, its task tells. The update locks the instance before the event gets its number. True when that is new.
 */
export const noteHealth = (
  { id, generation }: { id: string; generation: number },
  host: string,
  { isWell, message }: { isWell: boolean; message: string },
) =>
  sql`with changed as (
        update instances set runtime_unready_since = case when not ${isWell} then now() end
        where id = ${id} and runtime_host = ${host} and runtime_generation = ${generation} and runtime_phase = 'up'
          and (runtime_unready_since is null) <> ${isWell} and (${isWell} or status = 'running')
        returning id, tenant_id, status
      )
      ${INTO_EVENTS}
      select tenant_id, id, ${NOW}, status, status, null, ${message} from changed returning id`.exists();

/** The state of a runtime as its task reads it. */
export const findRuntimeState = (instance_id: string) =>
  sql<{ phase: RuntimePhase; reason: RuntimeReason | null; wanted: boolean }>`
    select runtime_phase as phase, runtime_reason as reason, runtime_wanted as wanted
    from instances where id = ${instance_id}`.first();

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

const hosted = fragment(`i.id, i.tenant_id, i.runtime_wanted and t.is_active as wanted,
  i.runtime_wanted and not t.is_active as is_suspended,
  i.runtime_generation as generation, i.runtime_spec_hash as spec_hash, i.runtime_cpu_millis as cpu_millis,
  i.runtime_memory_mib as memory_mib, i.runtime_phase as phase, i.runtime_reason as reason,
  i.runtime_address as address, i.runtime_restarts as restarts, i.runtime_since as since,
  i.runtime_up_at is not null as was_up, i.runtime_unready_since is not null as is_unready, now() as now
  from instances i join tenants t on t.id = i.tenant_id`);

const OF_DEAD_HOST = fragment(
  `i.runtime_wanted and i.runtime_host is not null and not exists (${LIVING_HOST.text})`,
);

/** The runtimes that a host is responsible for, and wanted ones of dead hosts (in the system scope). */
export const listHostedRuntimes = (host: string) =>
  sql<HostedRuntime>`
    select runtime_host = ${host} as is_mine, ${hosted} where runtime_host = ${host} or (${OF_DEAD_HOST})`;

/** The same of one instance. */
export const findHostedRuntime = (instance_id: string, host: string) =>
  sql<HostedRuntime>`
    select runtime_host = ${host} as is_mine, ${hosted}
    where i.id = ${instance_id} and (runtime_host = ${host} or (${OF_DEAD_HOST}))`.first();

/** Hosts that were not seen for a day, and whose runtimes others have taken over. */
export const deleteDeadHosts = () =>
  sql`delete from runtime_hosts h where seen_at < now() - interval '1 day'
        and not exists (select from instances where runtime_host = h.id)`;

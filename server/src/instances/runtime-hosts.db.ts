import { fragment, sql } from '../platform/db/sql.ts';

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
 * Makes a host responsible for an instance's runtime unless another living host is. The former host's address is
 * dropped. True when the host is responsible now.
 */
export const claimRuntime = (instance_id: string, host: string) =>
  sql`update instances i set runtime_host = ${host}, runtime_wanted = true,
        runtime_address = case when runtime_host = ${host} then runtime_address end
      where id = ${instance_id} and (runtime_host is null or runtime_host = ${host} or not exists (${LIVING_HOST}))
      returning id`.exists();

/**
 * The same for a runtime that is already wanted. The condition repeats what the host read before: meanwhile the runtime
 * may have been stopped. True when the host is to run it.
 */
export const keepRuntime = (instance_id: string, host: string) =>
  sql`update instances i set runtime_host = ${host},
        runtime_address = case when runtime_host = ${host} then runtime_address end
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
  sql`update instances set runtime_host = null, runtime_address = null
      where id = ${instance_id} and not runtime_wanted`;

export const setRuntimeAddress = (instance_id: string, host: string, address: string | null) =>
  sql`update instances set runtime_address = ${address} where id = ${instance_id} and runtime_host = ${host}`;

export interface HostedRuntime {
  id: string;
  tenant_id: string;
  wanted: boolean;
}

/** The runtimes that a host is responsible for, and wanted ones of dead hosts (in the system scope). */
export const listHostedRuntimes = (host: string) =>
  sql<HostedRuntime>`
    select id, tenant_id, runtime_wanted as wanted from instances i
    where runtime_host = ${host}
       or (runtime_wanted and runtime_host is not null and not exists (${LIVING_HOST}))`;

/** Those of the given instances that a host is not responsible for (in the system scope). */
export const listOthersRuntimes = (host: string, instance_ids: readonly string[]) =>
  sql<{ id: string }>`
    select id from instances
    where id = any(${instance_ids}::uuid[]) and runtime_host is distinct from ${host}::uuid`.each(
    ({ id }) => id,
  );

export const isRuntimeWanted = (instance_id: string, host: string) =>
  sql`select from instances where id = ${instance_id} and runtime_host = ${host} and runtime_wanted`.exists();

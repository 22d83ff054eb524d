import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

/** A host that was not seen for this long is taken for dead; it is seen every few seconds. */
const DEAD_AFTER = fragment(`interval '30 seconds'`);

/** The host of the instance `i`, where it lives. */
const LIVING_HOST = fragment(
  `select h.id from runtime_hosts h where h.id = i.runtime_host and h.seen_at > now() - ${DEAD_AFTER.text}`,
);

/**
 * In the system scope. By the database's clock, which all hosts share; when that was set back, the others count as seen
 * now: of those that lie ahead, one that was killed would live until the clock has caught up. So do those that lived
 * when this host was last seen, where that is long ago: most likely the database was away, and nobody could say that
 * they live.
 */
export const seeHost = (q: Queryable, host: string) =>
  q.rows(
    sql`with brought_back as (
          update runtime_hosts set seen_at = now() where id in (
            select id from runtime_hosts
            where id <> ${host} and (seen_at > now() + interval '10 seconds' or seen_at > (
              select own.seen_at - ${DEAD_AFTER} from runtime_hosts own
              where own.id = ${host} and own.seen_at < now() - ${DEAD_AFTER}))
            for update skip locked)
        )
        insert into runtime_hosts (id, seen_at) values (${host}, now()) on conflict (id) do update set seen_at = now()`,
  );

export const deleteHost = (q: Queryable, host: string) =>
  q.rows(sql`delete from runtime_hosts where id = ${host}`);

/**
 * Makes a host responsible for an instance's runtime, unless another living one is. What one before left has no address.
 * @returns whether it is now
 */
export async function claimRuntime(q: Queryable, instance_id: string, host: string): Promise<boolean> {
  const rows = await q.rows(
    sql`update instances i set runtime_host = ${host}, runtime_wanted = true,
          runtime_address = case when runtime_host = ${host} then runtime_address end
        where id = ${instance_id} and (runtime_host is null or runtime_host = ${host} or not exists (${LIVING_HOST}))
        returning id`,
  );
  return rows.length > 0;
}

/**
 * The same for a runtime that is to run already. The host looked some time ago: by now it may have been ended.
 * @returns whether it is to run here
 */
export async function keepRuntime(q: Queryable, instance_id: string, host: string): Promise<boolean> {
  const rows = await q.rows(
    sql`update instances i set runtime_host = ${host},
          runtime_address = case when runtime_host = ${host} then runtime_address end
        where id = ${instance_id} and runtime_wanted and (runtime_host = ${host} or not exists (${LIVING_HOST}))
        returning id`,
  );
  return rows.length > 0;
}

/** Says that a runtime is to end. @returns the living host that has it, or null */
export async function unwantRuntime(q: Queryable, instance_id: string): Promise<string | null> {
  const [row] = await q.rows(
    sql<{ host: string | null }>`
      update instances i set runtime_wanted = false where id = ${instance_id}
      returning (${LIVING_HOST}) as host`,
  );
  return row?.host ?? null;
}

/** The runtime is gone: nobody is responsible for it any more. */
export const releaseRuntime = (q: Queryable, instance_id: string) =>
  q.rows(
    sql`update instances set runtime_host = null, runtime_address = null
        where id = ${instance_id} and not runtime_wanted`,
  );

export const setRuntimeAddress = (q: Queryable, instance_id: string, host: string, address: string | null) =>
  q.rows(
    sql`update instances set runtime_address = ${address} where id = ${instance_id} and runtime_host = ${host}`,
  );

export interface HostedRuntime {
  id: string;
  tenant_id: string;
  wanted: boolean;
}

/** The runtimes that a host is responsible for, and those of dead hosts that are to run (in the system scope). */
export const listHostedRuntimes = (q: Queryable, host: string) =>
  q.rows(
    sql<HostedRuntime>`
      select id, tenant_id, runtime_wanted as wanted from instances i
      where runtime_host = ${host}
         or (runtime_wanted and runtime_host is not null and not exists (${LIVING_HOST}))`,
  );

/** Which of these instances a host is not responsible for (in the system scope). */
export async function listOthersRuntimes(
  q: Queryable,
  host: string,
  instance_ids: readonly string[],
): Promise<string[]> {
  const rows = await q.rows(
    sql<{ id: string }>`
      select id from instances
      where id = any(${instance_ids}::uuid[]) and runtime_host is distinct from ${host}::uuid`,
  );
  return rows.map(({ id }) => id);
}

export async function isRuntimeWanted(q: Queryable, instance_id: string, host: string): Promise<boolean> {
  const rows = await q.rows(
    sql`select from instances where id = ${instance_id} and runtime_host = ${host} and runtime_wanted`,
  );
  return rows.length > 0;
}

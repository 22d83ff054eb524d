import { randomUUID } from 'node:crypto';
import type { SystemDb } from '../platform/db/queryable.ts';
import { type Again, enqueue } from '../platform/queue/jobs.db.ts';
import {
  admitFleet,
  dropSuspended,
  endFleet,
  extendFleet,
  type FleetFilter,
  filterExists,
  insertFleet,
  lockFleet,
} from './restarts.db.ts';

/** The key is the fleet's id. */
export const RESTART_FLEET = 'restart_fleet';

/** The job then does the rest: 20,000 instances. */
const PAGES_OF_REQUEST = 20;
/** Until the job goes on for a request that has died. */
const REQUEST_ENDS_WITHIN_MS = 60_000;
const ADMIT_EVERY_MS = 1000;

/**
 * Writes waiting tasks for all running instances that match; a job lets them begin, `at_once` at the same time.
 * @param system changes are recorded for each tenant
 * @returns the number of tasks; more follow beyond 20,000 instances
 */
export async function restartFleet(
  system: SystemDb,
  { at_once, ...filter }: FleetFilter & { at_once: number },
): Promise<{ count: number }> {
  const id = randomUUID();
  const job = { kind: RESTART_FLEET, key: id };
  await system.run(
    filterExists(filter),
    insertFleet(id, at_once, filter),
    enqueue({ ...job, run_at: new Date(system.now.getTime() + REQUEST_ENDS_WITHIN_MS) }),
  );
  let count = 0;
  for (let page = 0; page < PAGES_OF_REQUEST; page++) {
    const { extended } = await system.run({ lock: lockFleet(id), extended: extendFleet(id) });
    count += extended?.added ?? 0;
    if (extended?.is_whole !== false) break;
  }
  await system.run(enqueue(job));
  return { count };
}

/** A job. @returns when to look for ended restarts again; undefined: the last one has begun */
export async function continueFleet(system: SystemDb, id: string): Promise<Again | undefined> {
  for (let isWhole = false; !isWhole; ) {
    const { extended } = await system.run({ lock: lockFleet(id), extended: extendFleet(id) });
    isWhole = extended?.is_whole ?? true;
  }
  return system.transaction(async (tx) => {
    const fleet = await tx.run(lockFleet(id));
    if (!fleet) return undefined;
    const { isOver } = await tx.run({
      dropped: dropSuspended(id),
      admitted: admitFleet(id, fleet.at_once),
      isOver: endFleet(id),
    });
    return isOver ? undefined : { afterMs: ADMIT_EVERY_MS };
  });
}

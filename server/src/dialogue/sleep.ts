import type { SystemDb, Tx } from '../platform/db/queryable.ts';
import type { Again, JobRequest } from '../platform/queue/jobs.db.ts';
import { beginSleep, listMarked, lockIdle, markIdle, unmark } from '../runtimes/wakes.db.ts';
import { listIdle, listStillIdle } from './idle.db.ts';

export const SLEEP_RUNTIMES: JobRequest = { kind: 'sleep_runtimes', key: 'all' };

const LOOK_EVERY_MS = 60_000;
/** More of them follow at the next look. */
const MOST_AT_ONCE = 500;

/**
 * The lasting job that ends the runtimes of idle instances. First it marks them, and a message from then on takes the mark
 * away. A second look afterwards sees messages whose forwarding began before: none is handed to a runtime that ends.
 */
export async function sleepIdle(system: SystemDb): Promise<Again> {
  const idle = await system.run(listIdle(MOST_AT_ONCE));
  if (idle.length > 0) await system.run(markIdle(idle));
  // Also those that were marked before the service was killed.
  const marked = await system.run(listMarked());
  if (marked.length > 0) await system.transaction((tx) => endIdle(tx, marked));
  return { afterMs: LOOK_EVERY_MS };
}

/** New tasks wait for the locks. */
async function endIdle(tx: Tx, marked: readonly string[]): Promise<void> {
  const locked = await tx.run(lockIdle(marked));
  const stillIdle = await tx.run(listStillIdle(locked));
  const busy = locked.filter((id) => !stillIdle.includes(id));
  await tx.run(beginSleep(stillIdle), unmark(busy));
}

import type { Database } from '../platform/db/database.ts';
import type { Again } from '../platform/queue/jobs.db.ts';
import { admitWakes, lockWakes, wakesWait } from './wakes.db.ts';

/** The key is the cluster's id. */
export const WAKE_RUNTIMES = 'wake_runtimes';

/** The end of a start enqueues the job, too. */
const ADMIT_EVERY_MS = 1000;

/** A job. @returns when to look again; undefined: every runtime that messages wait for is being started */
export async function wakeRuntimes(
  { db, settings: { host_id } }: { db: Database; settings: { host_id: string } },
  cluster_id: string,
): Promise<Again | undefined> {
  const { isWaiting } = await db.system.run({
    locked: lockWakes(cluster_id),
    admitted: admitWakes(cluster_id, host_id),
    isWaiting: wakesWait(cluster_id),
  });
  return isWaiting ? { afterMs: ADMIT_EVERY_MS } : undefined;
}

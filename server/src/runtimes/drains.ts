import { randomUUID } from 'node:crypto';
import { cancelWaitingMoves, countMoves, extendMoves } from '../instances/moves.db.ts';
import { admitFleet, dropSuspended } from '../instances/restarts.db.ts';
import type { SystemDb, Tx } from '../platform/db/queryable.ts';
import { type Again, enqueue } from '../platform/queue/jobs.db.ts';
import { clusterExists, lockCluster } from './clusters.db.ts';
import { closeCluster, deleteDrain, insertDrain, lockDrain, mayDrain } from './drains.db.ts';

/** The key is the cluster's id. */
export const DRAIN_CLUSTER = 'drain_cluster';

const AT_ONCE = 10;
/** Then something is wrong with the clusters that they should go to, and the others stay. */
const MOST_FAILURES = 10;
const LOOK_EVERY_MS = 1000;
/** While only other tasks are at work on what is left. */
const WAIT_MS = 10_000;

/**
 * Writes a waiting task for each instance of the cluster that no other task is at work on; a job lets them begin, and writes
 * those of the others later. The cluster takes no new instances.
 * @param system changes are recorded for each tenant
 * @returns the number of tasks of now
 */
export async function drainCluster(
  system: SystemDb,
  cluster_id: string,
  { to, force }: { to: string | null; force: boolean },
): Promise<{ count: number }> {
  const drain = { to_cluster: to, is_forced: force };
  return system.transaction(async (tx) => {
    const { move } = await tx.run({
      exists: clusterExists(cluster_id),
      toExists: clusterExists(to ?? cluster_id),
      locked: lockCluster(cluster_id),
      allowed: mayDrain(cluster_id, drain),
      closed: closeCluster(cluster_id),
      move: insertDrain(randomUUID(), cluster_id, drain),
      job: enqueue({ kind: DRAIN_CLUSTER, key: cluster_id }),
    });
    const { added } = await tx.run(extendMoves(move));
    return { count: added };
  });
}

/** A job. @returns when to look for ended moves again; undefined: the drain is over */
export async function continueDrain(system: SystemDb, cluster_id: string): Promise<Again | undefined> {
  return system.transaction(async (tx) => {
    const drain = await tx.run(lockDrain(cluster_id));
    if (!drain) return undefined;
    const { id } = drain;
    const { counts, extended } = await tx.run({ extended: extendMoves(drain), counts: countMoves(id) });
    if (counts.failed >= MOST_FAILURES) return giveUp(tx, id);
    if (!extended.rest && counts.unfinished === 0) {
      await tx.run(deleteDrain(id));
      return undefined;
    }
    await tx.run(dropSuspended(id), admitFleet(id, AT_ONCE));
    return { afterMs: counts.unfinished > 0 ? LOOK_EVERY_MS : WAIT_MS };
  });
}

async function giveUp(tx: Tx, id: string): Promise<undefined> {
  await tx.run(cancelWaitingMoves(id, `${MOST_FAILURES} moves failed`), deleteDrain(id));
}

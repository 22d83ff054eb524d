import type { Deletion } from '../platform/deletions.ts';
import type { Log } from '../platform/ports.ts';
import { deleteTerminated, listTerminated } from './retention.db.ts';

const TERMINATED_DAYS = 365;
const INSTANCES_AT_ONCE = 50;

/**
 * Terminated instances after a year, with everything that refers to them. One that cannot be deleted is left for the
 * next time, and keeps no other from it.
 */
export const terminatedInstances = ({ log }: { log: Log }): Deletion => ({
  everyMinutes: 60,
  deleteSome: async (db, signal) => {
    let deleted = 0;
    for (const { id, tenant_id } of await db.system.run(listTerminated(TERMINATED_DAYS, INSTANCES_AT_ONCE))) {
      if (signal.aborted) return true;
      try {
        await db.tenant(tenant_id).run(deleteTerminated(id));
        deleted++;
      } catch (error) {
        log.warn({ instance_id: id, err: error }, 'a terminated instance was not deleted');
      }
    }
    return deleted === INSTANCES_AT_ONCE;
  },
});

import type { Deletion } from '../platform/deletions.ts';
import type { Log } from '../platform/ports.ts';
import { deleteTerminated, listTerminated } from './retention.db.ts';

const TERMINATED_DAYS = 365;
const INSTANCES_AT_ONCE = 50;

/** With everything that refers to them. A failure does not stop the others, and is retried the next time. */
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

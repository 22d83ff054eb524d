import type { SystemDb } from '../platform/db/queryable.ts';
import {
  deleteEmptyConversations,
  deleteLongestSilent,
  eraseDueContents,
  listSurplus,
} from './retention.db.ts';

const EVERY_MS = 5 * 60_000;
/** Small, so that nobody waits for the rows. */
const BATCH = 200;

/** The job that erases contents whose time is over. @returns when it runs again */
export async function eraseContents(db: SystemDb, signal: AbortSignal): Promise<Date | 'now'> {
  for (const batch of [eraseDueContents(BATCH), deleteEmptyConversations(BATCH)]) {
    while ((await db.run(batch)) === BATCH) if (signal.aborted) return 'now';
  }
  for (const { tenant_id, count } of await db.run(listSurplus())) {
    for (let left = count; left > 0; left -= BATCH) {
      await db.run(deleteLongestSilent({ tenant_id, count: Math.min(left, BATCH) }));
      if (signal.aborted) return 'now';
    }
  }
  return new Date(db.now.getTime() + EVERY_MS);
}

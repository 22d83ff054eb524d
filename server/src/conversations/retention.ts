import { type Deletion, forEach, inBatches } from '../platform/deletions.ts';
import { deleteLongestSilent, eraseDueContents, listSurplus } from './retention.db.ts';

const BATCH = 200;
const EVERY_MINUTES = 5;

export const dueContents = (): Deletion =>
  inBatches(eraseDueContents, { limit: BATCH, everyMinutes: EVERY_MINUTES });

/** Deletes the conversations with the oldest last message, of tenants above their limit. */
export const surplusConversations = (): Deletion => ({
  everyMinutes: EVERY_MINUTES,
  deleteSome: async ({ system }, signal) => {
    const surplus = await system.run(listSurplus());
    await forEach(surplus, signal, ({ tenant_id, count }) =>
      system.run(deleteLongestSilent({ tenant_id, count: Math.min(count, BATCH) })),
    );
    return signal.aborted || surplus.some(({ count }) => count > BATCH);
  },
});

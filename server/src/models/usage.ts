import type { Queryable, SystemDb } from '../platform/db/queryable.ts';
import { settleLostCalls } from './llm-calls.db.ts';
import type { Group } from './usage.contract.ts';
import { listUsage, totalUsage, type UsageDays, type UsageSums } from './usage.db.ts';

/** After this time, a call that was not settled counts as spent. */
const LOST_AFTER_MS = 15 * 60_000;
const EVERY_MS = 60_000;
const BATCH = 500;

export async function readUsage(q: Queryable, days: UsageDays, groups: readonly Group[]) {
  const has = (group: Group) => groups.includes(group);
  const by = {
    day: has('day'),
    customer: has('customer'),
    instance: has('instance'),
    model: has('model'),
    recipe: has('recipe'),
  };
  const [rows, total] = await q.run(listUsage(days, by), totalUsage(days));
  const items = rows.map(({ day, customer_id, instance_id, model, recipe_id, ...sums }) => ({
    ...(by.day && { day }),
    ...(by.customer && { customer_id }),
    ...(by.instance && { instance_id }),
    ...(by.model && { model }),
    ...(by.recipe && { recipe_id }),
    ...(sums satisfies UsageSums),
  }));
  return { items, total };
}

/** Counts lost calls as spent. @returns when to run again */
export async function keepUsage(system: SystemDb, signal: AbortSignal): Promise<Date | 'now'> {
  const now = system.now.getTime();
  const before = new Date(now - LOST_AFTER_MS);
  while ((await system.run(settleLostCalls(before, BATCH))) === BATCH) if (signal.aborted) return 'now';
  return new Date(now + EVERY_MS);
}

import type { Queryable, SystemDb } from '../platform/db/queryable.ts';
import { settleLostCalls } from './llm-calls.db.ts';
import { type Group, MOST_USAGE_ROWS } from './usage.contract.ts';
import { listUsage, totalUsage, type UsageFilter, type UsageSums } from './usage.db.ts';

/** After this time, a call that was not settled counts as spent. */
const LOST_AFTER_MS = 15 * 60_000;
const EVERY_MS = 60_000;
const BATCH = 500;

/** @param readsCustomers shows the e-mail address of customers without a name */
export async function readUsage(
  q: Queryable,
  filter: UsageFilter,
  groups: readonly Group[],
  readsCustomers: boolean,
) {
  const has = (group: Group) => groups.includes(group);
  const by = {
    day: has('day'),
    customer: has('customer'),
    instance: has('instance'),
    model: has('model'),
    recipe: has('recipe'),
  };
  const [rows, total] = await q.run(
    listUsage(filter, by, readsCustomers, MOST_USAGE_ROWS + 1),
    totalUsage(filter),
  );
  const items = rows.slice(0, MOST_USAGE_ROWS).map((row) => {
    const { day, customer_id, customer_name, instance_id, hostname, model, recipe_id, recipe_name, ...sums } =
      row;
    return {
      ...(by.day && { day }),
      ...(by.customer && { customer_id, customer_name }),
      ...(by.instance && { instance_id, hostname }),
      ...(by.model && { model }),
      ...(by.recipe && { recipe_id, recipe_name }),
      ...(sums satisfies UsageSums),
    };
  });
  return { items, truncated: rows.length > MOST_USAGE_ROWS, total };
}

/** Counts lost calls as spent. @returns when to run again */
export async function keepUsage(system: SystemDb, signal: AbortSignal): Promise<Date | 'now'> {
  const now = system.now.getTime();
  const before = new Date(now - LOST_AFTER_MS);
  while ((await system.run(settleLostCalls(before, BATCH))) === BATCH) if (signal.aborted) return 'now';
  return new Date(now + EVERY_MS);
}

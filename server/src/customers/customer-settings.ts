import { areWithinBounds, limitLists } from '../catalogue/list-bounds.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { found } from '../platform/errors.ts';
import { isWithinLimit, limitDocument } from '../platform/json/document-limit.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { wakeClosedConversations } from './closed-conversations.db.ts';
import { lockCustomer } from './customers.db.ts';

/** undefined for an unknown customer. */
interface SettingStatements {
  find: (customer_id: string) => Query<JsonObject | undefined>;
  replace: (customer_id: string, settings: JsonObject) => Query<JsonObject | undefined>;
}

/** Settings over the limit may only replace settings that were as large. */
export async function replaceSettings(
  q: TenantDb,
  customer_id: string,
  { find, replace }: SettingStatements,
  settings: JsonObject,
): Promise<JsonObject> {
  // Business hours may have changed.
  const replaced = [replace(customer_id, settings), wakeClosedConversations({ customer_id })] as const;
  if (isWithinLimit(settings) && areWithinBounds(settings))
    return found('Customer', (await q.run(...replaced))[0]);
  return q.transaction(async (tx) => {
    const { before } = await tx.run({ lock: lockCustomer(customer_id), before: find(customer_id) });
    limitDocument(settings, Object.keys(settings), before && (() => before));
    limitLists(settings, ['body'], () => before);
    return found('Customer', (await tx.run(...replaced))[0]);
  });
}

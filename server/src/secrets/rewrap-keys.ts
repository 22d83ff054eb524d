import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/ports.ts';
import { caKeyContext, serviceKeyContext, tenantKeyContext } from './keyring.ts';
import {
  listCaKeysUnderOthers,
  listServiceKeysUnderOthers,
  listTenantKeysUnderOthers,
  replaceCaPrivateKey,
  replaceServiceKey,
  replaceTenantKey,
  type WrappedRow,
} from './master-keys.db.ts';
import type { MasterKeys } from './master-keys.ts';

/** What the keys are wrapped anew with. */
export interface RewrapTools {
  db: Database;
  masterKeys: MasterKeys;
  log: Log;
}

export interface RewrapLimits {
  /** Values that are read, and written in one transaction, at a time. */
  batch: number;
  /** On performance.now()'s clock: when no further batch begins. The first always does. */
  untilMs: number;
}

// The service's own keys come last. Every start opens them all, so while anything else is left under an earlier master
// key, a process that lacks that key does not start. It would not know otherwise: values that were wrapped before
// values said their key do not name it.
const PLACES = [
  {
    name: 'tenant_keys',
    context: tenantKeyContext,
    list: listTenantKeysUnderOthers,
    replace: replaceTenantKey,
  },
  { name: 'ca_keys', context: caKeyContext, list: listCaKeysUnderOthers, replace: replaceCaPrivateKey },
  {
    name: 'service_keys',
    context: serviceKeyContext,
    list: listServiceKeysUnderOthers,
    replace: replaceServiceKey,
  },
] as const;
type Place = (typeof PLACES)[number];

export type RewrapCounts = Record<Place['name'], number>;

/**
 * Goes once over what is not under the current master key. What does not open is left as it is.
 * @returns how many values are under the current key now that were not
 */
export async function rewrapKeys(tools: RewrapTools, limits: RewrapLimits): Promise<RewrapCounts> {
  const { db, masterKeys } = tools;
  const counts: RewrapCounts = { tenant_keys: 0, ca_keys: 0, service_keys: 0 };
  let isFirst = true;
  for (const place of PLACES) {
    let rows: WrappedRow[];
    let after: string | undefined;
    do {
      if (!isFirst && performance.now() >= limits.untilMs) return counts;
      rows = await place.list(db.system, masterKeys.currentId, { after, limit: limits.batch });
      counts[place.name] += await rewrapRows(tools, place, rows);
      after = rows.at(-1)?.id;
      isFirst &&= rows.length === 0;
    } while (rows.length === limits.batch);
  }
  return counts;
}

/** In one transaction, in the order of the ids: two at once wait for one another, never in a circle. */
async function rewrapRows(
  { db, masterKeys, log }: RewrapTools,
  { name, context, replace }: Place,
  rows: readonly WrappedRow[],
): Promise<number> {
  const q = db.system;
  const opened = rows.flatMap((row) => {
    const plaintext = unwrapped(masterKeys, row, context(row.id));
    if (!plaintext) log.error({ [name]: row.id }, 'a wrapped key does not open');
    return plaintext ? [{ row, plaintext }] : [];
  });
  const replaced = await Promise.all(
    opened.map(({ row, plaintext }) => replace(q, row, masterKeys.wrap(plaintext, context(row.id)))),
  );
  return replaced.flat().length;
}

function unwrapped(masterKeys: MasterKeys, { wrapped }: WrappedRow, context: string): Buffer | undefined {
  try {
    return masterKeys.unwrap(wrapped, context);
  } catch {
    return undefined;
  }
}

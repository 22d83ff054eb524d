import { keyIdentity, listUnkeyedIdentities, type Unkeyed } from '../identities/identities.db.ts';
import { addressKey } from '../identities/phone-numbers.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { SystemDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { keyBinding, listUnkeyedBindings } from './bindings.db.ts';

export const KEY_ADDRESSES = { kind: 'key_addresses', key: 'all' };

const BATCH = 200;
const EVERY_MS = 10 * 60_000;

/** Finds the keys of addresses that have none. @returns when to run again */
export async function keyAddresses(system: SystemDb, signal: AbortSignal): Promise<Date | 'now'> {
  for (const [list, set] of [
    [listUnkeyedIdentities, keyIdentity],
    [listUnkeyedBindings, keyBinding],
  ] as const) {
    while ((await keySome(system, list(BATCH), set, signal)) === BATCH) if (signal.aborted) return 'now';
  }
  return signal.aborted ? 'now' : new Date(system.now.getTime() + EVERY_MS);
}

async function keySome(
  system: SystemDb,
  list: Query<Unkeyed[]>,
  set: (row: Unkeyed, address_key: string) => Query<unknown>,
  signal: AbortSignal,
): Promise<number> {
  const rows = await system.run(list);
  for (const row of rows) {
    if (signal.aborted) break;
    const key = addressKey(row.channel, row.address, row.country_code);
    await system.run(set(row, key)).catch((error: unknown) => {
      // Somebody has added the address meanwhile.
      if (!isUniqueViolation(error)) throw error;
      return system.run(set(row, row.address));
    });
  }
  return rows.length;
}

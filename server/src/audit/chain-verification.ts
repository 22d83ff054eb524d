import type { TenantQueryable } from '../platform/db/queryable.ts';
import { CHAIN_START } from '../secrets/chain-heads.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { Chain } from './chain.ts';
import type { ChainTable } from './chain-table.ts';
import type { ChainFault } from './chain-verification.contract.ts';

const BATCH_SIZE = 1000;

export interface Verification {
  valid: boolean;
  checked: number;
  /** Changed or missing. */
  first_invalid: number | null;
  fault: ChainFault | null;
  /** Hex, from the last unchanged row. */
  last_hash: string | null;
}

/** Rows never change, so pages need no transaction. */
export async function verifyChain(
  keyring: Keyring,
  q: TenantQueryable,
  table: ChainTable,
): Promise<Verification> {
  const chain = new Chain(keyring, table.name, q.tenant_id);
  for (;;) {
    const bounds = await q.run(table.findBounds());
    const { sealed, ...places } = bounds;
    const verification = await verifyBetween(chain, q, table, {
      ...places,
      head: chain.open(sealed ?? undefined),
    });
    if (verification.valid) return verification;
    // If the head has moved, retention may have deleted unread rows.
    const now = await q.run(table.findBounds());
    const begin = ({ sealed }: typeof bounds) => chain.open(sealed ?? undefined)?.begin.count;
    if (begin(now) === begin(bounds)) return verification;
  }
}

interface Places {
  first: number | null;
  last: number | null;
  head: ReturnType<Chain['open']>;
}

async function verifyBetween(
  chain: Chain,
  q: TenantQueryable,
  table: ChainTable,
  { first, last, head }: Places,
): Promise<Verification> {
  const { begin, end } = head ?? { begin: CHAIN_START, end: { ...CHAIN_START, count: last ?? 0 } };
  let { count: place, hash } = begin;
  const result = (fault: ChainFault | null): Verification => ({
    valid: fault === null,
    checked: place - begin.count,
    first_invalid: fault === null ? null : place + 1,
    fault,
    last_hash: place === 0 ? null : hash.toString('hex'),
  });
  while (place < end.count) {
    const rows = await q.run(table.listAfter(place, Math.min(BATCH_SIZE, end.count - place)));
    if (rows.length === 0) return result('row_missing');
    for (const row of rows) {
      if (row.place !== place + 1) return result('row_missing');
      const expected = chain.rowHash(hash, row.place, row.fields);
      if (expected.toString('hex') !== row.hash) return result('row_changed');
      place = row.place;
      hash = expected;
    }
  }
  const isWhole = head !== undefined && !head.isBroken && hash.equals(end.hash);
  const hasNoMore = (last ?? 0) <= end.count && (first ?? begin.count + 1) > begin.count;
  return result(isWhole && hasNoMore ? null : 'end_changed');
}

import type { Tx } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { type ChainPosition, insertChainHead, lockChainHead } from '../secrets/chain-heads.db.ts';
import { BEGINNING, type ChainHead } from '../secrets/chain-heads.ts';
import type { Chain } from './chain.ts';

/** The last row, in a form that a head can continue from. */
export type LastRow = Query<ChainPosition | undefined>;

/**
 * Locks a chain for the rest of the transaction, as other copies of the service write to it, too. A head that is missing,
 * forged or behind the rows was changed from outside: the chain goes on behind its last row, as a broken one.
 */
export async function holdHead(
  tx: Tx,
  tenant_id: string,
  chain: Chain,
  lastRow: LastRow,
): Promise<{ head: ChainHead; sealed: Buffer }> {
  const lost: ChainHead = { begin: BEGINNING, end: BEGINNING, isBroken: true };
  const { sealed, last } = await tx.run({
    inserted: insertChainHead(tenant_id, chain.name, chain.seal(lost)),
    sealed: lockChainHead(chain.name),
    last: lastRow,
  });
  if (!sealed) throw new Error('A chain has no head although it was inserted');
  const head = chain.open(sealed) ?? lost;
  const isBehind = last !== undefined && last.count > head.end.count;
  return { head: isBehind ? { ...head, end: last, isBroken: true } : head, sealed };
}

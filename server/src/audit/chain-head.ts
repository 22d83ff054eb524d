import type { Tx } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { type ChainPosition, insertChainHead, lockChainHead } from '../secrets/chain-heads.db.ts';
import { CHAIN_START, type ChainHead } from '../secrets/chain-heads.ts';
import type { Chain } from './chain.ts';

export type LastRow = Query<ChainPosition | undefined>;

/**
 * Locked, because every process writes to the chain. A missing, forged or outdated head means tampering: the chain
 * continues after its last row, marked broken.
 */
export async function lockHead(
  tx: Tx,
  tenant_id: string,
  chain: Chain,
  lastRow: LastRow,
): Promise<{ head: ChainHead; sealed: Buffer }> {
  const lost: ChainHead = { begin: CHAIN_START, end: CHAIN_START, isBroken: true };
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

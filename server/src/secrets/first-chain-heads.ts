import type { SystemDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { type FormerEnd, insertChainHead, listFormerEnds } from './chain-heads.db.ts';
import { BEGINNING, type ChainHead, chainHeadId, sealHead } from './chain-heads.ts';
import type { MasterKeys } from './master-keys.ts';
import { deriveKey, hmac, type Key } from './sealing.ts';

/**
 * Heads for the tenants of an installation that had none. They are inserted together with the key of the chains of
 * changes, and only then: heads that are deleted later are not made anew, unless the key is deleted with them, and then no
 * row of changes verifies.
 */
export async function firstChainHeads(
  q: SystemDb,
  masterKeys: MasterKeys,
  toolCallsKey: Key,
): Promise<Query<unknown>[]> {
  const ends = await q.run(listFormerEnds());
  return ends.flatMap((former) => {
    const { tenant_id } = former;
    const toolCalls = headOf(former, toolCallsKey);
    const changes = { begin: BEGINNING, end: BEGINNING, isBroken: false };
    return [
      insertChainHead(
        tenant_id,
        'tool_calls',
        sealHead(masterKeys, chainHeadId(tenant_id, 'tool_calls'), toolCalls),
      ),
      insertChainHead(tenant_id, 'changes', sealHead(masterKeys, chainHeadId(tenant_id, 'changes'), changes)),
    ];
  });
}

/** An end whose former seal does not fit continues as a broken chain. */
function headOf({ tenant_id, count, hash, seal, last_seq, last_hash }: FormerEnd, key: Key): ChainHead {
  const last = last_seq && last_hash ? { count: last_seq, hash: last_hash } : BEGINNING;
  if (count === null || hash === null || seal === null)
    return { begin: BEGINNING, end: last, isBroken: last.count > 0 };
  const text = JSON.stringify(['end', tenant_id, count, hash.toString('hex')]);
  const isSealed = hmac(deriveKey(key, `chain:${tenant_id}`), text).equals(seal);
  return { begin: BEGINNING, end: { count, hash }, isBroken: !isSealed };
}

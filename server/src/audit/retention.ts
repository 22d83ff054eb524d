import type { Database } from '../platform/db/database.ts';
import { systemScope } from '../platform/db/queryable.ts';
import { moveChainHead } from '../secrets/chain-heads.db.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { withCurrentKey } from '../secrets/master-keys.ts';
import { Chain } from './chain.ts';
import { lockHead } from './chain-head.ts';
import type { ChainTable } from './chain-table.ts';

const BATCH_SIZE = 500;

/**
 * Deletes old rows in small transactions, and seals where verification then begins. Rows that do not verify and all
 * rows of a broken chain stay as evidence.
 * @returns the number of deleted rows
 */
export async function deleteChainedBefore(
  { db, keyring }: { db: Database; keyring: Keyring },
  table: ChainTable,
  tenant_id: string,
  time: Date,
): Promise<number> {
  const chain = new Chain(keyring, table.name, tenant_id);
  const deleteBatch = () =>
    db.tenant(tenant_id).transaction(async (tx) => {
      const { head } = await lockHead(tx, tenant_id, chain, table.findLast());
      if (head.isBroken) return 0;
      const rows = await tx.run(table.listAfter(head.begin.count, BATCH_SIZE));
      let { count, hash } = head.begin;
      for (const row of rows) {
        const expected = chain.rowHash(hash, count + 1, row.fields);
        if (row.at >= time || row.place !== count + 1 || expected.toString('hex') !== row.hash) break;
        ({ count, hash } = { count: row.place, hash: expected });
      }
      if (count === head.begin.count) return 0;
      const next = { ...head, begin: { count, hash } };
      tx.enter(systemScope);
      await tx.run(
        table.deleteUpTo(tenant_id, count),
        moveChainHead(tenant_id, table.name, chain.seal(next)),
      );
      return count - head.begin.count;
    });
  let deleted = 0;
  for (;;) {
    const some = await withCurrentKey(deleteBatch);
    deleted += some;
    if (some < BATCH_SIZE) return deleted;
  }
}

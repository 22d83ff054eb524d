import type { Database } from '../platform/db/database.ts';
import { systemScope } from '../platform/db/queryable.ts';
import { type Deletion, forEach } from '../platform/deletions.ts';
import { moveChainHead } from '../secrets/chain-heads.db.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { withCurrentKey } from '../secrets/master-keys.ts';
import { Chain } from './chain.ts';
import { lockHead } from './chain-head.ts';
import { type ChainTable, changeTable, toolCallTable } from './chain-table.ts';
import { listTenantsWithAuditBefore } from './retention.db.ts';

const BATCH_SIZE = 500;
const DAY_MS = 24 * 60 * 60_000;

/** The records of tool calls and of changes after some time. */
export const oldAudit = ({ keyring }: { keyring: Keyring }, days: number): Deletion => ({
  everyMinutes: 60,
  deleteSome: async (db, signal) => {
    const time = new Date(db.system.now.getTime() - days * DAY_MS);
    let isMore = false;
    const tenants = await db.system.run(listTenantsWithAuditBefore(time));
    const chains = tenants.flatMap((tenant_id) =>
      [toolCallTable, changeTable].map((table) => ({ tenant_id, table })),
    );
    await forEach(chains, signal, async ({ tenant_id, table }) => {
      const deleted = await deleteChainedBefore({ db, keyring }, table, tenant_id, time);
      isMore ||= deleted === BATCH_SIZE;
    });
    return isMore || signal.aborted;
  },
});

/**
 * Deletes some old rows in one transaction, and seals where verification then begins. Rows that do not verify and all
 * rows of a broken chain stay as evidence.
 * @returns the number of deleted rows
 */
export const deleteChainedBefore = (
  { db, keyring }: { db: Database; keyring: Keyring },
  table: ChainTable,
  tenant_id: string,
  time: Date,
): Promise<number> =>
  withCurrentKey(() =>
    db.tenant(tenant_id).transaction(async (tx) => {
      const chain = new Chain(keyring, table.name, tenant_id);
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
    }),
  );

import type { Database } from '../platform/db/database.ts';
import { systemScope, type TenantDb } from '../platform/db/queryable.ts';
import type { Log } from '../platform/ports.ts';
import { moveChainHead } from '../secrets/chain-heads.db.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { withCurrentKey } from '../secrets/master-keys.ts';
import { Chain } from './chain.ts';
import { lockHead } from './chain-head.ts';
import {
  chainChangeRows,
  changeFields,
  findLastChainedChange,
  listTenantsWithUnchainedChanges,
  listUnchainedChanges,
  unchainedChangesExist,
} from './changes.db.ts';

const BATCH_SIZE = 500;

export interface ChangeServices {
  keyring: Keyring;
  log: Log;
}

/** Chains the tenant's unchained rows. Safe to run concurrently. */
export async function chainChanges({ keyring, log }: ChangeServices, q: TenantDb): Promise<void> {
  const { tenant_id } = q;
  const chain = new Chain(keyring, 'changes', tenant_id);
  const chainBatch = () =>
    q.transaction(async (tx) => {
      const { head } = await lockHead(tx, tenant_id, chain, findLastChainedChange());
      const rows = await tx.run(listUnchainedChanges(BATCH_SIZE));
      if (rows.length === 0) return;
      if (head.isBroken) log.error({ tenant_id }, 'the record of changes was changed from outside');
      const { rows: chained, head: next } = chain.extend(head, rows, changeFields);
      tx.enter(systemScope);
      await tx.run(
        chainChangeRows(tenant_id, chained),
        moveChainHead(tenant_id, 'changes', chain.seal(next)),
      );
    });
  while (await q.run(unchainedChangesExist())) await withCurrentKey(chainBatch);
}

/** A tenant that fails does not stop the others. */
export async function chainAllChanges(
  services: ChangeServices & { db: Database },
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = services;
  for (const tenant_id of await db.system.run(listTenantsWithUnchainedChanges())) {
    if (signal.aborted) return;
    await chainChanges(services, db.tenant(tenant_id)).catch((error: unknown) =>
      log.error({ err: error, tenant_id }, 'changes could not be chained'),
    );
  }
}

import { randomUUID } from 'node:crypto';
import { lockCustomer } from '../customers/customers.db.ts';
import { type Database } from '../platform/db/database.ts';
import { tenantScope } from '../platform/db/queryable.ts';
import { notFound } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type ConnectionRow, insertConnection, type NewConnection } from './connections.db.ts';
import { grantWhereServed } from './grants.ts';

export { listConnections, revokeConnection } from './connections.db.ts';

/** Binds sealed credentials to their row: moved to another row they do not open. */
export const connectionContext = (connection_id: string) => `connection:${connection_id}`;

export type ConnectionRequest = Omit<NewConnection, 'id' | 'sealed_credentials'> & {
  credentials: Record<string, unknown>;
};

/**
 * Keeps a connection with its credentials sealed under the tenant's data key (contract, section 8). Instances that serve
 * the customer and ask for such a one may use it at once; their runtimes have it when they next refresh their secrets.
 */
export async function addConnection(
  db: Database,
  keyring: Keyring,
  tenant_id: string,
  request: ConnectionRequest,
  now: Date,
): Promise<ConnectionRow> {
  const { credentials, ...connection } = request;
  const id = randomUUID();
  const q = db.tenant(tenant_id);
  const sealed_credentials = await keyring.seal(q, JSON.stringify(credentials), connectionContext(id));
  return db.transaction(tenantScope(tenant_id), async (tx) => {
    const [, row] = await Promise.all([
      tx.run(lockCustomer(connection.customer_id)),
      insertConnection(tx, { ...connection, id, sealed_credentials }, now),
    ]);
    if (!row) throw notFound('Customer');
    await grantWhereServed(tx, row.customer_id);
    return row;
  });
}

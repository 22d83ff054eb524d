import { randomUUID } from 'node:crypto';
import { type ConnectionRow, insertConnection, type NewConnection } from '../db/connections.ts';
import type { Queryable } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { connectionContext } from './agent-secrets.ts';
import type { Keyring } from './keyring.ts';

export {
  listConnectionStates,
  listConnections,
  listSealedConnections,
  revokeConnection,
} from '../db/connections.ts';

export type ConnectionRequest = Omit<NewConnection, 'id' | 'sealed_credentials'> & {
  credentials: Record<string, unknown>;
};

/** Keeps a connection with its credentials sealed under the tenant's data key (contract, section 8). */
export async function addConnection(
  q: Queryable,
  keyring: Keyring,
  tenant_id: string,
  request: ConnectionRequest,
  now: Date,
): Promise<ConnectionRow> {
  const { credentials, ...connection } = request;
  const id = randomUUID();
  const sealed_credentials = await keyring.seal(
    q,
    tenant_id,
    JSON.stringify(credentials),
    connectionContext(id),
  );
  const row = await insertConnection(q, { ...connection, id, sealed_credentials }, now);
  if (!row) throw notFound('Customer');
  return row;
}

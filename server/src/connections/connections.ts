import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { customerExists, lockCustomer } from '../customers/customers.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { readAllowedHosts } from './allowed-hosts.ts';
import type { ConnectionCreate, ConnectionUpdate } from './connections.contract.ts';
import {
  type ConnectionRow,
  hasRoomForConnection,
  insertConnection,
  updateConnection,
} from './connections.db.ts';
import { deleteGrantsOf } from './grants.db.ts';
import { grantToServingInstances } from './grants.ts';

/** Credentials copied to another row do not open. */
export const connectionContext = (connection_id: string) => `connection:${connection_id}`;

export interface ConnectionServices {
  keyring: Keyring;
  settings: {
    /** True: no connection of the provider `filesystem` can be made. */
    lacks_filesystem_drive?: boolean;
  };
}

/**
 * Credentials are sealed (contract, section 8). Runtimes get the connection with their next secret refresh. 409 for a drive
 * that is switched off.
 */
export async function addConnection(
  q: TenantDb,
  { keyring, settings }: ConnectionServices,
  customer_id: string,
  { provider, name, credentials, expires_at, allowed_hosts }: Static<typeof ConnectionCreate>,
  isNamed: boolean,
): Promise<ConnectionRow> {
  if (provider === 'filesystem' && settings.lacks_filesystem_drive) {
    await q.run(customerExists(customer_id));
    throw conflict('The drive filesystem is switched off');
  }
  const id = randomUUID();
  const hosts = readAllowedHosts(allowed_hosts ?? []);
  const sealed_credentials = await keyring.seal(q, JSON.stringify(credentials), connectionContext(id));
  const connection = {
    id,
    customer_id,
    provider,
    name,
    sealed_credentials,
    expires_at,
    allowed_hosts: hosts,
  };
  return q.transaction(async (tx) => {
    const { inserted } = await tx.run({
      lock: lockCustomer(customer_id),
      room: hasRoomForConnection(customer_id),
      inserted: insertConnection(connection, isNamed),
    });
    const row = found('Customer', inserted);
    await grantToServingInstances(tx, customer_id);
    return row;
  });
}

/** Recipes require connections by name, so a new name changes the grants. */
export async function changeConnection(
  q: TenantDb,
  keyring: Keyring,
  ids: { customer_id: string; connection_id: string },
  { name, credentials, expires_at, allowed_hosts }: Static<typeof ConnectionUpdate>,
  isNamed: boolean,
): Promise<ConnectionRow> {
  const { customer_id, connection_id } = ids;
  const hosts = allowed_hosts === undefined ? undefined : readAllowedHosts(allowed_hosts ?? []);
  const sealed_credentials =
    credentials && (await keyring.seal(q, JSON.stringify(credentials), connectionContext(connection_id)));
  return q.transaction(async (tx) => {
    const changes = { name, sealed_credentials, expires_at, allowed_hosts: hosts };
    const { updated } = await tx.run({
      lock: lockCustomer(customer_id),
      // After the lock: the customer may have been erased meanwhile.
      customer: customerExists(customer_id),
      updated: updateConnection(ids, changes, isNamed),
    });
    const row = found('Connection', updated);
    if (name !== undefined) {
      await tx.run(deleteGrantsOf(connection_id));
      await grantToServingInstances(tx, customer_id);
    }
    return row;
  });
}

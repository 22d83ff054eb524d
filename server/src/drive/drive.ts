import { connectionContext } from '../connections/connections.ts';
import { findDedicatedCustomer, servesCustomer } from '../customers/served-customers.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { missing, notFound } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { readFolderLimits } from '../recipes/fields/data-access.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { listDriveConnections } from './drive.db.ts';
import type { DriveConnection } from './drive.port.ts';

/** The providers of connections that are drives (contract, section 7). */
const DRIVE_PROVIDERS = ['google_drive', 'filesystem'] as const;

/** The part of a request that names a drive. An empty name counts as none. */
export interface DriveChoice {
  connection_name?: string | undefined;
  customer_id?: string | undefined;
}

/**
 * Finds the drive for a request of an instance, with its credentials: the oldest live one, by name if given, of the
 * customers that the instance serves now. A shared instance has to name the drive or the customer (contract, section
 * 10): 422 where it does not, and where several customers have a drive with the name.
 */
export async function chooseDrive(
  q: TenantQueryable,
  keyring: Keyring,
  instance_id: string,
  choice: DriveChoice,
): Promise<DriveConnection> {
  const customer_id = choice.customer_id ?? null;
  const name = choice.connection_name || null;
  const [dedicatedCustomer, isServed, connections] = await q.run(
    findDedicatedCustomer(instance_id),
    servesCustomer(instance_id, customer_id),
    listDriveConnections(instance_id, { providers: DRIVE_PROVIDERS, customer_id, name }),
  );
  if (dedicatedCustomer === undefined) throw notFound('Instance');
  const isShared = dedicatedCustomer === null;
  if (isShared && customer_id === null && name === null) throw missing('query', 'connection_name');
  if (customer_id !== null && !isServed) throw notFound('Customer');
  const [chosen] = connections;
  if (!chosen) throw notFound('Connection');
  if (connections.some((other) => other.customer_id !== chosen.customer_id)) {
    throw missing('query', 'customer_id');
  }
  const { id, tenant_id, provider, sealed_credentials, data_access } = chosen;
  const text = await keyring.open(q, sealed_credentials, connectionContext(id));
  const credentials = JSON.parse(text) as JsonObject;
  return { id, tenant_id, provider, credentials, folder_ids: folderLimit(credentials, data_access) };
}

/**
 * The folders that the connection's credentials (`folder_ids`) and the configuration (`data_access.drive.folder_ids`,
 * `data_access.folder_ids`) limit a drive to: the intersection of the lists that are given, undefined where none is.
 */
function folderLimit(credentials: Readonly<JsonObject>, data_access: unknown): string[] | undefined {
  const own = credentials.folder_ids ?? null;
  const limits = [...(own === null ? [] : [idsOf(own)]), ...readFolderLimits({ data_access })];
  const [first, ...others] = limits;
  return first?.filter((id) => others.every((ids) => ids.includes(id)));
}

/** A malformed limit opens no folder. */
const idsOf = (limit: unknown): string[] =>
  Array.isArray(limit) ? limit.filter((id) => typeof id === 'string' && id !== '') : [];

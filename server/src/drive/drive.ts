import { connectionContext } from '../connections/connections.ts';
import { findDedicatedCustomer, servesCustomer } from '../customers/served-customers.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { missing, notFound, ServiceError } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { readFolderLimits } from '../recipes/fields/data-access.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import { listDriveConnections } from './drive.db.ts';
import type { DriveConnection } from './drive.port.ts';

/** Contract, section 7. */
const DRIVE_PROVIDERS = ['google_drive', 'filesystem'] as const;

interface DriveChoice {
  connection_name?: string | undefined;
  customer_id?: string | undefined;
}

/**
 * The oldest live drive, by name if given, of the customers that the instance serves now. On a shared instance 422
 * without name and customer, or when several customers have a drive of the name (contract, section 10).
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
  const text = await openedOr(keyring.open(q, sealed_credentials, connectionContext(id)), undefined);
  if (text === undefined)
    throw new ServiceError('bad_gateway', 'The credentials of the drive are unreadable: set them again');
  const credentials = JSON.parse(text) as JsonObject;
  return {
    id,
    tenant_id,
    provider,
    credentials,
    folder_ids: intersectFolderLimits(credentials, data_access),
  };
}

/**
 * The intersection of `folder_ids` of the credentials with `data_access.drive.folder_ids` and `data_access.folder_ids`
 * of the configuration; undefined without limits.
 */
function intersectFolderLimits(
  credentials: Readonly<JsonObject>,
  data_access: unknown,
): string[] | undefined {
  const own = credentials.folder_ids ?? null;
  const limits = [...(own === null ? [] : [readIds(own)]), ...readFolderLimits({ data_access })];
  const [first, ...others] = limits;
  return first?.filter((id) => others.every((ids) => ids.includes(id)));
}

/** A malformed limit opens no folder. */
const readIds = (limit: unknown): string[] =>
  Array.isArray(limit) ? limit.filter((id) => typeof id === 'string' && id !== '') : [];

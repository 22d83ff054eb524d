import { connectionContext } from '../connections/connections.ts';
import { servesCustomer } from '../customers/served-customers.db.ts';
import { getInstance } from '../instances/instances.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { missing, notFound } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { listDriveConnections } from './drive.db.ts';
import type { DriveConnection } from './drive.port.ts';
import { folderLimit } from './drive-limits.ts';

/** The providers of connections that are drives (contract, section 7). */
const DRIVE_PROVIDERS = ['google_drive', 'filesystem'] as const;

/** Which drive a request means; an empty name is none. */
export interface DriveChoice {
  connection_name?: string | undefined;
  customer_id?: string | undefined;
}

/**
 * The drive that an instance means, with its credentials: of the customers that it serves now, the oldest live one
 * with the name. A shared instance has to tell whose (contract, section 10): 422 where it does not, also when the
 * name is that of several customers' drives, so that nobody gets another's.
 */
export async function chooseDrive(
  services: Services,
  q: TenantQueryable,
  instance_id: string,
  choice: DriveChoice,
): Promise<DriveConnection> {
  const customer_id = choice.customer_id ?? null;
  const name = choice.connection_name || null;
  const filter = { providers: DRIVE_PROVIDERS, customer_id, name };
  const [instance, serves, connections] = await Promise.all([
    getInstance(q, instance_id),
    customer_id === null ? true : q.run(servesCustomer(instance_id, customer_id)),
    listDriveConnections(q, instance_id, filter, services.clock()),
  ]);
  if (instance.hosting_mode === 'shared' && customer_id === null && name === null) {
    throw missing('query', 'connection_name');
  }
  if (!serves) throw notFound('Customer');
  const [chosen] = connections;
  if (!chosen) throw notFound('Connection');
  if (connections.some((other) => other.customer_id !== chosen.customer_id)) {
    throw missing('query', 'customer_id');
  }
  const { id, tenant_id, provider, sealed_credentials, data_access } = chosen;
  const text = await services.keyring.open(q, sealed_credentials, connectionContext(id));
  const credentials = JSON.parse(text) as Record<string, unknown>;
  return { id, tenant_id, provider, credentials, folder_ids: folderLimit(credentials, data_access) };
}

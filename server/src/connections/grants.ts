import { lockCustomer } from '../customers/customers.db.ts';
import { listServingDeployments } from '../customers/served-customers.db.ts';
import type { TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import { readConnectionRequirement } from './connection-requirements.ts';
import { grantConnections } from './grants.db.ts';

/** A customer's place on an instance, with the requirements of the configuration there. */
export interface Place {
  instance_id: string;
  customer_id: string;
  connection_requirements: readonly unknown[];
}

/** Grants an instance the required connections of a customer. The lock first: a connection that is being added counts. */
export async function grantAtPlace(q: TenantQueryable, place: Place): Promise<void> {
  await q.run(lockCustomer(place.customer_id), grantRequired(place));
}

/**
 * Grants a new connection to every instance that serves the customer and requires it: credentials are changed by a new
 * connection, and an optional one may come later. The caller has locked the customer before it inserted the connection,
 * so that a concurrent grantAtPlace either finds the connection or is found here.
 */
export async function grantWhereServed(tx: TenantTx, customer_id: string): Promise<void> {
  const places = await tx.run(listServingDeployments(customer_id));
  await tx.runAll(places.map(grantRequired));
}

function grantRequired({ instance_id, customer_id, connection_requirements }: Place) {
  const required = connection_requirements.flatMap((element) => readConnectionRequirement(element) ?? []);
  return grantConnections(instance_id, customer_id, required);
}

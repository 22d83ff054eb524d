import { lockCustomer } from '../customers/customers.db.ts';
import { listServingDeployments } from '../customers/served-customers.db.ts';
import type { TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import { readConnectionRequirement } from './connection-requirements.ts';
import { grantConnections, revokeOtherGrants } from './grants.db.ts';

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

/** The same, and takes those of the customer's connections away that are not required there any more. */
export async function keepGrants(q: TenantQueryable, place: Place): Promise<void> {
  const { instance_id, customer_id } = place;
  await q.run(
    lockCustomer(customer_id),
    grantRequired(place),
    revokeOtherGrants(instance_id, customer_id, requiredAt(place)),
  );
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

const requiredAt = ({ connection_requirements }: Place) =>
  connection_requirements.flatMap((element) => readConnectionRequirement(element) ?? []);

const grantRequired = (place: Place) =>
  grantConnections(place.instance_id, place.customer_id, requiredAt(place));

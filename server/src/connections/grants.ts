import { lockCustomer } from '../customers/customers.db.ts';
import { listServingDeployments } from '../customers/served-customers.db.ts';
import { type Database } from '../platform/db/database.ts';
import { type Tx, tenantScope } from '../platform/db/queryable.ts';
import { readConnectionRequirement } from './connection-requirements.ts';
import { grantConnections } from './grants.db.ts';

export { deleteGrants, revokeGrants } from './grants.db.ts';

/** A customer's place on an instance, and what the configuration there asks for. */
export interface Place {
  instance_id: string;
  customer_id: string;
  connection_requirements: readonly unknown[];
}

/** Lets an instance use those connections of a customer that it asks for, with those that are being added just now. */
export function grantAtPlace(db: Database, tenant_id: string, place: Place): Promise<void> {
  return db.transaction(tenantScope(tenant_id), async (tx) => {
    await Promise.all([tx.run(lockCustomer(place.customer_id)), grantRequired(tx, place)]);
  });
}

/**
 * The same for every instance that serves the customer, when there is another connection: credentials are changed by
 * making a new one, and what was optional may come later. The customer has to be held since before the connection was
 * added: whoever looks for connections at that moment either finds it or is found here.
 */
export async function grantWhereServed(tx: Tx, customer_id: string): Promise<void> {
  for (const place of await tx.run(listServingDeployments(customer_id))) await grantRequired(tx, place);
}

async function grantRequired(
  tx: Tx,
  { instance_id, customer_id, connection_requirements }: Place,
): Promise<void> {
  const required = connection_requirements.flatMap((element) => readConnectionRequirement(element) ?? []);
  await grantConnections(tx, instance_id, customer_id, required);
}

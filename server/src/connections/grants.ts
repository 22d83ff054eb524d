import { lockCustomer } from '../customers/customers.db.ts';
import { listServingDeployments } from '../customers/served-customers.db.ts';
import type { TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import { readConnectionRequirement } from './connection-requirements.ts';
import { grantConnections, revokeOtherGrants } from './grants.db.ts';

export interface ServedCustomer {
  instance_id: string;
  customer_id: string;
  connection_requirements: readonly unknown[];
}

/** Locks first, so a connection that is being added is included. */
export async function grantRequiredConnections(q: TenantQueryable, served: ServedCustomer): Promise<void> {
  await q.run(lockCustomer(served.customer_id), grantMatching(served));
}

/** Also revokes grants that are no longer required. */
export async function syncGrants(q: TenantQueryable, served: ServedCustomer): Promise<void> {
  const { instance_id, customer_id } = served;
  await q.run(
    lockCustomer(customer_id),
    grantMatching(served),
    revokeOtherGrants(instance_id, customer_id, readRequirements(served)),
  );
}

/**
 * Needs `lockCustomer` before the connection was inserted: a concurrent grantRequiredConnections then sees the
 * connection or is seen here.
 */
export async function grantToServingInstances(tx: TenantTx, customer_id: string): Promise<void> {
  const servedCustomers = await tx.run(listServingDeployments(customer_id));
  await tx.runAll(servedCustomers.map(grantMatching));
}

const readRequirements = ({ connection_requirements }: ServedCustomer) =>
  connection_requirements.flatMap((element) => readConnectionRequirement(element) ?? []);

const grantMatching = (served: ServedCustomer) =>
  grantConnections(served.instance_id, served.customer_id, readRequirements(served));

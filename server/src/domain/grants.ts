import type { Queryable } from '../db/database.ts';
import { listServingDeployments } from '../db/deployments.ts';
import { grantConnections } from '../db/grants.ts';
import { readConnectionRequirement } from './composition/slugs.ts';

export { deleteGrants, revokeGrants } from '../db/grants.ts';

/** A customer's place on an instance, and what the configuration there asks for. */
export interface Place {
  instance_id: string;
  customer_id: string;
  connection_requirements: readonly unknown[];
}

/** Lets an instance use those connections of a customer that it asks for. */
export async function grantRequired(
  q: Queryable,
  { instance_id, customer_id, connection_requirements }: Place,
): Promise<void> {
  const required = connection_requirements.flatMap((element) => readConnectionRequirement(element) ?? []);
  await grantConnections(q, instance_id, customer_id, required);
}

/**
 * The same for every instance that serves the customer, when there is another connection: credentials are changed by
 * making a new one, and what was optional may come later.
 */
export async function grantWhereServed(q: Queryable, customer_id: string): Promise<void> {
  for (const place of await listServingDeployments(q, customer_id)) await grantRequired(q, place);
}

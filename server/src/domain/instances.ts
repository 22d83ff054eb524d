import type { Queryable } from '../db/database.ts';
import { findInstanceTenant } from '../db/instances.ts';
import { notFound } from '../errors.ts';

/** The tenant that an instance belongs to (in the system scope). */
export async function getInstanceTenant(q: Queryable, instance_id: string): Promise<string> {
  const tenant_id = await findInstanceTenant(q, instance_id);
  if (!tenant_id) throw notFound('Instance');
  return tenant_id;
}

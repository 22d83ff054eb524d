import { customerExists, lockCustomer } from '../customers/customers.db.ts';
import type { BodyOf } from '../platform/contract/operation.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { readDemands } from './demands.ts';
import type { putRequirement as operation } from './requirements.contract.ts';
import {
  hasRoomForRequirement,
  putRequirement,
  type RequirementKey,
  type RequirementRow,
} from './requirements.db.ts';

/** Replaces the whole: what is left out is no condition any more. */
export async function replaceRequirement(
  q: Queryable,
  at: RequirementKey,
  { site = null, job_id = null, title = null, demands }: BodyOf<typeof operation>,
  isNamed: boolean,
): Promise<RequirementRow> {
  const wanted = readDemands(demands, ['body', 'demands']);
  const { requirement } = await q.run({
    lock: lockCustomer(at.customer_id),
    // After the lock: the customer may have been erased meanwhile.
    customer: customerExists(at.customer_id),
    room: hasRoomForRequirement(at),
    requirement: putRequirement(at, { site, job_id, title }, wanted, isNamed),
  });
  return found('Customer', requirement);
}

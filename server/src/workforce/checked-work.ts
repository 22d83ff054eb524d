import type { Queryable, TenantDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Check, WorkEligibility } from './work-check.contract.ts';
import type { WorkCheck, WorkToCheck } from './work-check.port.ts';

/** From the request, and who judges. */
export interface Asked {
  check: Check;
  workCheck: WorkCheck;
}

export type Checked<Row> = Row & { eligibility?: WorkEligibility };

/** Judges the work once it is written, so it counts itself; a refusal takes it back with the transaction. @param lock of the person’s row, which a change of the record waits for */
export async function writeChecked<Row extends WorkToCheck>(
  q: TenantDb,
  { check, workCheck }: Asked,
  lock: Query<unknown>,
  write: (q: Queryable) => Promise<Row>,
): Promise<Checked<Row>> {
  if (check === 'none') return write(q);
  return q.transaction(async (tx) => {
    await tx.run(lock);
    const row = await write(tx);
    const eligibility = await workCheck(tx, row);
    if (check === 'require') requireEligible(eligibility);
    return { ...row, eligibility };
  });
}

function requireEligible({ eligible, reasons }: WorkEligibility): void {
  if (eligible === true) return;
  const detail =
    eligible === null
      ? 'No requirements are known for that place, so nobody can be called eligible'
      : 'The person is not eligible for this work';
  throw new ServiceError('conflict', detail, {}, { reasons });
}

import type { Fault } from '../platform/errors.ts';
import { partValidator } from '../platform/http/validation.ts';
import { StaffCreate } from './staff.contract.ts';
import type { StaffRequest } from './staff.ts';

const faultsOf = partValidator('body', StaffCreate);

/** The items of an import that can be created, in order, and the faults of the others (contract, section 6). */
export function checkImport(items: readonly unknown[]): {
  valid: StaffRequest[];
  errors: (Fault & { index: number })[];
} {
  const valid: StaffRequest[] = [];
  const errors: (Fault & { index: number })[] = [];
  for (const [index, item] of items.entries()) {
    const faults = faultsOf(item);
    if (faults.length === 0) valid.push(item as StaffRequest);
    for (const { loc, msg, type } of faults) {
      errors.push({ index, loc: ['body', 'staff', String(index), ...loc.slice(1)], msg, type });
    }
  }
  return { valid, errors };
}

import { customerExists } from '../customers/customers.db.ts';
import { customerIsServed } from '../customers/served-customers.db.ts';
import { type Fault, found } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { partValidator } from '../platform/http/validation.ts';
import * as contract from './staff.contract.ts';
import { findStaff, insertStaff } from './staff.db.ts';
import { addStaff, changeStaff, listExpiringCerts, newStaff, type StaffRequest } from './staff.ts';
import { searchStaff } from './staff-search.ts';

const faultsOf = partValidator('body', contract.StaffCreate);

/** Splits an import into the records to create, in order, and the faults of the other items (contract, section 6). */
function checkImport(items: readonly unknown[]) {
  const valid: StaffRequest[] = [];
  const errors: (Fault & { index: number })[] = [];
  for (const [index, item] of items.entries()) {
    const faults = faultsOf(item);
    if (faults.length === 0) valid.push(item as StaffRequest);
    for (const { loc, msg, type } of faults) {
      errors.push({ index, loc: ['body', 'staff', String(index), ...loc.slice(1)], msg, type });
    }
  }
  return { staff: valid.map(newStaff), errors };
}

export const staffRoutes = [
  route(contract.listStaff, async ({ q, params: { instance_id }, query }) => {
    const { customer_id, page: _, per_page: __, ...filters } = query;
    const search = (limit: number, offset: number) => searchStaff(customer_id, filters, limit, offset);
    const { items, ...position } = await page(q, query, search, customerIsServed(instance_id, customer_id));
    return ok({ ...position, staff: items });
  }),

  route(contract.createStaff, async ({ q, params, query, body }) =>
    created(await addStaff(q, { ...params, ...query }, body)),
  ),

  route(contract.listExpiringCerts, async ({ q, params, query: { customer_id, within_days } }) =>
    ok(await listExpiringCerts(q, { ...params, customer_id }, within_days)),
  ),

  route(contract.importStaff, async ({ q, params: { instance_id }, query: { customer_id }, body }) => {
    const { staff, errors } = checkImport(body.staff);
    const [, rows] = await q.run(customerIsServed(instance_id, customer_id), insertStaff(customer_id, staff));
    return ok({ created: rows.length, errors });
  }),

  route(contract.getStaff, async ({ q, params }) =>
    ok(found('Staff member', await q.run(findStaff(params)))),
  ),

  route(contract.updateStaff, async ({ q, params, body }) => ok(await changeStaff(q, params, body))),
];

/** The same for an admin, who names the customer alone. */
export const customerStaffRoutes = [
  route(contract.listCustomerStaff, async ({ q, params: { customer_id }, query }) => {
    const { skills, status } = query;
    const search = (limit: number, offset: number) =>
      searchStaff(customer_id, { skills, status }, limit, offset);
    const { items, ...position } = await page(q, query, search, customerExists(customer_id));
    return ok({ ...position, staff: items });
  }),

  route(contract.importCustomerStaff, async ({ q, params: { customer_id }, body }) => {
    const { staff, errors } = checkImport(body.staff);
    const [, rows] = await q.run(customerExists(customer_id), insertStaff(customer_id, staff));
    return ok({ created: rows.length, errors });
  }),
];

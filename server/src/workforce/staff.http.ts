import { customerExists } from '../customers/customers.db.ts';
import { customerIsServed } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { type Fault, found, valueFault } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { partValidator } from '../platform/http/validation.ts';
import * as contract from './staff.contract.ts';
import { deleteStaff, findStaff } from './staff.db.ts';
import {
  addStaff,
  type CustomerPlace,
  changeStaff,
  importAll,
  listExpiringCerts,
  type StaffRequest,
} from './staff.ts';
import { searchStaff } from './staff-search.ts';

const faultsOf = partValidator('body', contract.StaffCreate);

/** Contract, sections 6 and 16. */
function checkImport(items: readonly unknown[]) {
  const valid: StaffRequest[] = [];
  const errors: (Fault & { index: number })[] = [];
  const known = new Set<string>();
  for (const [index, item] of items.entries()) {
    const faults = [...faultsOf(item)];
    const external_id = faults.length === 0 ? (item as StaffRequest).external_id : null;
    if (external_id && known.has(external_id)) {
      faults.push(valueFault(['body', 'external_id'], 'An earlier item has this external_id'));
    }
    if (external_id) known.add(external_id);
    if (faults.length === 0) valid.push(item as StaffRequest);
    errors.push(...faults.map((fault) => faultAt(index, fault)));
  }
  return { valid, errors };
}

async function importItems(q: Queryable, place: CustomerPlace, items: readonly unknown[]) {
  const { valid, errors } = checkImport(items);
  const { counts, refused, refusal } = await importAll(q, place, valid);
  for (const request of refused) errors.push(faultAt(items.indexOf(request), valueFault(['body'], refusal)));
  return { ...counts, errors: errors.toSorted((a, b) => a.index - b.index) };
}

const faultAt = (index: number, { loc, msg, type }: Fault) => ({
  index,
  loc: ['body', 'staff', String(index), ...loc.slice(1)],
  msg,
  type,
});

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

  route(contract.importStaff, async ({ q, params, query: { customer_id }, body }) =>
    ok(await importItems(q, { ...params, customer_id }, body.staff)),
  ),

  route(contract.getStaff, async ({ q, params }) =>
    ok(found('Staff member', await q.run(findStaff(params)))),
  ),

  route(contract.updateStaff, async ({ q, params, body }) => ok(await changeStaff(q, params, body))),
];

export const customerStaffRoutes = [
  route(contract.listCustomerStaff, async ({ q, params: { customer_id }, query }) => {
    const { skills, status } = query;
    const search = (limit: number, offset: number) =>
      searchStaff(customer_id, { skills, status }, limit, offset);
    const { items, ...position } = await page(q, query, search, customerExists(customer_id));
    return ok({ ...position, staff: items });
  }),

  route(contract.importCustomerStaff, async ({ q, params, body }) =>
    ok(await importItems(q, params, body.staff)),
  ),

  route(contract.createCustomerStaff, async ({ q, params, body }) =>
    created(await addStaff(q, params, body)),
  ),

  route(contract.getCustomerStaff, async ({ q, params }) => {
    const { row } = await q.run({ customer: customerExists(params.customer_id), row: findStaff(params) });
    return ok(found('Staff member', row));
  }),

  route(contract.updateCustomerStaff, async ({ q, params, body }) => ok(await changeStaff(q, params, body))),

  route(contract.deleteCustomerStaff, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteStaff(params),
    });
    found('Staff member', deleted);
    return noContent();
  }),
];

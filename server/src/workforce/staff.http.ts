import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { customerIsServed } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { type Fault, found, valueFault } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { partValidator } from '../platform/http/validation.ts';
import * as contract from './staff.contract.ts';
import { deleteStaff, findStaff, type NamedStaffRow } from './staff.db.ts';
import { addStaff, type CustomerPlace, changeStaff, importAll, type StaffRequest } from './staff.ts';
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

/** Internal routes have no names beside ids. */
const withoutName = ({ customer_name: _, ...record }: NamedStaffRow) => record;

export const staffRoutes = [
  route(contract.listStaff, async ({ q, params: { instance_id }, query }) => {
    const { customer_id } = query;
    const search = (limit: number, offset: number) => searchStaff(customer_id, query, false, limit, offset);
    const { items, ...position } = await page(q, query, search, customerIsServed(instance_id, customer_id));
    return ok({ ...position, staff: items.map(withoutName) });
  }),

  route(contract.createStaff, async ({ q, params, query, body }) =>
    created(withoutName(await addStaff(q, { ...params, ...query }, body, false))),
  ),

  route(contract.importStaff, async ({ q, params, query: { customer_id }, body }) =>
    ok(await importItems(q, { ...params, customer_id }, body.staff)),
  ),

  route(contract.getStaff, async ({ q, params }) =>
    ok(withoutName(found('Staff member', await q.run(findStaff(params, false))))),
  ),

  route(contract.updateStaff, async ({ q, params, body }) =>
    ok(withoutName(await changeStaff(q, params, body, false))),
  ),
];

export const customerStaffRoutes = [
  route(contract.listCustomerStaff, async ({ q, actor, params: { customer_id }, query }) => {
    const search = (limit: number, offset: number) =>
      searchStaff(customer_id, query, readsCustomers(actor), limit, offset);
    const { items, ...position } = await page(q, query, search, customerExists(customer_id));
    return ok({ ...position, staff: items });
  }),

  route(contract.importCustomerStaff, async ({ q, params, body }) =>
    ok(await importItems(q, params, body.staff)),
  ),

  route(contract.createCustomerStaff, async ({ q, actor, params, body }) =>
    created(await addStaff(q, params, body, readsCustomers(actor))),
  ),

  route(contract.getCustomerStaff, async ({ q, actor, params }) => {
    const row = findStaff(params, readsCustomers(actor));
    const { found: person } = await q.run({ customer: customerExists(params.customer_id), found: row });
    return ok(found('Staff member', person));
  }),

  route(contract.updateCustomerStaff, async ({ q, actor, params, body }) =>
    ok(await changeStaff(q, params, body, readsCustomers(actor))),
  ),

  route(contract.deleteCustomerStaff, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteStaff(params),
    });
    found('Staff member', deleted);
    return noContent();
  }),
];

import { notFound } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './staff.contract.ts';
import {
  addStaff,
  changeStaff,
  findStaff,
  importStaff,
  listExpiringCerts,
  ofServedCustomer,
} from './staff.ts';
import { checkImport } from './staff-import.http.ts';
import { searchStaff } from './staff-search.ts';

export const staffRoutes = [
  route(contract.listStaff, async ({ q, params: { instance_id }, query }, services: Services) => {
    const { customer_id, page: _, per_page: __, ...filters } = query;
    const now = services.clock();
    const found = pageOf(query, (...window) => searchStaff(q, customer_id, filters, now, ...window));
    const { items, ...position } = await ofServedCustomer(q, instance_id, customer_id, found);
    return ok({ ...position, staff: items });
  }),

  route(contract.createStaff, async ({ q, params, query, body }, services: Services) =>
    created(await addStaff(q, { ...params, ...query }, body, services.clock())),
  ),

  route(contract.listExpiringCerts, async ({ q, params, query }, services: Services) => {
    const { customer_id, within_days } = query;
    const list = listExpiringCerts(q, customer_id, within_days, services.clock());
    return ok(await ofServedCustomer(q, params.instance_id, customer_id, list));
  }),

  route(contract.importStaff, async ({ q, params, query, body }, services: Services) => {
    const { valid, errors } = checkImport(body.staff);
    const added = importStaff(q, { ...params, ...query }, valid, services.clock());
    return ok({
      created: await ofServedCustomer(q, params.instance_id, query.customer_id, added),
      errors,
    });
  }),

  route(contract.getStaff, async ({ q, params }) => {
    const staff = await findStaff(q, params);
    if (!staff) throw notFound('Staff member');
    return ok(staff);
  }),

  route(contract.updateStaff, async ({ q, params, body }, services: Services) =>
    ok(await changeStaff(q, params, body, services.clock())),
  ),
];

import { ofCustomer } from '../customers/customers.ts';
import { ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './customer-staff.contract.ts';
import { importStaff } from './staff.ts';
import { checkImport } from './staff-import.http.ts';
import { searchStaff } from './staff-search.ts';

export const customerStaffRoutes = [
  route(contract.listCustomerStaff, async ({ q, params: { customer_id }, query }, services: Services) => {
    const { skills, status } = query;
    const now = services.clock();
    const list = pageOf(query, (...window) =>
      searchStaff(q, customer_id, { skills, status }, now, ...window),
    );
    const { items, ...position } = await ofCustomer(q, customer_id, list);
    return ok({ ...position, staff: items });
  }),

  route(contract.importCustomerStaff, async ({ q, params: { customer_id }, body }, services: Services) => {
    const { valid, errors } = checkImport(body.staff);
    const added = importStaff(q, { customer_id, instance_id: null }, valid, services.clock());
    return ok({ created: await ofCustomer(q, customer_id, added), errors });
  }),
];

import { ofCustomer } from '../customers/customers.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './shifts.contract.ts';
import { addShift, listShifts } from './shifts.ts';

export const shiftRoutes = [
  route(contract.listShifts, async ({ q, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = pageOf(query, (...window) => listShifts(q, customer_id, person_id, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createShift, async ({ q, params: { customer_id }, body }, services: Services) => {
    const { person_id, starts_at, ends_at } = body;
    const { job_id = null, title = null, site = null, status = null } = body;
    const shift = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
    return created(await addShift(q, shift, services.clock()));
  }),
];

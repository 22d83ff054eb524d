import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './shifts.contract.ts';
import { deleteShift, listShifts } from './shifts.db.ts';
import { addShift, changeShift } from './shifts.ts';

export const shiftRoutes = [
  route(contract.listShifts, async ({ q, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = (limit: number, offset: number) => listShifts(customer_id, person_id, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createShift, async ({ q, params: { customer_id }, body }) => {
    const { person_id, starts_at, ends_at } = body;
    const { job_id = null, title = null, site = null, status = null } = body;
    const shift = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
    return created(await addShift(q, shift));
  }),

  route(contract.updateShift, async ({ q, params, body }) => ok(await changeShift(q, params, body))),

  route(contract.deleteShift, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteShift(params),
    });
    found('Shift', deleted);
    return noContent();
  }),
];

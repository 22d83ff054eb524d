import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './shifts.contract.ts';
import { deleteShift, listShifts } from './shifts.db.ts';
import { addShift, changeShift } from './shifts.ts';
import type { WorkCheck } from './work-check.port.ts';

interface Checks {
  workCheck: WorkCheck;
}

export const shiftRoutes = [
  route(contract.listShifts, async ({ q, actor, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = (limit: number, offset: number) =>
      listShifts(customer_id, person_id, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createShift, async ({ q, actor, params: { customer_id }, body }, { workCheck }: Checks) => {
    const { person_id, starts_at, ends_at } = body;
    const { job_id = null, title = null, site = null, status = null } = body;
    const shift = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
    return created(await addShift(q, shift, readsCustomers(actor), { check: body.check, workCheck }));
  }),

  route(contract.updateShift, async ({ q, actor, params, body }, { workCheck }: Checks) =>
    ok(await changeShift(q, params, body, readsCustomers(actor), { check: body.check, workCheck })),
  ),

  route(contract.deleteShift, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteShift(params),
    });
    found('Shift', deleted);
    return noContent();
  }),
];

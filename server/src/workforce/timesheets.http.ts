import { customerExists } from '../customers/customers.db.ts';
import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './timesheets.contract.ts';
import { listTimesheets } from './timesheets.db.ts';
import { setTimesheetStatus } from './timesheets.ts';

export const timesheetRoutes = [
  route(contract.listTimesheets, async ({ q, params: { customer_id }, query }) => {
    const { status = null, person_id = null } = query;
    const list = (limit: number, offset: number) =>
      listTimesheets(customer_id, { status, person_id }, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.updateTimesheet, async ({ q, params, body }) =>
    ok(await setTimesheetStatus(q, params, body.status)),
  ),
];

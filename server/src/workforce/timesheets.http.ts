import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './timesheets.contract.ts';
import { listTimesheets } from './timesheets.db.ts';
import { setTimesheetStatus, setTimesheetStatuses } from './timesheets.ts';

export const timesheetRoutes = [
  route(contract.listTimesheets, async ({ q, actor, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) =>
      listTimesheets({ ...query, customer_id }, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.listTenantTimesheets, async ({ q, actor, query }) => {
    const list = (limit: number, offset: number) =>
      listTimesheets(query, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list));
  }),

  route(contract.decideTimesheets, async ({ q, body }) =>
    ok(await setTimesheetStatuses(q, body.ids, body.status)),
  ),

  route(contract.updateTimesheet, async ({ q, actor, params, body }) =>
    ok(await setTimesheetStatus(q, params, body.status, readsCustomers(actor))),
  ),
];

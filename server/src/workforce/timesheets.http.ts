import { ofCustomer } from '../customers/customers.ts';
import { ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './timesheets.contract.ts';
import { listTimesheets, setTimesheetStatus } from './timesheets.ts';

export const timesheetRoutes = [
  route(contract.listTimesheets, async ({ q, params: { customer_id }, query }) => {
    const { status = null, person_id = null } = query;
    const filter = { status, person_id };
    const list = pageOf(query, (...window) => listTimesheets(q, customer_id, filter, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.updateTimesheet, async ({ q, params, body }, services: Services) =>
    ok(await setTimesheetStatus(q, params, body.status, services.clock())),
  ),
];

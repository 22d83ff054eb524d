import * as contract from '../contract/timesheets.ts';
import { ofCustomer } from '../domain/customers.ts';
import { listTimesheets, setTimesheetStatus } from '../domain/timesheets.ts';
import { ok, route } from './handler.ts';
import { page } from './page.ts';

export const timesheetRoutes = [
  route(contract.listTimesheets, async ({ q, params: { customer_id }, query }) => {
    const { status = null, person_id = null } = query;
    const filter = { status, person_id };
    const list = page(query, (...window) => listTimesheets(q, customer_id, filter, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.updateTimesheet, async ({ q, services, params, body }) =>
    ok(await setTimesheetStatus(q, params, body.status, services.clock())),
  ),
];

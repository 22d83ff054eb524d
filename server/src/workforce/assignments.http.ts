import { ofCustomer } from '../customers/customers.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './assignments.contract.ts';
import { addAssignment, listAssignments } from './assignments.ts';

export const assignmentRoutes = [
  route(contract.listAssignments, async ({ q, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = pageOf(query, (...window) => listAssignments(q, customer_id, person_id, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createAssignment, async ({ q, params: { customer_id }, body }, services: Services) => {
    const { person_id, starts_at = null, ends_at = null } = body;
    const { job_id = null, title = null, site = null, status = null } = body;
    const assignment = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
    return created(await addAssignment(q, assignment, services.clock()));
  }),
];

import * as contract from '../contract/assignments.ts';
import { addAssignment, listAssignments } from '../domain/assignments.ts';
import { ofCustomer } from '../domain/customers.ts';
import { created, ok, route } from './handler.ts';
import { page } from './page.ts';

export const assignmentRoutes = [
  route(contract.listAssignments, async ({ q, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = page(query, (...window) => listAssignments(q, customer_id, person_id, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createAssignment, async ({ q, services, params: { customer_id }, body }) => {
    const { person_id, starts_at = null, ends_at = null } = body;
    const { job_id = null, title = null, site = null, status = null } = body;
    const assignment = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
    return created(await addAssignment(q, assignment, services.clock()));
  }),
];

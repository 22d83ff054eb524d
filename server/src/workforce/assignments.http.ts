import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './assignments.contract.ts';
import { deleteAssignment, listAssignments } from './assignments.db.ts';
import { addAssignment, changeAssignment } from './assignments.ts';

export const assignmentRoutes = [
  route(contract.listAssignments, async ({ q, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = (limit: number, offset: number) => listAssignments(customer_id, person_id, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createAssignment, async ({ q, params: { customer_id }, body }) => {
    const { person_id, starts_at = null, ends_at = null } = body;
    const { job_id = null, title = null, site = null, status = null } = body;
    const assignment = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
    return created(await addAssignment(q, assignment));
  }),

  route(contract.updateAssignment, async ({ q, params, body }) =>
    ok(await changeAssignment(q, params, body)),
  ),

  route(contract.deleteAssignment, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteAssignment(params),
    });
    found('Assignment', deleted);
    return noContent();
  }),
];

import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './assignments.contract.ts';
import { deleteAssignment, listAssignments } from './assignments.db.ts';
import { addAssignment, changeAssignment } from './assignments.ts';
import type { WorkCheck } from './work-check.port.ts';

interface Checks {
  workCheck: WorkCheck;
}

export const assignmentRoutes = [
  route(contract.listAssignments, async ({ q, actor, params: { customer_id }, query }) => {
    const { person_id = null } = query;
    const list = (limit: number, offset: number) =>
      listAssignments(customer_id, person_id, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(
    contract.createAssignment,
    async ({ q, actor, params: { customer_id }, body }, { workCheck }: Checks) => {
      const { person_id, starts_at = null, ends_at = null } = body;
      const { job_id = null, title = null, site = null, status = null } = body;
      const assignment = { customer_id, person_id, starts_at, ends_at, job_id, title, site, status };
      return created(
        await addAssignment(q, assignment, readsCustomers(actor), { check: body.check, workCheck }),
      );
    },
  ),

  route(contract.updateAssignment, async ({ q, actor, params, body }, { workCheck }: Checks) =>
    ok(await changeAssignment(q, params, body, readsCustomers(actor), { check: body.check, workCheck })),
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

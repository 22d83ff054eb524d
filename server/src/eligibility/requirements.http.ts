import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './requirements.contract.ts';
import { deleteRequirement, findRequirement, listRequirements } from './requirements.db.ts';
import { replaceRequirement } from './requirements.ts';

export const requirementRoutes = [
  route(contract.listRequirements, async ({ q, actor, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) =>
      listRequirements(customer_id, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.getRequirement, async ({ q, actor, params }) => {
    const row = findRequirement(params, readsCustomers(actor));
    const { requirement } = await q.run({ customer: customerExists(params.customer_id), requirement: row });
    return ok(found('Requirement', requirement));
  }),

  route(contract.putRequirement, async ({ q, actor, params, body }) =>
    ok(await replaceRequirement(q, params, body, readsCustomers(actor))),
  ),

  route(contract.deleteRequirement, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteRequirement(params),
    });
    found('Requirement', deleted);
    return noContent();
  }),
];

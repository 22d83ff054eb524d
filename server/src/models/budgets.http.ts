import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './budgets.contract.ts';
import { deleteCustomerBudget, findCustomerBudget, listBudgets, putCustomerBudget } from './budgets.db.ts';

export const customerBudgetRoutes = [
  route(contract.getCustomerBudget, async ({ q, params }) =>
    ok(found('Customer', await q.run(findCustomerBudget(params.customer_id)))),
  ),

  route(contract.putCustomerBudget, async ({ q, params: { customer_id }, body }) => {
    const { budget } = await q.run({
      put: putCustomerBudget(customer_id, body),
      budget: findCustomerBudget(customer_id),
    });
    return ok(found('Customer', budget));
  }),

  route(contract.deleteCustomerBudget, async ({ q, params: { customer_id } }) => {
    const { isDeleted } = await q.run({
      customer: customerExists(customer_id),
      isDeleted: deleteCustomerBudget(customer_id),
    });
    found('Budget', isDeleted);
    return noContent();
  }),

  route(contract.listBudgets, async ({ q, query }) => ok(await page(q, query, listBudgets))),
];

import type { RowOf } from '../platform/db/rows.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import type { CustomerBudget, CustomerBudgetPut } from './budgets.contract.ts';

/** undefined when the customer does not exist. */
export const findCustomerBudget = (customer_id: string) =>
  sql<RowOf<typeof CustomerBudget>>`
    select trim_scale(b.monthly_cost)::text as monthly_cost, b.monthly_tokens::float8 as monthly_tokens,
           trim_scale(coalesce(s.cost, 0))::text as spent_cost, coalesce(s.tokens, 0)::float8 as spent_tokens,
           (m.begins + interval '1 month') at time zone 'UTC' as resets_at
    from customers c
    cross join (select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC') as begins) m
    left join customer_budgets b on b.customer_id = c.id
    left join llm_spending s on s.customer_id = c.id and s.month = m.begins::date
    where c.id = ${customer_id}`.first();

export const putCustomerBudget = (customer_id: string, budget: CustomerBudgetPut) =>
  sql`insert into customer_budgets as b (customer_id, tenant_id, monthly_cost, monthly_tokens)
      select id, tenant_id, ${budget.monthly_cost}::numeric, ${budget.monthly_tokens}::bigint from customers where id = ${customer_id}
      on conflict (customer_id) do update set
        monthly_cost = case when ${budget.monthly_cost !== undefined}::boolean then excluded.monthly_cost else b.monthly_cost end,
        monthly_tokens = case when ${budget.monthly_tokens !== undefined}::boolean then excluded.monthly_tokens else b.monthly_tokens end`;

export const deleteCustomerBudget = (customer_id: string) =>
  sql`delete from customer_budgets where customer_id = ${customer_id} returning customer_id`.exists();

import type { RowOf } from '../platform/db/rows.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { CustomerBudget, CustomerBudgetPut } from './budgets.contract.ts';

type BudgetRow = RowOf<typeof CustomerBudget>;

const columns =
  fragment(`trim_scale(b.monthly_cost)::text as monthly_cost, b.monthly_tokens::float8 as monthly_tokens,
  trim_scale(coalesce(s.cost, 0))::text as spent_cost, coalesce(s.tokens, 0)::float8 as spent_tokens,
  (m.begins + interval '1 month') at time zone 'UTC' as resets_at`);

/** For callers who may read customers. */
export const listBudgets = (limit: number, offset: number) =>
  sql<BudgetRow & { customer_id: string; customer_name: string; total: number }>`
    select c.id as customer_id, coalesce(nullif(c.company_name, ''), c.email) as customer_name, ${columns}, count(*) over () as total
    from customer_budgets b join customers c on c.id = b.customer_id
    cross join (select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC') as begins) m
    left join llm_spending s on s.customer_id = c.id and s.month = m.begins::date and s.instance_id is null
    order by c.created_at desc, c.id limit ${limit} offset ${offset}`;

/** undefined when the customer does not exist. */
export const findCustomerBudget = (customer_id: string) =>
  sql<BudgetRow>`
    select ${columns}
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

import { fragment, NOW, sql } from '../platform/db/sql.ts';

export interface UsageSums {
  calls: number;
  unpriced_calls: number;
  estimated_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  audio_seconds: number;
  cost: string | null;
}

interface UsageRow extends UsageSums {
  day: string;
  customer_id: string | null;
  customer_name: string | null;
  instance_id: string;
  hostname: string;
  model: string;
  recipe_id: string | null;
  recipe_name: string | null;
}

/** Calls that are summed up; null: all. */
export interface UsageFilter {
  /** Inclusive. undefined: the first and last day of this month. */
  from: string | undefined;
  to: string | undefined;
  customer_id: string | null;
  instance_id: string | null;
  /** Daily sums are of no conversation. */
  conversation_id: string | null;
}

/** Other columns are null in all rows. */
interface UsageGroups {
  day: boolean;
  customer: boolean;
  instance: boolean;
  model: boolean;
  recipe: boolean;
}

const sums = fragment(`sum(calls)::float8 as calls, sum(unpriced_calls)::float8 as unpriced_calls,
  sum(estimated_calls)::float8 as estimated_calls, sum(input_tokens)::float8 as input_tokens,
  sum(cached_input_tokens)::float8 as cached_input_tokens, sum(output_tokens)::float8 as output_tokens,
  sum(audio_seconds)::float8 as audio_seconds,
  trim_scale(sum(cost))::text as cost`);

/** Ended calls and daily sums. Requires a CTE `asked` with the days `first` and `last` and the wanted ids. */
const rows = fragment(`(
  select (at at time zone 'UTC')::date as day, c.customer_id, c.instance_id, model, recipe_id, 1 as calls,
         (cost is null)::int as unpriced_calls, estimated::int as estimated_calls,
         input_tokens, cached_input_tokens, output_tokens, audio_seconds, cost
  from llm_calls c, asked
  where status <> 'running' and at >= first::timestamp at time zone 'UTC' and at < (last + 1)::timestamp at time zone 'UTC'
    and (of_customer is null or c.customer_id = of_customer) and (of_instance is null or c.instance_id = of_instance)
    and (of_conversation is null or c.conversation_id = of_conversation)
  union all
  select day, d.customer_id, d.instance_id, model, recipe_id, calls,
         coalesce(unpriced_calls, case when cost is null then calls else 0 end), coalesce(estimated_calls, 0),
         input_tokens, cached_input_tokens, output_tokens, audio_seconds, cost
  from llm_days d, asked
  where day between first and last and of_conversation is null
    and (of_customer is null or d.customer_id = of_customer) and (of_instance is null or d.instance_id = of_instance)
  ) used`);

/**
 * @param most rows
 * @param readsCustomers shows the e-mail address of customers without a name
 */
export const listUsage = (
  { from, to, customer_id, instance_id, conversation_id }: UsageFilter,
  group: UsageGroups,
  readsCustomers: boolean,
  most: number,
) =>
  sql<UsageRow>`
    with month as (
      select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC')::date as begins
    ), asked as (
      select coalesce(${from}::date, begins) as first,
             coalesce(${to}::date, (begins + interval '1 month - 1 day')::date) as last,
             ${customer_id}::uuid as of_customer, ${instance_id}::uuid as of_instance,
             ${conversation_id}::uuid as of_conversation
      from month
    ), grouped as (
      select case when ${group.day} then to_char(day, 'YYYY-MM-DD') end as day,
             case when ${group.customer} then customer_id end as customer_id,
             case when ${group.instance} then instance_id end as instance_id,
             case when ${group.model} then model end as model,
             case when ${group.recipe} then recipe_id end as recipe_id, ${sums}
      from ${rows} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit ${most}
    )
    select g.*, i.hostname, r.name as recipe_name,
           coalesce(nullif(company_name, ''), case when ${readsCustomers}::boolean then email end) as customer_name
    from grouped g
    left join customers c on c.id = g.customer_id
    left join instances i on i.id = g.instance_id
    left join recipes r on r.id = g.recipe_id
    order by g.day, g.customer_id, g.instance_id, g.model, g.recipe_id`;

/** Without calls, the cost is 0, not null. */
export const totalUsage = ({ from, to, customer_id, instance_id, conversation_id }: UsageFilter) =>
  sql<UsageSums>`
    with month as (
      select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC')::date as begins
    ), asked as (
      select coalesce(${from}::date, begins) as first,
             coalesce(${to}::date, (begins + interval '1 month - 1 day')::date) as last,
             ${customer_id}::uuid as of_customer, ${instance_id}::uuid as of_instance,
             ${conversation_id}::uuid as of_conversation
      from month
    )
    select coalesce(calls, 0) as calls, coalesce(unpriced_calls, 0) as unpriced_calls,
           coalesce(estimated_calls, 0) as estimated_calls, coalesce(input_tokens, 0) as input_tokens,
           coalesce(cached_input_tokens, 0) as cached_input_tokens, coalesce(output_tokens, 0) as output_tokens,
           coalesce(audio_seconds, 0) as audio_seconds,
           case when calls is null then '0' else cost end as cost
    from (select ${sums} from ${rows}) s`.one();

import { fragment, NOW, sql } from '../platform/db/sql.ts';

export interface UsageSums {
  calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  audio_seconds: number;
  cost: string | null;
}

interface UsageRow extends UsageSums {
  day: string;
  customer_id: string | null;
  instance_id: string;
  model: string;
  recipe_id: string | null;
}

/** Inclusive. undefined: the first and last day of this month. */
export interface UsageDays {
  from: string | undefined;
  to: string | undefined;
}

/** Other columns are null in all rows. */
interface UsageGroups {
  day: boolean;
  customer: boolean;
  instance: boolean;
  model: boolean;
  recipe: boolean;
}

const MOST_ROWS = 10_000;

const sums = fragment(`sum(calls)::float8 as calls, sum(input_tokens)::float8 as input_tokens,
  sum(cached_input_tokens)::float8 as cached_input_tokens, sum(output_tokens)::float8 as output_tokens,
  sum(audio_seconds)::float8 as audio_seconds,
  trim_scale(sum(cost))::text as cost`);

/** Ended calls and daily sums. Requires a CTE `days` with `first` and `last`. */
const rows = fragment(`(
  select (at at time zone 'UTC')::date as day, customer_id, instance_id, model, recipe_id, 1 as calls,
         input_tokens, cached_input_tokens, output_tokens, audio_seconds, cost
  from llm_calls, days
  where status <> 'running' and at >= first::timestamp at time zone 'UTC' and at < (last + 1)::timestamp at time zone 'UTC'
  union all
  select day, customer_id, instance_id, model, recipe_id, calls, input_tokens, cached_input_tokens, output_tokens, audio_seconds,
         cost
  from llm_days, days where day between first and last) used`);

export const listUsage = ({ from, to }: UsageDays, group: UsageGroups) =>
  sql<UsageRow>`
    with month as (
      select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC')::date as begins
    ), days as (
      select coalesce(${from}::date, begins) as first,
             coalesce(${to}::date, (begins + interval '1 month - 1 day')::date) as last from month
    )
    select case when ${group.day} then to_char(day, 'YYYY-MM-DD') end as day,
           case when ${group.customer} then customer_id end as customer_id,
           case when ${group.instance} then instance_id end as instance_id,
           case when ${group.model} then model end as model,
           case when ${group.recipe} then recipe_id end as recipe_id, ${sums}
    from ${rows} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit ${MOST_ROWS}`;

/** Without calls, the cost is 0, not null. */
export const totalUsage = ({ from, to }: UsageDays) =>
  sql<UsageSums>`
    with month as (
      select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC')::date as begins
    ), days as (
      select coalesce(${from}::date, begins) as first,
             coalesce(${to}::date, (begins + interval '1 month - 1 day')::date) as last from month
    )
    select coalesce(calls, 0) as calls, coalesce(input_tokens, 0) as input_tokens,
           coalesce(cached_input_tokens, 0) as cached_input_tokens, coalesce(output_tokens, 0) as output_tokens, coalesce(audio_seconds, 0) as audio_seconds,
           case when calls is null then '0' else cost end as cost
    from (select ${sums} from ${rows}) s`.one();

import { json, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import type { CatalogueModel } from './model-choice.db.ts';

/** Tokens of one call. */
export interface TokenCounts {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** The provider told none. */
  estimated: boolean;
}

/** The budget of the policy; null is no such limit. */
interface CallBudget {
  monthly_cost: string | null;
  monthly_tokens: number | null;
  per: 'instance' | 'customer';
}

export interface NewCall {
  id: string;
  instance_id: string;
  customer_id: string;
  conversation_id: string | null;
  recipe_id: string;
  asked_model: string;
  model: string;
  provider: string;
  is_operators: boolean;
  prices: CatalogueModel['prices'] | null;
  /** Estimated. */
  input_tokens: number;
  /** The largest possible output. */
  output_tokens: number;
}

/** Why a call is not made: whose budget has no room for it, or that its model has no price. */
export type Refusal = 'instance' | 'customer' | 'tenant' | 'unpriced';

/**
 * First in a transaction: its commit does not wait for the disk, because the tenant's calls wait for each other's
 * commits. A crash of the database server may lose the last half second; a call that was reserved counts as spent then.
 */
export const COMMIT_WITHOUT_WAITING = sql`select set_config('synchronous_commit', 'off', true)`;

/** Reserves what a call may cost at most, in every budget at once (reservations.sql). */
export const reserveCall = (call: NewCall, budget: CallBudget | null) =>
  sql<{ refusal: Refusal | null }>`
    select reserve_llm_call(${json(call)}, ${json(budget)}, ${NOW}) as refusal`
    .one()
    .map(({ refusal }) => refusal);

export interface EndedCall extends TokenCounts {
  id: string;
  status: 'ok' | 'failed' | 'aborted';
  prices: CatalogueModel['prices'] | null;
  latency_ms: number;
}

/** Ends a call: what it used is spent. A call that has ended stays as it is. */
export const settleCall = (call: EndedCall, budget: CallBudget | null) =>
  sql`select settle_llm_call(${json(call)}, ${json(budget)}, ${NOW})`;

/** The job that ends lost calls. */
export const KEEP_USAGE = { kind: 'keep_usage', key: 'all' };

/** Counts calls that were reserved before then and never settled as spent. Returns their number. */
export const settleLostCalls = (before: Date, at_most: number) =>
  sql<{ settled: number }>`select settle_lost_llm_calls(${before}, ${at_most}) as settled`
    .one()
    .map(({ settled }) => settled);

/**
 * Makes daily sums of the oldest calls after 90 days, of whole days, so that a day's calls are summed up together.
 * Returns their number.
 */
export const sumUpCalls = (limit: number) =>
  sql<{ calls: number }>`
    with old as (
      delete from llm_calls where id in (
        select id from llm_calls
        where at < date_trunc('day', ${NOW}::timestamptz, 'UTC') - interval '90 days' and status <> 'running'
        order by at limit ${limit} for update skip locked)
      returning *
    ), sums as (
      insert into llm_days (tenant_id, day, instance_id, customer_id, recipe_id, model, calls, input_tokens,
                            cached_input_tokens, output_tokens, cost)
      select tenant_id, (at at time zone 'UTC')::date, instance_id, customer_id, recipe_id, model, count(*),
             sum(input_tokens), sum(cached_input_tokens), sum(output_tokens), sum(cost)
      from old group by 1, 2, 3, 4, 5, 6
    )
    select count(*)::int as calls from old`
    .one()
    .map(({ calls }) => calls);

/** Daily sums after two years. */
export const oldSums = (): Deletion =>
  expiredRows({
    table: 'llm_days',
    where: sql`day < (${NOW}::timestamptz at time zone 'UTC')::date - 731`,
    orderBy: 'day',
  });

/** Months' spending after two years. */
export const oldSpending = (): Deletion =>
  expiredRows({
    table: 'llm_spending',
    where: sql`month < (${NOW}::timestamptz at time zone 'UTC')::date - 731`,
    orderBy: 'month',
  });

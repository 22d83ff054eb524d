import { json, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import type { CatalogueModel } from './model-choice.db.ts';

export interface TokenCounts {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** The provider sent no usage. */
  estimated: boolean;
}

/** The budget of the policy; null: no limit. */
interface CallBudget {
  monthly_cost: string | null;
  monthly_tokens: number | null;
  per: 'instance' | 'customer';
}

interface NewCall {
  id: string;
  /** null for what a tenant asks for itself. */
  instance_id: string | null;
  customer_id: string | null;
  conversation_id: string | null;
  recipe_id: string | null;
  asked_model: string;
  model: string;
  provider: string;
  is_operators: boolean;
  prices: CatalogueModel['prices'] | null;
  /** Estimated. */
  input_tokens: number;
  /** The largest possible output. */
  output_tokens: number;
  /** For a recording, which is priced by its length alone. */
  audio_seconds?: number;
}

/** The exceeded budget; `unpriced`: a budget in money cannot count a model without a price. */
export type Refusal = 'instance' | 'customer' | 'tenant' | 'unpriced';

/**
 * First statement of a transaction: the commit does not wait for the disk, because calls of a tenant wait for each other's
 * commits. A crash of PostgreSQL may lose the last half second.
 */
export const COMMIT_WITHOUT_WAITING = sql`select set_config('synchronous_commit', 'off', true)`;

/**
 * A transaction that holds no lock and waits for the disk, also where the server's default is not to wait: commits before
 * it survive a crash. An empty transaction would wait for nothing, so it writes a message that nobody reads.
 */
export const WAIT_FOR_DISK = sql`
  with written as (
    select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'acp', '')
  ) select from written`;

/** Reserves the maximum cost in all budgets of the call (reservations.sql). */
export const reserveCall = (call: NewCall, budget: CallBudget | null) =>
  sql<{ refusal: Refusal | null }>`
    select reserve_llm_call(${json(call)}, ${json(budget)}, ${NOW}) as refusal`
    .one()
    .map(({ refusal }) => refusal);

interface EndedCall extends TokenCounts {
  id: string;
  status: 'ok' | 'failed' | 'aborted';
  prices: CatalogueModel['prices'] | null;
  latency_ms: number;
  audio_seconds?: number;
}

/** Replaces the reservation by the usage. Does nothing for a call that has ended. */
export const settleCall = (call: EndedCall, budget: CallBudget | null) =>
  sql`select settle_llm_call(${json(call)}, ${json(budget)}, ${NOW})`;

export const KEEP_USAGE = { kind: 'keep_usage', key: 'all' };

/** Counts calls that were reserved before this time and never settled as spent. @returns their number */
export const settleLostCalls = (before: Date, at_most: number) =>
  sql<{ settled: number }>`select settle_lost_llm_calls(${before}, ${at_most}) as settled`
    .one()
    .map(({ settled }) => settled);

/** Replaces calls that are older than 90 days by daily sums, for whole days only. @returns their number */
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
                            cached_input_tokens, output_tokens, audio_seconds, cost, unpriced_calls, estimated_calls)
      select tenant_id, (at at time zone 'UTC')::date, instance_id, customer_id, recipe_id, model, count(*),
             least(sum(input_tokens), 9223372036854775807), least(sum(cached_input_tokens), 9223372036854775807),
             least(sum(output_tokens), 9223372036854775807), sum(audio_seconds), sum(cost),
             count(*) filter (where cost is null), count(*) filter (where estimated)
      from old group by 1, 2, 3, 4, 5, 6
    )
    select count(*)::int as calls from old`
    .one()
    .map(({ calls }) => calls);

/** Deletes daily sums after two years. */
export const oldSums = (): Deletion =>
  expiredRows({
    table: 'llm_days',
    where: sql`day < (${NOW}::timestamptz at time zone 'UTC')::date - 731`,
    orderBy: 'day',
  });

/** Deletes monthly spending after two years. */
export const oldSpending = (): Deletion =>
  expiredRows({
    table: 'llm_spending',
    where: sql`month < (${NOW}::timestamptz at time zone 'UTC')::date - 731`,
    orderBy: 'month',
  });

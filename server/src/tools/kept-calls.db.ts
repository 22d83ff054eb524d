import { NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

export interface KeptCall {
  /** The idempotency key. */
  id: string;
  /** null while it is under way. */
  outcome: 'answered' | 'unknown' | null;
  sealed_result: Buffer | null;
}

interface NewCall {
  id: string;
  message_id: string;
  try_id: string;
  call_hash: string;
  host_id: string;
  timeout_seconds: number;
}

/** Until the transaction ends, so that equal calls of a message are counted one after another. */
export const lockCalls = ({ message_id, call_hash }: Pick<NewCall, 'message_id' | 'call_hash'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${message_id}::text || ${call_hash}, 0))`;

/** Far more than an agent makes for one message. */
const MOST_CALLS = 1000;

/**
 * The first equal call that this try has not made yet, or a new one where its result has room. Requires lockCalls. undefined
 * without room, and for a message that is gone.
 */
export const claimCall = ({ id, message_id, try_id, call_hash, host_id, timeout_seconds }: NewCall) =>
  sql<KeptCall>`
    with known as (
      update kept_calls set tries = tries || ${try_id}::uuid
      where message_id = ${message_id} and call_hash = ${call_hash} and ordinal = (
        select min(ordinal) from kept_calls
        where message_id = ${message_id} and call_hash = ${call_hash} and ${try_id}::uuid <> all (tries))
      returning id, outcome, sealed_result
    ), new as (
      insert into kept_calls (id, tenant_id, message_id, call_hash, ordinal, tries, host_id, ends_by)
      select ${id}, current_tenant(), m.id, ${call_hash}, (
               select count(*) from kept_calls where message_id = m.id and call_hash = ${call_hash}),
             array[${try_id}::uuid], ${host_id}, now() + ${timeout_seconds}::int * interval '1 second'
      from channel_messages m
      where m.id = ${message_id} and not exists (select from known) and has_room(current_tenant())
        and (select count(*) from kept_calls where message_id = m.id) < ${MOST_CALLS}
      returning id, outcome, sealed_result
    )
    select * from known union all select * from new`.first();

export const messageExists = (message_id: string) =>
  sql`select from channel_messages where id = ${message_id}`.exists();

/** A call that has not ended in time is unknown. undefined once it was released. */
export const findCall = (id: string) =>
  sql<KeptCall>`
    select id, case when outcome is null and ends_by < now() then 'unknown' else outcome end as outcome, sealed_result
    from kept_calls where id = ${id}`.first();

export const finishCall = (id: string, sealed_result: Buffer) =>
  sql`update kept_calls set outcome = 'answered', sealed_result = ${sealed_result} where id = ${id}`;

export const loseCall = (id: string) =>
  sql`update kept_calls set outcome = 'unknown' where id = ${id} and outcome is null`;

/** It was not made: the next try makes it. */
export const releaseCall = (id: string) => sql`delete from kept_calls where id = ${id} and outcome is null`;

/** For a tool that may be called again. False when another try makes it now. */
export const makeAgain = (
  id: string,
  { host_id, timeout_seconds }: Pick<NewCall, 'host_id' | 'timeout_seconds'>,
) =>
  sql`update kept_calls set outcome = null, host_id = ${host_id}, ends_by = now() + ${timeout_seconds}::int * interval '1 second'
      where id = ${id} and (outcome = 'unknown' or outcome is null and ends_by < now()) returning id`.exists();

/** At a host's start: it did not see how its calls ended. In the system scope. */
export const loseCallsOf = (host_id: string) =>
  sql`update kept_calls set outcome = 'unknown' where host_id = ${host_id} and outcome is null`;

/**
 * A message that was handled does not come again; its last try has the sender token for 15 minutes. Dead ones can be tried
 * again by people.
 */
export const endedCalls = (): Deletion =>
  expiredRows({
    table: 'kept_calls',
    where: sql`begun_at < ${NOW}::timestamptz - interval '24 hours'
      or begun_at < ${NOW}::timestamptz - interval '15 minutes' and not exists (
        select from channel_messages where id = kept_calls.message_id and status <> 'handled')`,
    orderBy: 'begun_at',
    everyMinutes: 5,
  });

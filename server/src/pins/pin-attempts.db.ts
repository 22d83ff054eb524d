import { NOW, sql } from '../platform/db/sql.ts';

/** A reserved attempt, and the hash that its guess is compared with. */
export interface ReservedAttempt {
  pin_id: string;
  pin_version: string;
  pin_hash: string;
  tries_id: string;
  /** Its number in the current row of attempts at the PIN, from 1. */
  nth_of_pin: number;
  /** Its number in the current row of attempts of the one who tries, from 1. */
  nth_of_own: number;
}

/** Minutes of the lock that each attempt brings, null where it brings none. */
interface LockSchedules {
  own: readonly (number | null)[];
  pin: readonly (number | null)[];
}

/**
 * Locks a PIN's row until the transaction ends. Every statement that counts or clears attempts comes after it, so that all
 * of them lock rows in one order.
 */
export const lockPin = (pin_id: string) => sql`select from pins where id = ${pin_id} for no key update`;

/** Leaves the rest of the transaction unrecorded: the request of a try has its own change to record, or is refused. */
export const unrecorded = () => sql`select set_config('app.change', '', true)`;

/**
 * Reserves an attempt before its hash is computed, so that 100 guesses at once get no more attempts than 100 in
 * sequence. The attempt that locks sets the lock here, so the lock holds even if this process dies. To be run behind
 * `lockPin`. Violates pin_tries_identity when the identity no longer exists.
 * @param identity_id who tries; null for all calls without an identity
 * @returns undefined when the PIN or the one who tries is locked or has no attempts left, or when the PIN is gone
 */
export const reserveAttempt = (pin_id: string, identity_id: string | null, locks: LockSchedules) =>
  sql<ReservedAttempt>`
    with own as (
      insert into pin_tries as t (tenant_id, customer_id, identity_id, attempts)
      select p.tenant_id, p.customer_id, ${identity_id}::uuid, 1 from pins p
      where p.id = ${pin_id} and p.attempts < cardinality(${locks.pin}::int[])
        and (p.locked_until is null or p.locked_until <= ${NOW})
      on conflict on constraint pin_tries_who do update set
        attempts = t.attempts + 1,
        locked_until = ${NOW}::timestamptz + make_interval(mins => (${locks.own}::int[])[t.attempts + 1])
      where t.attempts < cardinality(${locks.own}::int[]) and (t.locked_until is null or t.locked_until <= ${NOW})
      returning t.id, t.attempts
    )
    update pins p set
      attempts = p.attempts + 1,
      locked_until = ${NOW}::timestamptz + make_interval(mins => (${locks.pin}::int[])[p.attempts + 1])
    from own where p.id = ${pin_id}
    returning p.id as pin_id, p.version as pin_version, p.pin_hash, own.id as tries_id,
              p.attempts as nth_of_pin, own.attempts as nth_of_own`.first();

/**
 * Returns an attempt whose guess was never compared, and lifts the locks that this or a later attempt brought. A PIN that
 * was replaced since, or tries that were cleared, keep what they have. To be run behind `lockPin`.
 */
export const returnAttempt = ({ pin_id, pin_version, tries_id }: ReservedAttempt) =>
  sql`with of_pin as (
        update pins set attempts = attempts - 1, locked_until = null
        where id = ${pin_id} and version = ${pin_version} and attempts > 0
      )
      update pin_tries set attempts = attempts - 1, locked_until = null where id = ${tries_id} and attempts > 0`;

/**
 * The effect of a right PIN: attempts and lock of the PIN and of the one who tried are cleared. False, and nothing is done,
 * when the PIN was changed or removed since the attempt was reserved. To be run behind `lockPin`.
 */
export const clearAttempts = ({ pin_id, pin_version, tries_id }: ReservedAttempt) =>
  sql`with cleared as (
        update pins set attempts = 0, locked_until = null where id = ${pin_id} and version = ${pin_version}
        returning id
      ), forgotten as (
        delete from pin_tries where id = ${tries_id} and exists (select from cleared)
      )
      select id from cleared`.exists();

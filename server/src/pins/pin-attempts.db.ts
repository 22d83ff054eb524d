import { NOW, sql } from '../platform/db/sql.ts';

export interface ReservedAttempt {
  pin_id: string;
  pin_version: string;
  pin_hash: string;
  tries_id: string;
  /** From 1, in the current series of all callers. */
  nth_of_pin: number;
  /** From 1, in the caller's current series. */
  nth_of_own: number;
}

/** Minutes of lock after each attempt; null for none. */
interface LockSchedules {
  own: readonly (number | null)[];
  pin: readonly (number | null)[];
}

/** Precedes every statement that counts or clears attempts, so all lock rows in one order. */
export const lockPin = (pin_id: string) => sql`select from pins where id = ${pin_id} for no key update`;

/** Keeps a guess out of the audit log: the request records its own change, or is refused. */
export const unrecorded = () => sql`select set_config('app.change', '', true)`;

/**
 * Runs before hashing, so 100 concurrent guesses get no more attempts than 100 in sequence. Sets the lock at once, so
 * it survives this process. Needs `lockPin` before; violates pin_tries_identity when the identity is gone.
 * @param identity_id null for all calls without an identity
 * @returns undefined when the PIN is gone, or PIN or caller may not try
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
 * For a guess that was never compared; lifts the locks of this or a later attempt. No effect on a replaced PIN or
 * cleared attempts. Needs `lockPin` before.
 */
export const returnAttempt = ({ pin_id, pin_version, tries_id }: ReservedAttempt) =>
  sql`with of_pin as (
        update pins set attempts = attempts - 1, locked_until = null
        where id = ${pin_id} and version = ${pin_version} and attempts > 0
      )
      update pin_tries set attempts = attempts - 1, locked_until = null where id = ${tries_id} and attempts > 0`;

/** False when the PIN was changed or removed since the reservation. Needs `lockPin` before. */
export const clearAttempts = ({ pin_id, pin_version, tries_id }: ReservedAttempt) =>
  sql`with cleared as (
        update pins set attempts = 0, locked_until = null where id = ${pin_id} and version = ${pin_version}
        returning id
      ), forgotten as (
        delete from pin_tries where id = ${tries_id} and exists (select from cleared)
      )
      select id from cleared`.exists();

import { NOW, sql } from '../platform/db/sql.ts';

/** A reserved attempt, and the hash that its guess is compared with. */
export interface ReservedAttempt {
  pin_id: string;
  pin_version: string;
  pin_hash: string;
  /** Its number in the current row of attempts, from 1. */
  nth: number;
}

/**
 * Reserves an attempt before its hash is computed, so that 100 guesses at once get no more attempts than 100 in
 * sequence. The attempt that locks sets the lock here, so the lock holds even if this process dies.
 * @param lock_schedule minutes of the lock that each attempt brings, null where it brings none
 * @returns undefined when the PIN is locked, inactive or gone
 */
export const reserveAttempt = (pin_id: string, lock_schedule: readonly (number | null)[]) =>
  sql<ReservedAttempt>`
    update pins set
      attempts = attempts + 1,
      locked_until = ${NOW}::timestamptz + make_interval(mins => (${lock_schedule}::int[])[attempts + 1])
    where id = ${pin_id} and attempts < cardinality(${lock_schedule}::int[])
      and (locked_until is null or locked_until <= ${NOW})
    returning id as pin_id, version as pin_version, pin_hash, attempts as nth`.first();

/** Returns an attempt whose guess was never compared, and lifts the lock that this or a later attempt brought. */
export const returnAttempt = ({ pin_id, pin_version }: ReservedAttempt) =>
  sql`update pins set attempts = attempts - 1, locked_until = null
      where id = ${pin_id} and version = ${pin_version} and attempts > 0`;

export interface NewPinSession {
  token_hash: Buffer;
  instance_id: string;
  identity_id: string | null;
  ttl_minutes: number;
}

/**
 * The effect of a right PIN, in one statement: attempts and lock are cleared, and a session begins. False, and nothing
 * is done, when the PIN was changed or removed since the attempt was reserved.
 */
export const beginPinSession = ({ pin_id, pin_version }: ReservedAttempt, session: NewPinSession) =>
  sql`with cleared as (
        update pins set attempts = 0, locked_until = null where id = ${pin_id} and version = ${pin_version}
        returning tenant_id, id, version
      ), ended as (
        delete from pin_sessions s using cleared c
        where s.pin_id = c.id and (s.expires_at <= ${NOW} or s.pin_version <> c.version)
      )
      insert into pin_sessions (token_hash, tenant_id, instance_id, identity_id, pin_id, pin_version, expires_at)
      select ${session.token_hash}, tenant_id, ${session.instance_id}, ${session.identity_id}::uuid, id, version,
             ${NOW}::timestamptz + make_interval(mins => ${session.ttl_minutes})
      from cleared returning expires_at`.exists();

/**
 * A valid session of the instance. A session is invalid once it has expired, its PIN was replaced, or its identity got a
 * PIN of its own in place of the customer's.
 */
export const findPinSession = (session: { token_hash: Buffer; instance_id: string }) =>
  sql<{ expires_at: Date }>`
    select s.expires_at from pin_sessions s join pins p on p.id = s.pin_id and p.version = s.pin_version
    where s.token_hash = ${session.token_hash} and s.instance_id = ${session.instance_id}
      and s.expires_at > ${NOW}
      and not exists (
        select from pins own
        where own.tenant_id = p.tenant_id and own.customer_id = p.customer_id
          and own.identity_id = s.identity_id and own.id <> p.id
      )`.first();

import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';

/** An attempt that was reserved, and what its guess is to be compared with. */
export interface ReservedAttempt {
  pin_id: string;
  pin_version: string;
  pin_hash: string;
  /** Which one in a row it is, from 1. */
  nth: number;
}

/**
 * Reserves an attempt, before its hash is computed: of a hundred guesses at once as many get through as one after the
 * other would. The attempt that locks does so here, so the lock comes even when this process does not live to tell.
 * `lock_schedule` has the minutes of the lock of each attempt that there is, null where it does not lock.
 * @returns undefined when the PIN is locked, has no attempt left, or is gone
 */
export async function reserveAttempt(
  q: Queryable,
  pin_id: string,
  lock_schedule: readonly (number | null)[],
  now: Date,
): Promise<ReservedAttempt | undefined> {
  const [row] = await q.rows(
    sql<ReservedAttempt>`
      update pins set
        attempts = attempts + 1,
        locked_until = ${now}::timestamptz + make_interval(mins => (${lock_schedule}::int[])[attempts + 1])
      where id = ${pin_id} and attempts < cardinality(${lock_schedule}::int[])
        and (locked_until is null or locked_until <= ${now})
      returning id as pin_id, version as pin_version, pin_hash, attempts as nth`,
  );
  return row;
}

/** Gives an attempt back whose guess was not looked at, and takes back the lock that it or a later one brought. */
export const returnAttempt = (q: Queryable, { pin_id, pin_version }: ReservedAttempt) =>
  q.rows(
    sql`update pins set attempts = attempts - 1, locked_until = null
        where id = ${pin_id} and version = ${pin_version} and attempts > 0`,
  );

export interface NewPinSession {
  token_hash: Buffer;
  instance_id: string;
  identity_id: string | null;
  ttl_minutes: number;
}

/**
 * What a right PIN does, in one statement: attempts and lock are forgotten, and a session begins.
 * @returns false when the PIN has been changed or removed since the attempt was reserved; nothing is done then
 */
export async function beginPinSession(
  q: Queryable,
  { pin_id, pin_version }: ReservedAttempt,
  session: NewPinSession,
  now: Date,
): Promise<boolean> {
  const rows = await q.rows(
    sql`with cleared as (
          update pins set attempts = 0, locked_until = null where id = ${pin_id} and version = ${pin_version}
          returning tenant_id, id, version
        ), ended as (
          delete from pin_sessions s using cleared c
          where s.pin_id = c.id and (s.expires_at <= ${now} or s.pin_version <> c.version)
        )
        insert into pin_sessions (token_hash, tenant_id, instance_id, identity_id, pin_id, pin_version, expires_at)
        select ${session.token_hash}, tenant_id, ${session.instance_id}, ${session.identity_id}::uuid, id, version,
               ${now}::timestamptz + make_interval(mins => ${session.ttl_minutes})
        from cleared returning expires_at`,
  );
  return rows.length > 0;
}

/**
 * When a session of the instance ends; undefined when it has, or when its PIN is no longer the same, or no longer the one
 * that counts: its identity has one of its own since.
 */
export async function findPinSession(
  q: Queryable,
  session: { token_hash: Buffer; instance_id: string },
  now: Date,
): Promise<{ expires_at: Date } | undefined> {
  const [row] = await q.rows(
    sql<{ expires_at: Date }>`
      select s.expires_at from pin_sessions s join pins p on p.id = s.pin_id and p.version = s.pin_version
      where s.token_hash = ${session.token_hash} and s.instance_id = ${session.instance_id}
        and s.expires_at > ${now}
        and not exists (
          select from pins own
          where own.tenant_id = p.tenant_id and own.customer_id = p.customer_id
            and own.identity_id = s.identity_id and own.id <> p.id
        )`,
  );
  return row;
}

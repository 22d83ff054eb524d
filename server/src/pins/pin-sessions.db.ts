import { NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

interface NewPinSession {
  token_hash: Buffer;
  instance_id: string;
  identity_id: string | null;
  /** A skill or tool; null for all. */
  purpose: string | null;
  ttl_minutes: number;
}

export interface PinSessionRow {
  expires_at: Date;
  /** The PIN that was right. */
  pin_id: string;
  customer_id: string;
  identity_id: string | null;
  purpose: string | null;
}

interface PinVersion {
  pin_id: string;
  pin_version: string;
}

/** Also deletes the PIN's ended sessions. Does nothing when the PIN was changed or removed. */
export const insertPinSession = ({ pin_id, pin_version }: PinVersion, session: NewPinSession) =>
  sql`with pin as (
        select tenant_id, id, version from pins where id = ${pin_id} and version = ${pin_version}
      ), ended as (
        delete from pin_sessions s using pin
        where s.pin_id = pin.id and (s.expires_at <= ${NOW} or s.pin_version <> pin.version)
      )
      insert into pin_sessions
        (token_hash, tenant_id, instance_id, identity_id, pin_id, pin_version, purpose, expires_at)
      select ${session.token_hash}, tenant_id, ${session.instance_id}, ${session.identity_id}::uuid, id, version,
             ${session.purpose}, ${NOW}::timestamptz + make_interval(mins => ${session.ttl_minutes})
      from pin`;

/** Invalid once it has expired, its PIN was replaced, or its identity got a PIN of its own. */
export const findPinSession = (session: { token_hash: Buffer; instance_id: string }) =>
  sql<PinSessionRow>`
    select s.expires_at, s.pin_id, p.customer_id, s.identity_id, s.purpose
    from pin_sessions s join pins p on p.id = s.pin_id and p.version = s.pin_version
    where s.token_hash = ${session.token_hash} and s.instance_id = ${session.instance_id}
      and s.expires_at > ${NOW}
      and not exists (
        select from pins own
        where own.tenant_id = p.tenant_id and own.customer_id = p.customer_id
          and own.identity_id = s.identity_id and own.id <> p.id
      )`.first();

/** Sessions some time after their end. */
export const endedPinSessions = (days: number): Deletion =>
  expiredRows({
    table: 'pin_sessions',
    where: sql`expires_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'`,
    orderBy: 'expires_at',
    skipsLocked: false,
  });

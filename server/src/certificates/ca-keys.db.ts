import type { Queryable, Tx } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

/** A key of the certificate authority with its certificate. The one of its kind without `retired_at` is at work. */
export interface CaKeyRow {
  id: string;
  kind: 'root' | 'issuing';
  /** The certificate; of an issuing one, also what stands between it and its root. */
  cert_pem: string;
  cert_sha256: Buffer;
  serial: string;
  /** Sealed under the wrapping key; null of a root that is kept elsewhere. */
  sealed_private_key: Buffer | null;
  issued_by: string | null;
  not_before: Date;
  not_after: Date;
  retired_at: Date | null;
}

export type NewCaKey = Omit<CaKeyRow, 'retired_at'>;

const columns = fragment(
  'id, kind, cert_pem, cert_sha256, serial, sealed_private_key, issued_by, not_before, not_after, retired_at',
);
const newColumns = fragment(
  'id, kind, cert_pem, cert_sha256, serial, sealed_private_key, issued_by, not_before, not_after',
);

/** Every key (in the system scope, as all of these): issuing ones, then roots, of each kind the one at work first. */
export const listCaKeys = (q: Queryable) =>
  q.rows(
    sql<CaKeyRow>`
      select ${columns} from ca_keys order by kind, retired_at desc nulls first, created_at desc, id`,
  );

/** Waits until no other transaction changes which keys are at work, and keeps the others waiting until this one's end. */
export const lockCaKeys = (tx: Tx) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('ca_keys', 0))`);

/** Puts a key to work where none of its kind is. */
export const insertCaKey = (q: Queryable, key: NewCaKey) =>
  q.rows(
    sql`insert into ca_keys (${newColumns})
        values (${key.id}, ${key.kind}, ${key.cert_pem}, ${key.cert_sha256}, ${key.serial}, ${key.sealed_private_key},
                ${key.issued_by}, ${key.not_before}, ${key.not_after})`,
  );

/** Puts a key to work in place of `old_id`. @returns false, and does nothing, when that one is no longer at work. */
export async function replaceCaKey(q: Queryable, old_id: string, key: NewCaKey, now: Date): Promise<boolean> {
  const rows = await q.rows(
    sql`with retired as (
          update ca_keys set retired_at = ${now} where id = ${old_id} and retired_at is null returning kind
        )
        insert into ca_keys (${newColumns})
        select ${key.id}::uuid, kind, ${key.cert_pem}::text, ${key.cert_sha256}::bytea, ${key.serial}::text,
               ${key.sealed_private_key}::bytea, ${key.issued_by}::uuid, ${key.not_before}::timestamptz,
               ${key.not_after}::timestamptz
        from retired returning id`,
  );
  return rows.length > 0;
}

/**
 * Puts a key to work whichever is at work now; one with the same certificate is put back to work instead.
 * @returns the id that the key has
 */
export async function adoptCaKey(q: Queryable, key: NewCaKey, now: Date): Promise<string> {
  const [, [row]] = await Promise.all([
    q.rows(
      sql`update ca_keys set retired_at = ${now}
          where kind = ${key.kind} and retired_at is null and cert_sha256 <> ${key.cert_sha256}`,
    ),
    q.rows(
      sql<{ id: string }>`
        insert into ca_keys (${newColumns})
        values (${key.id}, ${key.kind}, ${key.cert_pem}, ${key.cert_sha256}, ${key.serial}, ${key.sealed_private_key},
                ${key.issued_by}, ${key.not_before}, ${key.not_after})
        on conflict (kind, cert_sha256) do update set retired_at = null returning id`,
    ),
  ]);
  return (row as { id: string }).id;
}

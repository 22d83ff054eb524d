import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { WrappedRow } from '../secrets/master-keys.db.ts';

/** The active key of each kind is the one without `retired_at`. */
export interface CaKeyRow {
  id: string;
  kind: 'root' | 'issuing';
  /** For an issuing key, followed by the certificates between it and the root. */
  cert_pem: string;
  cert_sha256: Buffer;
  serial: string;
  /** Wrapped by the master key; null for a root whose key is kept elsewhere. */
  sealed_private_key: Buffer | null;
  issued_by: string | null;
  not_before: Date;
  not_after: Date;
  retired_at: Date | null;
}

export type NewCaKey = Omit<CaKeyRow, 'retired_at'>;

const newColumns = fragment(
  'id, kind, cert_pem, cert_sha256, serial, sealed_private_key, issued_by, not_before, not_after',
);
const columns = fragment(`${newColumns.text}, retired_at`);

/** Issuing keys, then roots; active keys first. The statements of this file run in the system scope. */
export const listCaKeys = () =>
  sql<CaKeyRow>`
    select ${columns} from ca_keys order by kind, retired_at desc nulls first, created_at desc, id`;

/** Serialises changes of the active keys until the transaction ends. */
export const lockCaKeys = () => sql`select pg_advisory_xact_lock(hashtextextended('ca_keys', 0))`;

export const insertCaKey = (key: NewCaKey) =>
  sql`insert into ca_keys (${newColumns})
      values (${key.id}, ${key.kind}, ${key.cert_pem}, ${key.cert_sha256}, ${key.serial}, ${key.sealed_private_key},
              ${key.issued_by}, ${key.not_before}, ${key.not_after})`;

/** False when the old key is no longer active. */
export const replaceCaKey = (old_id: string, key: NewCaKey) =>
  sql`with retired as (
        update ca_keys set retired_at = ${NOW} where id = ${old_id} and retired_at is null returning kind
      )
      insert into ca_keys (${newColumns})
      select ${key.id}::uuid, kind, ${key.cert_pem}::text, ${key.cert_sha256}::bytea, ${key.serial}::text,
             ${key.sealed_private_key}::bytea, ${key.issued_by}::uuid, ${key.not_before}::timestamptz,
             ${key.not_after}::timestamptz
      from retired returning id`.exists();

export const retireOtherCaKey = ({ kind, cert_sha256 }: NewCaKey) =>
  sql`update ca_keys set retired_at = ${NOW}
      where kind = ${kind} and retired_at is null and cert_sha256 <> ${cert_sha256}`;

/** Activates a key, or the existing key with the same certificate. Returns its id. */
export const adoptCaKey = (key: NewCaKey) =>
  sql<{ id: string }>`
    insert into ca_keys (${newColumns})
    values (${key.id}, ${key.kind}, ${key.cert_pem}, ${key.cert_sha256}, ${key.serial}, ${key.sealed_private_key},
            ${key.issued_by}, ${key.not_before}, ${key.not_after})
    on conflict (kind, cert_sha256) do update set retired_at = null returning id`
    .one()
    .map(({ id }) => id);

/** False when the key has changed since it was read. In the system scope. */
export const replaceCaPrivateKey = (row: WrappedRow, wrapped: Buffer) =>
  sql`update ca_keys set sealed_private_key = ${wrapped}
      where id = ${row.id} and sealed_private_key = ${row.wrapped} returning id`.exists();

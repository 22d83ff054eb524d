import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';
import type { CertificateRow } from './certificates.db.ts';
import { certificateColumns } from './certificates.db.ts';

export interface EnrollmentTokenRow {
  tenant_id: string;
  instance_id: string;
  used_at: Date | null;
}

/** Adds a token; the instance's that have run out go. The instance is held before them, as who ends it does. */
export const insertEnrollmentToken = (
  q: Queryable,
  token: { instance_id: string; token_hash: Buffer; now: Date; expires_at: Date },
) =>
  q.rows(
    sql`with held as (
          select tenant_id, id from instances where id = ${token.instance_id} for key share
        ), expired as (
          delete from enrollment_tokens where instance_id = (select id from held) and expires_at <= ${token.now}
        )
        insert into enrollment_tokens (tenant_id, instance_id, token_hash, created_at, expires_at)
        select tenant_id, id, ${token.token_hash}::bytea, ${token.now}::timestamptz, ${token.expires_at}::timestamptz
        from held`,
  );

/** Whose a token is that has not run out, used or not. (In the system scope: whose ever it is.) */
export async function findEnrollmentToken(
  q: Queryable,
  token_hash: Buffer,
  now: Date,
): Promise<EnrollmentTokenRow | undefined> {
  const [row] = await q.rows(
    sql<EnrollmentTokenRow>`
      select tenant_id, instance_id, used_at from enrollment_tokens
      where token_hash = ${token_hash} and expires_at > ${now}`,
  );
  return row;
}

/**
 * Spends an instance's token for a certificate, which has to be inserted in the same transaction.
 * @returns false when it was spent already, ran out, or is another instance's
 */
export async function spendEnrollmentToken(
  q: Queryable,
  spent: { token_hash: Buffer; instance_id: string; certificate_serial: string; now: Date },
): Promise<boolean> {
  const rows = await q.rows(
    sql`update enrollment_tokens set used_at = ${spent.now}, certificate_serial = ${spent.certificate_serial}
        where token_hash = ${spent.token_hash} and instance_id = ${spent.instance_id} and used_at is null
          and expires_at > ${spent.now}
        returning token_hash`,
  );
  return rows.length > 0;
}

/** What a token was spent for by the same two keys, while it has not run out and nobody has used the certificate. */
export async function findEnrolledCertificate(
  q: Queryable,
  asked: {
    token_hash: Buffer;
    instance_id: string;
    public_key_sha256: Buffer;
    wg_public_key: string;
    now: Date;
  },
): Promise<CertificateRow | undefined> {
  const [row] = await q.rows(
    sql<CertificateRow>`
      select ${certificateColumns} from certificates
      where serial = (
          select certificate_serial from enrollment_tokens
          where token_hash = ${asked.token_hash} and instance_id = ${asked.instance_id} and expires_at > ${asked.now})
        and public_key_sha256 = ${asked.public_key_sha256} and revoked_at is null and first_used_at is null
        and exists (
          select from instances where id = ${asked.instance_id} and wg_public_key = ${asked.wg_public_key})`,
  );
  return row;
}

export const deleteEnrollmentTokens = (q: Queryable, instance_id: string) =>
  q.rows(sql`delete from enrollment_tokens where instance_id = ${instance_id}`);

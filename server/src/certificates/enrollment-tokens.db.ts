import { NOW, sql } from '../platform/db/sql.ts';
import { type CertificateRow, certificateColumns } from './certificates.db.ts';

/** Also deletes expired tokens. Locks the instance first, as termination does, to avoid a deadlock. */
export const insertEnrollmentToken = (token: { instance_id: string; token_hash: Buffer; expires_at: Date }) =>
  sql`with held as (
        select tenant_id, id from instances where id = ${token.instance_id} for key share
      ), expired as (
        delete from enrollment_tokens where instance_id = (select id from held) and expires_at <= ${NOW}
      )
      insert into enrollment_tokens (tenant_id, instance_id, token_hash, created_at, expires_at)
      select tenant_id, id, ${token.token_hash}::bytea, ${NOW}::timestamptz, ${token.expires_at}::timestamptz
      from held`;

/** Unexpired, used or not. In the system scope. */
export const findEnrollmentToken = (token_hash: Buffer) =>
  sql<{ tenant_id: string; instance_id: string; used_at: Date | null }>`
    select tenant_id, instance_id, used_at from enrollment_tokens
    where token_hash = ${token_hash} and expires_at > ${NOW}
      and exists (select from tenants t where t.id = tenant_id and t.is_active)`.first();

/** False for a spent, expired or foreign token. The same transaction has to insert the certificate. */
export const spendEnrollmentToken = (spent: {
  token_hash: Buffer;
  instance_id: string;
  certificate_serial: string;
}) =>
  sql`update enrollment_tokens set used_at = ${NOW}, certificate_serial = ${spent.certificate_serial}
      where token_hash = ${spent.token_hash} and instance_id = ${spent.instance_id} and used_at is null
        and expires_at > ${NOW}
      returning token_hash`.exists();

/** For the same two keys, until it has been used or the token expires. */
export const findEnrolledCertificate = (enrolled: {
  token_hash: Buffer;
  instance_id: string;
  public_key_sha256: Buffer;
  wg_public_key: string;
}) =>
  sql<CertificateRow>`
    select ${certificateColumns} from certificates
    where serial = (
        select certificate_serial from enrollment_tokens
        where token_hash = ${enrolled.token_hash} and instance_id = ${enrolled.instance_id} and expires_at > ${NOW})
      and public_key_sha256 = ${enrolled.public_key_sha256} and revoked_at is null and first_used_at is null
      and exists (
        select from instances where id = ${enrolled.instance_id} and wg_public_key = ${enrolled.wg_public_key})`.first();

export const deleteEnrollmentTokens = (instance_id: string) =>
  sql`delete from enrollment_tokens where instance_id = ${instance_id}`;

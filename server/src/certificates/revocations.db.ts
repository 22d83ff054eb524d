import { NOW, sql } from '../platform/db/sql.ts';
import { type NewCertificate, newCertificateColumns } from './certificates.db.ts';
import type { RevocationReason } from './x509.port.ts';

export const revokeCertificatesOf = (instance_id: string, reason: RevocationReason) =>
  sql`update certificates set revoked_at = ${NOW}, revocation_reason = ${reason}
      where instance_id = ${instance_id} and revoked_at is null`;

/**
 * Also records a use. False when the certificate is revoked or the instance does not run. The lock excludes the
 * instance's end, an enrollment and another renewal.
 */
export const replaceCertificate = (serial: string, by: NewCertificate) =>
  sql`with running as (
        select id from instances where id = ${by.instance_id} and status = 'running' for no key update
      ), superseded as (
        update certificates set revoked_at = ${by.issued_at}, revocation_reason = 'superseded',
               replaced_by = ${by.serial}, first_used_at = coalesce(first_used_at, ${by.issued_at})
        where serial = ${serial} and instance_id = (select id from running) and revoked_at is null
        returning tenant_id, instance_id
      )
      insert into certificates (${newCertificateColumns})
      select ${by.serial}, tenant_id, instance_id, ${by.issuer_id}::uuid, ${by.cert_pem}, ${by.public_key_sha256}::bytea,
             ${by.spiffe_id}, ${by.not_before}::timestamptz, ${by.not_after}::timestamptz, ${by.issued_at}::timestamptz
      from superseded returning serial`.exists();

/** Those that expire after `since`. In the system scope. */
export const listRevoked = (issuer_id: string, since: Date) =>
  sql<{ serial: string; revoked_at: Date; reason: RevocationReason }>`
    select serial, revoked_at, revocation_reason as reason from certificates
    where issuer_id = ${issuer_id} and revoked_at is not null and not_after > ${since} order by serial`;

import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { RevocationReason } from './x509.port.ts';

export interface CertificateRow {
  /** 32 lower-case hexadecimal digits. */
  serial: string;
  tenant_id: string;
  instance_id: string;
  issuer_id: string;
  cert_pem: string;
  /** Hash of SubjectPublicKeyInfo. */
  public_key_sha256: Buffer;
  spiffe_id: string;
  not_before: Date;
  not_after: Date;
  issued_at: Date;
  revoked_at: Date | null;
  revocation_reason: RevocationReason | null;
  replaced_by: string | null;
  first_used_at: Date | null;
}

export type NewCertificate = Omit<
  CertificateRow,
  'revoked_at' | 'revocation_reason' | 'replaced_by' | 'first_used_at'
>;

export const newCertificateColumns = fragment(
  'serial, tenant_id, instance_id, issuer_id, cert_pem, public_key_sha256, spiffe_id, not_before, not_after, issued_at',
);
export const certificateColumns = fragment(
  `${newCertificateColumns.text}, revoked_at, revocation_reason, replaced_by, first_used_at`,
);

/** Violates `certificates_current` while the instance has an unrevoked certificate. */
export const insertCertificate = (certificate: NewCertificate) =>
  sql`insert into certificates (${newCertificateColumns})
      values (${certificate.serial}, ${certificate.tenant_id}, ${certificate.instance_id}, ${certificate.issuer_id},
              ${certificate.cert_pem}, ${certificate.public_key_sha256}, ${certificate.spiffe_id},
              ${certificate.not_before}, ${certificate.not_after}, ${certificate.issued_at})`;

export const findCertificate = (serial: string) =>
  sql<CertificateRow>`select ${certificateColumns} from certificates where serial = ${serial}`.first();

/**
 * A certificate that a runtime may be called with: not revoked, or replaced by one that was not used yet, since the runtime
 * may have missed the answer to its renewal. In the system scope.
 */
export const findCertificateInUse = (serial: string, instance_id: string) =>
  sql<CertificateRow>`
    select ${certificateColumns} from certificates c
    where serial = ${serial} and instance_id = ${instance_id} and not_after > ${NOW}
      and (revoked_at is null or exists (
        select from certificates next
        where next.serial = c.replaced_by and next.revoked_at is null and next.first_used_at is null))`.first();

/** The unused certificate that replaced `serial` after `since`, if it has the same key. */
export const findUnusedSuccessor = (serial: string, public_key_sha256: Buffer, since: Date) =>
  sql<CertificateRow>`
    select ${certificateColumns} from certificates
    where serial = (select replaced_by from certificates where serial = ${serial} and revoked_at > ${since})
      and public_key_sha256 = ${public_key_sha256} and revoked_at is null and first_used_at is null`.first();

/** Times in the future, left by a clock that was set back, do not count. */
export const findLastRenewal = (instance_id: string) =>
  sql<{ revoked_at: Date }>`
    select revoked_at from certificates
    where instance_id = ${instance_id} and replaced_by is not null and revoked_at <= ${NOW}
    order by revoked_at desc limit 1`
    .first()
    .map((row) => row?.revoked_at);

export const markUsed = (serial: string) =>
  sql`update certificates set first_used_at = ${NOW} where serial = ${serial} and first_used_at is null`;

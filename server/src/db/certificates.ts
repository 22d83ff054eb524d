import type { Queryable } from './database.ts';
import { fragment, sql } from './sql.ts';

/** Why a certificate was revoked (of the reasons of RFC 5280, section 5.3.1, those that can be ours). */
export type RevocationReason = 'unspecified' | 'key_compromise' | 'superseded' | 'cessation_of_operation';

/** A certificate of the inventory. */
export interface CertificateRow {
  /** 32 lower-case hexadecimal digits. */
  serial: string;
  tenant_id: string;
  instance_id: string;
  /** The key of `ca_keys` that signed it. */
  issuer_id: string;
  cert_pem: string;
  /** SHA-256 of the key's SubjectPublicKeyInfo. */
  public_key_sha256: Buffer;
  spiffe_id: string;
  not_before: Date;
  not_after: Date;
  issued_at: Date;
  revoked_at: Date | null;
  revocation_reason: RevocationReason | null;
  /** The serial of the certificate that took its place. */
  replaced_by: string | null;
  first_used_at: Date | null;
}

export type NewCertificate = Omit<
  CertificateRow,
  'revoked_at' | 'revocation_reason' | 'replaced_by' | 'first_used_at'
>;

const columns = fragment(
  `serial, tenant_id, instance_id, issuer_id, cert_pem, public_key_sha256, spiffe_id, not_before, not_after, issued_at,
   revoked_at, revocation_reason, replaced_by, first_used_at`,
);

/** Fails on the constraint `certificates_current` while the instance has one that is not revoked. */
export const insertCertificate = (q: Queryable, certificate: NewCertificate) =>
  q.rows(
    sql`insert into certificates (serial, tenant_id, instance_id, issuer_id, cert_pem, public_key_sha256, spiffe_id,
                                  not_before, not_after, issued_at)
        values (${certificate.serial}, ${certificate.tenant_id}, ${certificate.instance_id}, ${certificate.issuer_id},
                ${certificate.cert_pem}, ${certificate.public_key_sha256}, ${certificate.spiffe_id},
                ${certificate.not_before}, ${certificate.not_after}, ${certificate.issued_at})`,
  );

/** The instance's one that is not revoked; it may have expired. */
export async function findCurrentCertificate(
  q: Queryable,
  instance_id: string,
): Promise<CertificateRow | undefined> {
  const [row] = await q.rows(
    sql<CertificateRow>`
      select ${columns} from certificates where instance_id = ${instance_id} and revoked_at is null`,
  );
  return row;
}

/** Whatever its state. In the system scope: whose ever it is. */
export async function findCertificate(q: Queryable, serial: string): Promise<CertificateRow | undefined> {
  const [row] = await q.rows(
    sql<CertificateRow>`select ${columns} from certificates where serial = ${serial}`,
  );
  return row;
}

/** @returns false when there is none with that serial that is not revoked */
export async function revokeCertificate(
  q: Queryable,
  serial: string,
  reason: RevocationReason,
  now: Date,
): Promise<boolean> {
  const rows = await q.rows(
    sql`update certificates set revoked_at = ${now}, revocation_reason = ${reason}
        where serial = ${serial} and revoked_at is null returning serial`,
  );
  return rows.length > 0;
}

/**
 * Revokes a certificate in favour of another, which has to be inserted in the same transaction, after this.
 * @returns false when it was revoked already: another renewal was first
 */
export async function supersedeCertificate(
  q: Queryable,
  serial: string,
  replaced_by: string,
  now: Date,
): Promise<boolean> {
  const rows = await q.rows(
    sql`update certificates set revoked_at = ${now}, revocation_reason = 'superseded', replaced_by = ${replaced_by}
        where serial = ${serial} and revoked_at is null returning serial`,
  );
  return rows.length > 0;
}

/** What one issuer's revocation list says (in the system scope): the revoked ones that run out after `since`. */
export const listRevoked = (q: Queryable, issuer_id: string, since: Date) =>
  q.rows(
    sql<{ serial: string; revoked_at: Date; reason: RevocationReason }>`
      select serial, revoked_at, revocation_reason as reason from certificates
      where issuer_id = ${issuer_id} and revoked_at is not null and not_after > ${since} order by serial`,
  );

/** Notes the first use; later ones change nothing. */
export const markUsed = (q: Queryable, serial: string, now: Date) =>
  q.rows(
    sql`update certificates set first_used_at = ${now} where serial = ${serial} and first_used_at is null`,
  );

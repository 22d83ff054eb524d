import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { RevocationReason } from './x509.port.ts';

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

export const certificateColumns = fragment(
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

/** Whatever its state. In the system scope: whose ever it is. */
export async function findCertificate(q: Queryable, serial: string): Promise<CertificateRow | undefined> {
  const [row] = await q.rows(
    sql<CertificateRow>`select ${certificateColumns} from certificates where serial = ${serial}`,
  );
  return row;
}

/**
 * Revokes a certificate of an instance that runs in favour of a new one, which is the use that it was made of. The
 * instance is held meanwhile, so that it is neither ended nor enrolled nor renewed by others.
 * @returns false, and does nothing, when it was revoked already or the instance does not run (any more)
 */
export async function replaceCertificate(q: Queryable, serial: string, by: NewCertificate): Promise<boolean> {
  const rows = await q.rows(
    sql`with running as (
          select id from instances where id = ${by.instance_id} and status = 'running' for no key update
        ), superseded as (
          update certificates set revoked_at = ${by.issued_at}, revocation_reason = 'superseded',
                 replaced_by = ${by.serial}, first_used_at = coalesce(first_used_at, ${by.issued_at})
          where serial = ${serial} and instance_id = (select id from running) and revoked_at is null
          returning tenant_id, instance_id
        )
        insert into certificates (serial, tenant_id, instance_id, issuer_id, cert_pem, public_key_sha256, spiffe_id,
                                  not_before, not_after, issued_at)
        select ${by.serial}, tenant_id, instance_id, ${by.issuer_id}::uuid, ${by.cert_pem}, ${by.public_key_sha256}::bytea,
               ${by.spiffe_id}, ${by.not_before}::timestamptz, ${by.not_after}::timestamptz, ${by.issued_at}::timestamptz
        from superseded returning serial`,
  );
  return rows.length > 0;
}

/** Revokes whatever the instance has that is not. */
export const revokeCertificatesOf = (
  q: Queryable,
  instance_id: string,
  reason: RevocationReason,
  now: Date,
) =>
  q.rows(
    sql`update certificates set revoked_at = ${now}, revocation_reason = ${reason}
        where instance_id = ${instance_id} and revoked_at is null`,
  );

/** What took a certificate's place by a renewal after `since` for the same key, while nobody has used it. */
export async function findUnusedSuccessor(
  q: Queryable,
  serial: string,
  public_key_sha256: Buffer,
  since: Date,
): Promise<CertificateRow | undefined> {
  const [row] = await q.rows(
    sql<CertificateRow>`
      select ${certificateColumns} from certificates
      where serial = (select replaced_by from certificates where serial = ${serial} and revoked_at > ${since})
        and public_key_sha256 = ${public_key_sha256} and revoked_at is null and first_used_at is null`,
  );
  return row;
}

/** When the instance last renewed. What lies ahead, because the clock was set back since, does not count. */
export async function findLastRenewal(
  q: Queryable,
  instance_id: string,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await q.rows(
    sql<{ revoked_at: Date }>`
      select revoked_at from certificates
      where instance_id = ${instance_id} and replaced_by is not null and revoked_at <= ${now}
      order by revoked_at desc limit 1`,
  );
  return row?.revoked_at;
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

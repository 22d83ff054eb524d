import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { unauthenticated } from '../platform/errors.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { type CertificateRow, findCertificate, findCertificateInUse, markUsed } from './certificates.db.ts';

export interface PresentedCertificate {
  /** Hexadecimal, in either case. */
  readonly serialNumber: string;
  /** DER. */
  readonly raw: Buffer;
}

interface TrustServices {
  authority: CertificateAuthority;
}

/**
 * ServiceError unauthenticated unless the certificate is the instance's own and valid. Records its first use, which
 * ends the replay of a lost response (contract, section 8).
 */
export async function checkClientCertificate(
  services: TrustServices,
  q: TenantQueryable,
  certificate: PresentedCertificate | undefined,
  instance_id: string,
): Promise<CertificateRow> {
  const row = await q.run(findPresented(certificate));
  const own = await requireOwn(services, certificate, row, instance_id);
  requireValid(own, q.now);
  await recordUse(q, own);
  return own;
}

export const findPresented = (certificate: PresentedCertificate | undefined) =>
  findCertificate(certificate?.serialNumber.toLowerCase() ?? '');

/** The inventory has every issued certificate, so comparing all bytes replaces the check of a signature. */
export async function requireOwn(
  { authority }: TrustServices,
  certificate: PresentedCertificate | undefined,
  row: CertificateRow | undefined,
  instance_id: string,
): Promise<CertificateRow> {
  if (!certificate) throw unauthenticated('A client certificate is required');
  const isOwn =
    row?.instance_id === instance_id &&
    derOf(row.cert_pem).equals(certificate.raw) &&
    (await authority.trusts(row.issuer_id));
  if (!isOwn) throw unauthenticated('The client certificate is not one of this instance');
  return row;
}

/** True for a certificate with which the instance's runtime may be called. */
export async function isInUse(
  { db, authority }: TrustServices & { db: Database },
  instance_id: string,
  certificate: PresentedCertificate,
): Promise<boolean> {
  const row = await db.system.run(findCertificateInUse(certificate.serialNumber.toLowerCase(), instance_id));
  return row !== undefined && derOf(row.cert_pem).equals(certificate.raw) && authority.trusts(row.issuer_id);
}

export function requireValid({ revoked_at, not_after }: CertificateRow, now: Date): void {
  if (revoked_at) throw unauthenticated('The client certificate has been revoked');
  // not_before is ignored: this service's clock wrote it, so it is in the future only when the clock was set back.
  if (not_after <= now) throw unauthenticated('The client certificate has expired');
}

export async function recordUse(
  q: TenantQueryable,
  { serial, first_used_at }: CertificateRow,
): Promise<void> {
  if (!first_used_at) await q.run(markUsed(serial));
}

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');

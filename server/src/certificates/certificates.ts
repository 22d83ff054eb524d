import type { ServerNames } from '../platform/addresses.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import { newTerms } from './ca-terms.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import type { CertificateRow, NewCertificate } from './certificates.db.ts';
import type { CertificateRequest, CertifiedKey } from './x509.port.ts';

/** Specification, section 4.10. */
export const CERTIFICATE_MS = 24 * 60 * 60 * 1000;
export const SERVER_CERTIFICATE_MS = 7 * CERTIFICATE_MS;
/** Contract, section 10. */
const RENEW_AFTER_MS = (CERTIFICATE_MS * 2) / 3;

export interface IssuingServices {
  authority: CertificateAuthority;
  settings: { trust_domain: string };
  log: Log;
}

/** Contract, section 8. */
const spiffeId = ({ trust_domain }: IssuingServices['settings'], instance_id: string): string =>
  `spiffe://${trust_domain}/instance/${instance_id}`;

/** Valid for 24 hours; the caller adds it to the inventory. */
export function issueCertificate(
  { authority, settings, log }: IssuingServices,
  { tenant_id, now }: TenantQueryable,
  instance_id: string,
  request: CertificateRequest,
): Promise<NewCertificate> {
  return orAuthorityError(log, async () => {
    const { row, issuer } = await authority.current();
    const terms = newTerms(now, now.getTime() + CERTIFICATE_MS);
    const spiffe_id = spiffeId(settings, instance_id);
    return {
      ...terms,
      tenant_id,
      instance_id,
      spiffe_id,
      issuer_id: row.id,
      cert_pem: await issuer.issueRuntime(request, { ...terms, common_name: instance_id, spiffe_id }),
      public_key_sha256: request.public_key_sha256,
      issued_at: now,
    };
  });
}

export function issueServerCertificate(
  { authority, log }: Pick<IssuingServices, 'authority' | 'log'>,
  names: ServerNames,
  now: Date,
): Promise<CertifiedKey & { not_after: Date }> {
  return orAuthorityError(log, async () => {
    const { issuer } = await authority.current();
    const terms = newTerms(now, now.getTime() + SERVER_CERTIFICATE_MS);
    return { ...(await issuer.issueServer({ ...terms, ...names })), not_after: terms.not_after };
  });
}

/** Clients get no details (specification, section 7.6). */
async function orAuthorityError<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error({ err: error }, 'a certificate could not be issued');
    throw new ServiceError('internal', 'The certificate authority failed');
  }
}

export interface IssuedCertificate {
  cert_pem: string;
  cert_serial: string;
  not_before: Date;
  expires_at: Date;
  renew_after: Date;
  ca_pem: string;
}

export async function toCertificateResponse(
  { authority }: Pick<IssuingServices, 'authority'>,
  certificate: Pick<CertificateRow, 'cert_pem' | 'serial' | 'not_before' | 'not_after' | 'issued_at'>,
): Promise<IssuedCertificate> {
  const { cert_pem, serial: cert_serial, not_before, not_after: expires_at, issued_at } = certificate;
  const renew_after = new Date(issued_at.getTime() + RENEW_AFTER_MS);
  return {
    cert_pem,
    cert_serial,
    not_before,
    expires_at,
    renew_after,
    ca_pem: await authority.trustBundle(),
  };
}

import type { ServerNames } from '../platform/addresses.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import type { Services } from '../services.ts';
import { newTerms } from './ca-terms.ts';
import type { NewCertificate } from './certificates.db.ts';
import type { CertificateRequest, CertifiedKey } from './x509.port.ts';

/** Specification, section 4.10. */
export const CERTIFICATE_MS = 24 * 60 * 60 * 1000;
/** Of the mTLS listener's own certificate; it asks for another before. */
export const SERVER_CERTIFICATE_MS = 7 * CERTIFICATE_MS;

type Issuing = Pick<Services, 'authority' | 'settings' | 'log'>;

/** How a certificate names an instance (contract, section 8). */
const spiffeId = ({ trust_domain }: Services['settings'], instance_id: string): string =>
  `spiffe://${trust_domain}/instance/${instance_id}`;

/** A certificate for an instance, valid for 24 hours from `now`; not in the inventory yet. */
export function issueCertificate(
  { authority, settings, log }: Issuing,
  instance: { tenant_id: string; instance_id: string },
  request: CertificateRequest,
  now: Date,
): Promise<NewCertificate> {
  return orAuthorityError(log, async () => {
    const { row, issuer } = await authority.current(now);
    const terms = newTerms(now, now.getTime() + CERTIFICATE_MS);
    const spiffe_id = spiffeId(settings, instance.instance_id);
    const names = { common_name: instance.instance_id, spiffe_id };
    return {
      ...terms,
      ...instance,
      spiffe_id,
      issuer_id: row.id,
      cert_pem: await issuer.issueClient(request, { ...terms, ...names }),
      public_key_sha256: request.public_key_sha256,
      issued_at: now,
    };
  });
}

/** A key and a certificate for the mTLS listener, which clients check against the bundle. */
export function issueServerCertificate(
  { authority, log }: Issuing,
  names: ServerNames,
  now: Date,
): Promise<CertifiedKey & { not_after: Date }> {
  return orAuthorityError(log, async () => {
    const { issuer } = await authority.current(now);
    const terms = newTerms(now, now.getTime() + SERVER_CERTIFICATE_MS);
    return { ...(await issuer.issueServer({ ...terms, ...names })), not_after: terms.not_after };
  });
}

/** Specification, section 7.6: what goes wrong in the authority is a 500 that says so, and no more. */
async function orAuthorityError<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error({ err: error }, 'a certificate could not be issued');
    throw new ServiceError('internal', 'The certificate authority failed');
  }
}

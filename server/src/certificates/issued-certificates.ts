import type { Services } from '../services.ts';
import type { CertificateRow } from './certificates.db.ts';
import { CERTIFICATE_MS } from './certificates.ts';

/** When an instance is to renew: two thirds of the 24 hours from the issue on (contract, section 10). */
const RENEW_AFTER_MS = (CERTIFICATE_MS * 2) / 3;

/** A certificate as its instance is given it. */
export interface IssuedCertificate {
  cert_pem: string;
  cert_serial: string;
  not_before: Date;
  expires_at: Date;
  renew_after: Date;
  /** Every certificate of the authority that is trusted now. */
  ca_pem: string;
}

export async function presentCertificate(
  { authority, clock }: Pick<Services, 'authority' | 'clock'>,
  certificate: Pick<CertificateRow, 'cert_pem' | 'serial' | 'not_before' | 'not_after' | 'issued_at'>,
): Promise<IssuedCertificate> {
  const { cert_pem, serial: cert_serial, not_before, not_after: expires_at, issued_at } = certificate;
  const renew_after = new Date(issued_at.getTime() + RENEW_AFTER_MS);
  const ca_pem = await authority.trustBundle(clock());
  return { cert_pem, cert_serial, not_before, expires_at, renew_after, ca_pem };
}

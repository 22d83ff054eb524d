import { unauthenticated } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { type CertificateRow, findCertificate, markUsed } from './certificates.db.ts';

/** As much of a client's certificate as tells whether the inventory has it. */
export interface PresentedCertificate {
  /** Hexadecimal, in whatever case. */
  readonly serialNumber: string;
  /** DER. */
  readonly raw: Buffer;
}

type Checking = Pick<Services, 'db' | 'authority'>;

/**
 * The inventory's row of the certificate that an instance's runtime presents, or ServiceError unauthenticated: not
 * revoked, not expired, and all that `identifyClientCertificate` asks. Its first use is noted (contract, section 8: a
 * lost answer is replayed until the new certificate has been used). One round trip; two the first time.
 * @param certificate as the handshake or a trusted proxy gave it; undefined: none was presented
 */
export async function checkClientCertificate(
  services: Checking,
  certificate: PresentedCertificate | undefined,
  instance_id: string,
  now: Date,
): Promise<CertificateRow> {
  const row = await identifyClientCertificate(services, certificate, instance_id, now);
  requireGood(row, now);
  await noteUse(services, row, now);
  return row;
}

/** ServiceError unauthenticated for what is revoked or expired. */
export function requireGood({ revoked_at, not_after }: CertificateRow, now: Date): void {
  if (revoked_at) throw unauthenticated('The client certificate has been revoked');
  // Its beginning is not looked at: this clock wrote it, and it lies ahead only where the clock was set back since.
  if (not_after <= now) throw unauthenticated('The client certificate has expired');
}

/** Notes the first use of a certificate; costs nothing at the later ones. */
export async function noteUse(
  { db }: Pick<Services, 'db'>,
  { serial, first_used_at }: CertificateRow,
  now: Date,
): Promise<void> {
  if (!first_used_at) await markUsed(db.system, serial, now);
}

/**
 * As `checkClientCertificate`, whether revoked or expired or not, and nothing is noted: our own certificate, of a key
 * that is still trusted, of this instance. That it is ours is told by the inventory, which holds every one ever issued,
 * byte for byte; there is no signature to be fooled by.
 */
export async function identifyClientCertificate(
  services: Checking,
  certificate: PresentedCertificate | undefined,
  instance_id: string,
  now: Date,
): Promise<CertificateRow> {
  return requireOwn(services, certificate, await findPresented(services, certificate), instance_id, now);
}

/** The inventory's row with the serial of what is presented, whose ever it is. */
export const findPresented = async (
  { db }: Pick<Services, 'db'>,
  certificate: PresentedCertificate | undefined,
): Promise<CertificateRow | undefined> =>
  certificate && findCertificate(db.system, certificate.serialNumber.toLowerCase());

/** `row`, when it is what is presented and this instance's, else ServiceError unauthenticated; see above. */
export async function requireOwn(
  { authority }: Pick<Services, 'authority'>,
  certificate: PresentedCertificate | undefined,
  row: CertificateRow | undefined,
  instance_id: string,
  now: Date,
): Promise<CertificateRow> {
  if (!certificate) throw unauthenticated('A client certificate is required');
  const isOurs =
    row?.instance_id === instance_id &&
    derOf(row.cert_pem).equals(certificate.raw) &&
    (await authority.trusts(row.issuer_id, now));
  if (!isOurs) throw unauthenticated('The client certificate is not one of this instance');
  return row;
}

/** Of our own PEM, whose bytes alone matter here: nothing has to be read in them. */
const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { at, textOf } from '../json.ts';

export interface Certified {
  /** PKCS #8, PEM. */
  private_key_pem: string;
  cert_pem: string;
  cert_serial: string;
  /** The control plane's CA certificates, PEM. */
  ca_pem: string;
  /** ISO 8601. */
  expires_at: string;
  /** ISO 8601. */
  renew_after: string;
}

const pemBlocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** At least one valid certificate in PEM. */
export function isBundle(pem: string): boolean {
  const blocks = pem.match(pemBlocks) ?? [];
  return blocks.length > 0 && blocks.every((block) => parse(block) !== undefined);
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** The certificate names the instance (contract, section 8) and matches the key. */
function isOwn(cert_pem: string, private_key_pem: string, instanceId: string): boolean {
  const certificate = parse(cert_pem);
  const names = certificate?.subjectAltName ?? '';
  return (
    names.startsWith('URI:spiffe://') &&
    names.endsWith(`/instance/${instanceId}`) &&
    certificate?.checkPrivateKey(createPrivateKey(private_key_pem)) === true
  );
}

/** PEM: the certificate, then the authorities between it and its root, for callers that know the root alone. */
export function chainOf({ cert_pem, ca_pem }: Certified): string {
  const authorities = (ca_pem.match(pemBlocks) ?? []).map((pem) => ({
    pem,
    parsed: new X509Certificate(pem),
  }));
  const chain = [cert_pem.trimEnd()];
  let last = new X509Certificate(cert_pem);
  for (let left = authorities.length; left > 0; left -= 1) {
    const issuer = authorities.find(
      ({ parsed }) => last.checkIssued(parsed) && last.verify(parsed.publicKey),
    );
    if (issuer === undefined || issuer.parsed.checkIssued(issuer.parsed)) break;
    chain.push(issuer.pem);
    last = issuer.parsed;
  }
  return `${chain.join('\n')}\n`;
}

const timeOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && Number.isFinite(Date.parse(text)) ? text : undefined;
};

/**
 * @param value the response to an enrollment or renewal, or its stored copy
 * @returns undefined if it is incomplete, or the certificate is for another instance or key
 */
export function readCertified(
  value: unknown,
  private_key_pem: string,
  instanceId: string,
): Certified | undefined {
  const cert_pem = textOf(at(value, 'cert_pem'));
  const cert_serial = textOf(at(value, 'cert_serial'));
  const ca_pem = textOf(at(value, 'ca_pem'));
  const expires_at = timeOf(at(value, 'expires_at'));
  const renew_after = timeOf(at(value, 'renew_after'));
  if (!cert_pem || !cert_serial || !ca_pem || !expires_at || !renew_after) return undefined;
  if (!isBundle(ca_pem) || !isOwn(cert_pem, private_key_pem, instanceId)) return undefined;
  return { private_key_pem, cert_pem, cert_serial, ca_pem, expires_at, renew_after };
}

import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as asn from '@peculiar/asn1-x509';
import type { CertificateTerms } from '../../certificates/x509.port.ts';
import { x509 } from './library.ts';
import { type Signer, signedPem } from './signing-keys.ts';

// Extensions follow the profile of RFC 5280, section 4.2.

export interface Contents {
  terms: CertificateTerms;
  issuer: asn.Name;
  common_name: string;
  /** SubjectPublicKeyInfo, DER. */
  public_key_spki: Buffer;
  extensions: asn.Extension[];
}

/**
 * RFC 5280, section 4.1. Uses the library's ASN.1 types, because its generator decodes input and output again, which
 * takes three times as long. @returns PEM
 */
export function signCertificate(contents: Contents, signer: Signer): Promise<string> {
  const { terms, issuer, common_name, public_key_spki, extensions } = contents;
  const toBeSigned = new asn.TBSCertificate({
    version: asn.Version.v3,
    serialNumber: Uint8Array.from(Buffer.from(terms.serial, 'hex')).buffer,
    signature: AsnConvert.parse(signer.method.algorithm, asn.AlgorithmIdentifier),
    issuer,
    validity: new asn.Validity({ notBefore: terms.not_before, notAfter: terms.not_after }),
    subject: nameOf(common_name),
    subjectPublicKeyInfo: AsnConvert.parse(public_key_spki, asn.SubjectPublicKeyInfo),
    extensions: new asn.Extensions(extensions),
  });
  return signedPem('CERTIFICATE', Buffer.from(AsnConvert.serialize(toBeSigned)), signer);
}

/** The library chooses the ASN.1 string type. */
export const nameOf = (common_name: string): asn.Name =>
  AsnConvert.parse(new x509.Name([{ CN: [common_name] }]).toArrayBuffer(), asn.Name);

const extension = (extnID: string, value: object, critical = false) =>
  new asn.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

const NO_AUTHORITY = extension(asn.id_ce_basicConstraints, new asn.BasicConstraints(), true);
const SIGNS_HANDSHAKES = keyUsage(asn.KeyUsageFlags.digitalSignature);
const SIGNS_CERTIFICATES = keyUsage(asn.KeyUsageFlags.keyCertSign | asn.KeyUsageFlags.cRLSign);
const USAGES = {
  /** With TLS=on a runtime is called with the certificate that it calls with. */
  runtime: usages(asn.id_kp_clientAuth, asn.id_kp_serverAuth),
  server: usages(asn.id_kp_serverAuth),
};

function usages(...purposes: string[]): asn.Extension {
  return extension(asn.id_ce_extKeyUsage, new asn.ExtendedKeyUsage(purposes));
}

function keyUsage(flags: number): asn.Extension {
  return extension(asn.id_ce_keyUsage, new asn.KeyUsage(flags), true);
}

/** The id is the SHA-256 of the SubjectPublicKeyInfo (RFC 7093, section 2, method 4). */
const subjectKey = (public_key_spki: Buffer) =>
  extension(
    asn.id_ce_subjectKeyIdentifier,
    new asn.SubjectKeyIdentifier(createHash('sha256').update(public_key_spki).digest()),
  );

/** @param key_id from the issuer's own certificate */
export const authorityKey = (key_id: Buffer): asn.Extension =>
  extension(
    asn.id_ce_authorityKeyIdentifier,
    new asn.AuthorityKeyIdentifier({ keyIdentifier: new asn.KeyIdentifier(key_id) }),
  );

/** For TLS clients and servers. */
export const leafExtensions = (
  usage: keyof typeof USAGES,
  names: asn.GeneralName[],
  public_key_spki: Buffer,
): asn.Extension[] => [
  NO_AUTHORITY,
  SIGNS_HANDSHAKES,
  USAGES[usage],
  extension(asn.id_ce_subjectAltName, new asn.SubjectAlternativeName(names)),
  subjectKey(public_key_spki),
];

/** @param pathLength the number of authorities allowed below it */
export const authorityExtensions = (public_key_spki: Buffer, pathLength: number): asn.Extension[] => [
  extension(
    asn.id_ce_basicConstraints,
    new asn.BasicConstraints({ cA: true, pathLenConstraint: pathLength }),
    true,
  ),
  SIGNS_CERTIFICATES,
  subjectKey(public_key_spki),
];

export async function newKeyPair(
  namedCurve: 'P-256' | 'P-384',
): Promise<{ privateKey: KeyObject; private_key_pem: string; public_key_spki: Buffer }> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve });
  return {
    privateKey,
    private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    public_key_spki: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

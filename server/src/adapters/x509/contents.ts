import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { x509 } from './library.ts';

/** What stands in the certificates of RFC 5280's profile (section 4.2), critical where it says so. */

type Names = ConstructorParameters<typeof x509.SubjectAlternativeNameExtension>[0];

export const nameOf = (common_name: string) => [{ CN: [common_name] }];

// What is the same in every one is encoded once.
const NO_AUTHORITY = new x509.BasicConstraintsExtension(false, undefined, true);
const SIGNS_HANDSHAKES = new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true);
const USAGES = {
  client: new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
  server: new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
};

/**
 * For a TLS client or server: it signs handshakes, and no certificates.
 * @param key_sha256 of the key's SubjectPublicKeyInfo, by which it is called (RFC 7093, section 2, method 4)
 */
export const leafExtensions = (
  usage: keyof typeof USAGES,
  names: Names,
  key_sha256: Buffer,
): x509.Extension[] => [
  NO_AUTHORITY,
  SIGNS_HANDSHAKES,
  USAGES[usage],
  new x509.SubjectAlternativeNameExtension(names),
  new x509.SubjectKeyIdentifierExtension(key_sha256.toString('hex')),
];

/** For an authority with at most `pathLength` others between it and a leaf. */
export const authorityExtensions = async (
  publicKey: x509.PublicKey,
  pathLength: number,
): Promise<x509.Extension[]> => [
  new x509.BasicConstraintsExtension(true, pathLength, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  await x509.SubjectKeyIdentifierExtension.create(publicKey),
];

export async function newKeyPair(
  namedCurve: 'P-256' | 'P-384',
): Promise<{ privateKey: KeyObject; private_key_pem: string; publicKey: x509.PublicKey }> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve });
  return {
    privateKey,
    private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: new x509.PublicKey(publicKey.export({ type: 'spki', format: 'der' })),
  };
}

import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { x509 } from './library.ts';

/** What stands in the certificates of RFC 5280's profile (section 4.2), critical where it says so. */

type Names = ConstructorParameters<typeof x509.SubjectAlternativeNameExtension>[0];

export const nameOf = (common_name: string) => [{ CN: [common_name] }];

/** For a TLS client or server: it signs handshakes, and no certificates. */
export const leafExtensions = async (
  publicKey: x509.PublicKey,
  usage: string,
  names: Names,
): Promise<x509.Extension[]> => [
  new x509.BasicConstraintsExtension(false, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
  new x509.ExtendedKeyUsageExtension([usage]),
  new x509.SubjectAlternativeNameExtension(names),
  await x509.SubjectKeyIdentifierExtension.create(publicKey),
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

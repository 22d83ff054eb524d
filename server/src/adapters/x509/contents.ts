import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as asn from '@peculiar/asn1-x509';
import { x509 } from './library.ts';

/** What stands in the certificates of RFC 5280's profile (section 4.2), critical where it says so. */

/** The library chooses the kind of string by what stands in it. */
export const nameOf = (common_name: string): asn.Name =>
  AsnConvert.parse(new x509.Name([{ CN: [common_name] }]).toArrayBuffer(), asn.Name);

const extension = (extnID: string, value: object, critical = false) =>
  new asn.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

// What is the same in every one is made once.
const NO_AUTHORITY = extension(asn.id_ce_basicConstraints, new asn.BasicConstraints(), true);
const SIGNS_HANDSHAKES = keyUsage(asn.KeyUsageFlags.digitalSignature);
const SIGNS_CERTIFICATES = keyUsage(asn.KeyUsageFlags.keyCertSign | asn.KeyUsageFlags.cRLSign);
const USAGES = {
  client: extension(asn.id_ce_extKeyUsage, new asn.ExtendedKeyUsage([asn.id_kp_clientAuth])),
  server: extension(asn.id_ce_extKeyUsage, new asn.ExtendedKeyUsage([asn.id_kp_serverAuth])),
};

function keyUsage(flags: number): asn.Extension {
  return extension(asn.id_ce_keyUsage, new asn.KeyUsage(flags), true);
}

/** A key is called by the SHA-256 of its SubjectPublicKeyInfo (RFC 7093, section 2, method 4). */
const subjectKey = (public_key_spki: Buffer) =>
  extension(
    asn.id_ce_subjectKeyIdentifier,
    new asn.SubjectKeyIdentifier(createHash('sha256').update(public_key_spki).digest()),
  );

/** Names the key that signs, as its own certificate does. */
export const authorityKey = (key_id: Buffer): asn.Extension =>
  extension(
    asn.id_ce_authorityKeyIdentifier,
    new asn.AuthorityKeyIdentifier({ keyIdentifier: new asn.KeyIdentifier(key_id) }),
  );

/** For a TLS client or server: it signs handshakes, and no certificates. */
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

/** For an authority with at most `pathLength` others between it and a leaf. */
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

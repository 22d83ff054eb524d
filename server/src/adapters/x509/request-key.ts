import { createPublicKey, type KeyObject } from 'node:crypto';

/**
 * How the SubjectPublicKeyInfo of a key on P-256 or P-384 begins: the curve by its name, and a point that is whole or
 * compressed (RFC 5480, section 2). What spells its curve out is refused by OpenSSL's strict checks in a certificate.
 */
const EC_FORMS = [
  '3059301306072a8648ce3d020106082a8648ce3d03010703420004',
  '3039301306072a8648ce3d020106082a8648ce3d03010703220002',
  '3039301306072a8648ce3d020106082a8648ce3d03010703220003',
  '3076301006072a8648ce3d020106052b8104002203620004',
  '3046301006072a8648ce3d020106052b8104002203320002',
  '3046301006072a8648ce3d020106052b8104002203320003',
].map((hex) => Buffer.from(hex, 'hex'));
const RSA_BITS = { min: 2048, max: 8192 };

/** The key of a SubjectPublicKeyInfo, DER; undefined unless it is one that certificates are issued for (contract, section 8). */
export function certifiableKey(spki: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: spki, type: 'spki', format: 'der' });
    return isAllowed(key, spki) ? key : undefined;
  } catch {
    // Of a kind that is not known, or no key at all.
    return undefined;
  }
}

function isAllowed(key: KeyObject, spki: Buffer): boolean {
  const { asymmetricKeyType: type } = key;
  // Not by asymmetricKeyDetails: asked for those of a point at infinity, Node ends the process (20.20).
  if (type === 'ec') return EC_FORMS.some((form) => spki.subarray(0, form.length).equals(form));
  if (type !== 'rsa') return type === 'ed25519';
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = key.asymmetricKeyDetails ?? {};
  return bits >= RSA_BITS.min && bits <= RSA_BITS.max && isSaneExponent(exponent);
}

/** Odd and from 2^16 to 2^256 (FIPS 186-5, section A.1.1): with 1 every message is its own signature. */
const isSaneExponent = (exponent: bigint) =>
  exponent % 2n === 1n && exponent > 2n ** 16n && exponent < 2n ** 256n;

import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';

/** A WireGuard key pair, each 32 bytes in base64 as `wg` writes them. */
export interface WireguardKeys {
  private_key: string;
  public_key: string;
}

const toBase64 = (base64url: string | undefined) =>
  Buffer.from(base64url ?? '', 'base64url').toString('base64');

const wireguardKeys = ({ d, x }: JsonWebKey): WireguardKeys => ({
  private_key: toBase64(d),
  public_key: toBase64(x),
});

export const newWireguardKeys = (): WireguardKeys =>
  wireguardKeys(generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }));

/** The PKCS #8 header (RFC 8410) of an X25519 key, before its 32 bytes. */
const x25519Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** True when the keys match. */
export function isWireguardPair({ private_key, public_key }: WireguardKeys): boolean {
  const der = Buffer.concat([x25519Prefix, Buffer.from(private_key, 'base64')]);
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return wireguardKeys(key.export({ format: 'jwk' })).public_key === public_key;
  } catch {
    return false;
  }
}

/** A new P-256 private key for TLS, PKCS #8 in PEM. */
export const newTlsKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

export function isTlsKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

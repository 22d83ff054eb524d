import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';

/** 32 bytes each, in base64 like `wg`. */
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

/** The header of PKCS #8 (RFC 8410); the key's 32 bytes follow. */
const x25519Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

export function isWireguardPair({ private_key, public_key }: WireguardKeys): boolean {
  const der = Buffer.concat([x25519Prefix, Buffer.from(private_key, 'base64')]);
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return wireguardKeys(key.export({ format: 'jwk' })).public_key === public_key;
  } catch {
    return false;
  }
}

/** P-256, PKCS #8 in PEM. */
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

import { type KeyObject, sign, webcrypto } from 'node:crypto';

/** How a key signs, for both ways of telling it: to Web Crypto, and in DER. */
interface SigningMethod {
  web: { name: string; namedCurve?: string; hash?: string };
  /** undefined: the method knows (Ed25519). */
  digest: string | undefined;
  /** AlgorithmIdentifier, DER. */
  algorithm: Buffer;
}

const der = (hex: string) => Buffer.from(hex, 'hex');

/** RFC 5758, RFC 4055, RFC 8410. */
const METHODS: Readonly<Record<string, SigningMethod>> = {
  prime256v1: {
    web: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
    digest: 'sha256',
    algorithm: der('300a06082a8648ce3d040302'),
  },
  secp384r1: {
    web: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
    digest: 'sha384',
    algorithm: der('300a06082a8648ce3d040303'),
  },
  rsa: {
    web: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    digest: 'sha256',
    algorithm: der('300d06092a864886f70d01010b0500'),
  },
  ed25519: { web: { name: 'Ed25519' }, digest: undefined, algorithm: der('300506032b6570') },
};

/** A private key as Web Crypto has it, with the method that it signs with. */
export interface WebKey {
  key: webcrypto.CryptoKey;
  web: SigningMethod['web'];
}

/** undefined: the key is of a kind that signs nothing here. */
export function signingMethod(key: KeyObject): SigningMethod | undefined {
  const kind = key.asymmetricKeyType === 'ec' ? key.asymmetricKeyDetails?.namedCurve : key.asymmetricKeyType;
  return METHODS[kind ?? ''];
}

export async function toWebKey(key: KeyObject, { web }: SigningMethod): Promise<WebKey> {
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  return { key: await webcrypto.subtle.importKey('pkcs8', pkcs8, web, false, ['sign']), web };
}

/** Signs on a thread of its own, not on the event loop. */
export const signBytes = (key: KeyObject, { digest }: SigningMethod, bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sign(digest, bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });

import { type KeyObject, sign } from 'node:crypto';
import { bitString, sequence } from './der-writer.ts';
import { toPem } from './pem.ts';

interface SigningMethod {
  /** undefined for Ed25519, which includes the digest. */
  digest: string | undefined;
  /** AlgorithmIdentifier, DER. */
  algorithm: Buffer;
}

const der = (hex: string) => Buffer.from(hex, 'hex');

/** RFC 5758, RFC 4055, RFC 8410. */
const METHODS: Readonly<Record<string, SigningMethod>> = {
  prime256v1: {
    digest: 'sha256',
    algorithm: der('300a06082a8648ce3d040302'),
  },
  secp384r1: {
    digest: 'sha384',
    algorithm: der('300a06082a8648ce3d040303'),
  },
  rsa: {
    digest: 'sha256',
    algorithm: der('300d06092a864886f70d01010b0500'),
  },
  ed25519: { digest: undefined, algorithm: der('300506032b6570') },
};

export interface Signer {
  key: KeyObject;
  method: SigningMethod;
}

/** undefined for an unsupported key. */
export function signingMethod(key: KeyObject): SigningMethod | undefined {
  const kind = key.asymmetricKeyType === 'ec' ? key.asymmetricKeyDetails?.namedCurve : key.asymmetricKeyType;
  return METHODS[kind ?? ''];
}

export function signerOf(key: KeyObject): Signer {
  const method = signingMethod(key);
  if (!method) throw new Error('The key is of an unsupported kind');
  return { key, method };
}

/** @param toBeSigned DER of a certificate or revocation list (RFC 5280, sections 4.1 and 5.1) @returns PEM */
export async function signedPem(label: string, toBeSigned: Buffer, { key, method }: Signer): Promise<string> {
  const signature = await signBytes(key, method, toBeSigned);
  return toPem(label, sequence(toBeSigned, method.algorithm, bitString(signature)));
}

/** On libuv's thread pool, not on the event loop. */
const signBytes = (key: KeyObject, { digest }: SigningMethod, bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sign(digest, bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });

import { constants, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';
import { type Element, elementsIn } from './der-reader.ts';

/** How something is signed. */
export interface SignatureMethod {
  /** Of the key, as Node calls it. */
  kind: 'ec' | 'rsa' | 'ed25519';
  /** undefined: the method knows (Ed25519). */
  digest: string | undefined;
  /** Of RSA-PSS. */
  saltLength?: number;
}

/** By the object identifier, hexadecimal (RFC 5758, RFC 4055, RFC 8410). */
const METHODS: Readonly<Record<string, SignatureMethod>> = {
  '2a8648ce3d040302': { kind: 'ec', digest: 'sha256' },
  '2a8648ce3d040303': { kind: 'ec', digest: 'sha384' },
  '2a8648ce3d040304': { kind: 'ec', digest: 'sha512' },
  '2a864886f70d01010b': { kind: 'rsa', digest: 'sha256' },
  '2a864886f70d01010c': { kind: 'rsa', digest: 'sha384' },
  '2a864886f70d01010d': { kind: 'rsa', digest: 'sha512' },
  '2b6570': { kind: 'ed25519', digest: undefined },
};
const RSASSA_PSS = '2a864886f70d01010a';
const PSS_DIGESTS: Readonly<Record<string, string>> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};
/** Where RSA-PSS does not say the length of its salt. */
const DEFAULT_SALT = 20;

/** The method of the contents of an AlgorithmIdentifier; undefined: none of today. */
export function signatureMethod(algorithm: Buffer): SignatureMethod | undefined {
  const [id, parameters] = elementsIn(algorithm) ?? [];
  const name = id?.tag === 0x06 ? id.content.toString('hex') : '';
  return name === RSASSA_PSS ? pssMethod(parameters) : METHODS[name];
}

/** RSASSA-PSS-params (RFC 4055, section 3.1); of the mask it is seen when the signature is verified. */
function pssMethod(parameters: Element | undefined): SignatureMethod | undefined {
  const fields = elementsIn(parameters?.content ?? Buffer.alloc(0)) ?? [];
  const field = (number: number) => fields.find(({ tag }) => tag === (0xa0 | number))?.content;
  const digest = PSS_DIGESTS[inside(inside(field(0)))?.toString('hex') ?? ''];
  const saltLength = lengthOfSalt(field(2));
  return digest && saltLength !== undefined ? { kind: 'rsa', digest, saltLength } : undefined;
}

/** The contents of the first element in the bytes. */
const inside = (bytes: Buffer | undefined): Buffer | undefined =>
  elementsIn(bytes ?? Buffer.alloc(0))?.[0]?.content;

/** What is negative means something of its own to OpenSSL, and Node throws for what is not 32 bits long. */
function lengthOfSalt(field: Buffer | undefined): number | undefined {
  if (!field) return DEFAULT_SALT;
  const octets = inside(field) ?? Buffer.alloc(0);
  if (octets.length < 1 || octets.length > 2) return undefined;
  const length = octets.readIntBE(0, octets.length);
  return length < 0 ? undefined : length;
}

export interface Signed {
  bytes: Buffer;
  signature: Buffer;
}

/** Whether a key signed the bytes by this method. On a thread of its own, not on the event loop. */
export function isSigned(
  { bytes, signature }: Signed,
  key: KeyObject,
  { kind, digest, saltLength }: SignatureMethod,
): Promise<boolean> {
  if (key.asymmetricKeyType !== kind) return Promise.resolve(false);
  const by: VerifyKeyObjectInput =
    saltLength === undefined ? { key } : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  return new Promise((resolve) => {
    verify(digest, bytes, by, signature, (error, isRight) => resolve(!error && isRight));
  });
}

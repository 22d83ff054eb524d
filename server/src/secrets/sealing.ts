import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** 256 bits. */
export type Key = Buffer;

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Batched, because a system call takes as long as sealing a short text. */
const IVS_AT_ONCE = 512;
let ivs = Buffer.alloc(0);

function nextIv(): Buffer {
  if (ivs.length === 0) ivs = randomBytes(IVS_AT_ONCE * IV_BYTES);
  const iv = ivs.subarray(0, IV_BYTES);
  ivs = ivs.subarray(IV_BYTES);
  return iv;
}

export const newKey = (): Key => randomBytes(32);

/**
 * AES-256-GCM: version, IV, tag, ciphertext. `context` names purpose and owner, so a sealed value does not open
 * elsewhere.
 */
export function seal(key: Key, plaintext: string | Buffer, context: string): Buffer {
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key, the context or a bit differs. */
export function open(key: Key, sealed: Buffer, context: string): Buffer {
  const body = 1 + IV_BYTES + TAG_BYTES;
  if (sealed[0] !== VERSION || sealed.length < body) throw new Error('A sealed value has an unknown form');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(1 + IV_BYTES, body));
  return Buffer.concat([decipher.update(sealed.subarray(body)), decipher.final()]);
}

/** HKDF, RFC 5869. */
export const deriveKey = (key: Key, purpose: string): Key =>
  Buffer.from(hkdfSync('sha256', key, '', purpose, 32));

export const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

export const hmac = (key: Key, data: string | Buffer): Buffer =>
  createHmac('sha256', key).update(data).digest();

/** In constant time. */
export const equalsInConstantTime = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

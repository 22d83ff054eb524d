import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../secrets/sealing.ts';

/** The contract's price of one payload (section 17). */
export const MOST_TRIED = 20;

/** An app secret was sealed for its endpoint. */
export const appSecretContext = (endpoint_id: string) => `channel-endpoint:${endpoint_id}`;

/** The signature of a header `sha256=<64 hex digits>`; undefined when it is anything else. */
export function readSignature(header: string | string[] | undefined): Buffer | undefined {
  const hex = typeof header === 'string' && /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1];
  return hex ? Buffer.from(hex, 'hex') : undefined;
}

/** Bytes and the signature that came with them. Each secret is tried once, and no more than MOST_TRIED are. */
export class SignedBytes {
  readonly bytes: Buffer;
  readonly #signature: Buffer;
  /** By the hashes of the secrets, in hex. */
  readonly #tried = new Map<string, boolean>();

  constructor(bytes: Buffer, signature: Buffer) {
    this.bytes = bytes;
    this.#signature = signature;
  }

  isSignedWith(app_secret_hash: string, app_secret: Buffer): boolean {
    const known = this.#tried.get(app_secret_hash);
    if (known !== undefined) return known;
    if (this.#tried.size >= MOST_TRIED) return false;
    const isSigned = timingSafeEqual(hmac(app_secret, this.bytes), this.#signature);
    this.#tried.set(app_secret_hash, isSigned);
    return isSigned;
  }
}

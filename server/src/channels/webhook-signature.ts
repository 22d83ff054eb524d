import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../secrets/sealing.ts';

/** Limit of secrets per payload (contract, section 17). */
export const MOST_TRIED = 20;

export const appSecretContext = (endpoint_id: string) => `channel-endpoint:${endpoint_id}`;

/** Reads `sha256=<64 hex digits>`; undefined for any other header. */
export function readSignature(header: string | string[] | undefined): Buffer | undefined {
  const hex = typeof header === 'string' && /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1];
  return hex ? Buffer.from(hex, 'hex') : undefined;
}

/** A payload with its signature. Tries each secret once, and at most MOST_TRIED. */
export class SignedBytes {
  readonly bytes: Buffer;
  readonly #signature: Buffer;
  /** Results by the secret's hash, in hex. */
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

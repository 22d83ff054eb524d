import { randomBytes, randomInt } from 'node:crypto';
import { sha256 } from './sealing.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}

interface MintedKey {
  /** Shown once. */
  key: string;
  prefix: string;
  key_hash: Buffer;
}

export const API_KEY_START = 'acp_';

/** The part of the prefix that distinguishes keys. */
const NAME_LENGTH = 8;

/** acp_<8 chars>_<43 base62 chars, 256 bits> (contract, section 3). */
export const mintApiKey = (): MintedKey =>
  toMintedKey(`${API_KEY_START}${base62(NAME_LENGTH)}_${base62(43)}`);

/** The prefix may be shown. */
export const toMintedKey = (key: string): MintedKey => ({
  key,
  prefix: key.slice(0, API_KEY_START.length + NAME_LENGTH),
  key_hash: sha256(key),
});

/** For an instance's runtime on the internal routes. */
export function mintProxyKey(): { key: string; key_hash: Buffer } {
  const key = `apk_${randomBytes(32).toString('base64url')}`;
  return { key, key_hash: sha256(key) };
}

/** For a running runtime on the model gateway. */
export function mintLlmKey(): { key: string; key_hash: Buffer } {
  const key = `alk_${randomBytes(32).toString('base64url')}`;
  return { key, key_hash: sha256(key) };
}

/** Used once; only the hash is stored. */
function mintToken(start: string): { token: string; token_hash: Buffer } {
  const token = `${start}${randomBytes(32).toString('base64url')}`;
  return { token, token_hash: sha256(token) };
}

export const mintEnrollmentToken = () => mintToken('aet_');
export const mintInvitationToken = () => mintToken('ait_');
export const mintResetToken = () => mintToken('aprt_');
export const mintLinkToken = () => mintToken('aslt_');

export const mintSecret = () => randomBytes(32).toString('base64url');

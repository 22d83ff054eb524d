import { randomBytes } from 'node:crypto';
import type { CaKeyRow } from './ca-keys.db.ts';
import type { CertificateTerms } from './x509.port.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const ROOT_MS = 3653 * DAY_MS;
const ISSUING_MS = 730 * DAY_MS;
/** Tolerated difference of clocks (contract, section 8). */
const BACKDATE_MS = 5 * 60 * 1000;
const REPLACE_BEFORE_MS = 60 * DAY_MS;
/** The longest life of an issued certificate (see certificates.ts) plus a day. */
const OVERLAP_MS = 8 * DAY_MS;

/**
 * 126 random bits in hex. The first digit is 4 to 7: positive, and without a leading zero, which tools write
 * differently (RFC 5280, section 4.1.2.2).
 */
export function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/** In whole seconds, as in X.509. */
export const newTerms = (now: Date, not_after_ms: number): CertificateTerms => ({
  serial: newSerial(),
  not_before: wholeSeconds(now.getTime() - BACKDATE_MS),
  not_after: wholeSeconds(not_after_ms),
});

const wholeSeconds = (ms: number) => new Date(Math.floor(ms / 1000) * 1000);

/** When everything that the key issued has expired. */
export function trustedUntil({ not_after, retired_at }: CaKeyRow): Date {
  if (!retired_at) return not_after;
  return new Date(Math.min(not_after.getTime(), retired_at.getTime() + OVERLAP_MS));
}

/** False when a new key would not last longer, because its root ends. */
export const isReplacementDue = (issuing: CaKeyRow, root: CaKeyRow, now: Date): boolean =>
  root.sealed_private_key !== null &&
  issuing.not_after.getTime() - now.getTime() < REPLACE_BEFORE_MS &&
  issuingEnd(root, now) > issuing.not_after.getTime() + REPLACE_BEFORE_MS;

export const issuingEnd = (root: CaKeyRow, now: Date) =>
  Math.min(now.getTime() + ISSUING_MS, root.not_after.getTime());

export function activeKey(keys: readonly CaKeyRow[], kind: CaKeyRow['kind']): CaKeyRow | undefined {
  return keys.find((key) => key.kind === kind && key.retired_at === null);
}

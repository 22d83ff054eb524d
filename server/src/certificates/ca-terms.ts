import { randomBytes } from 'node:crypto';
import type { CaKeyRow } from './ca-keys.db.ts';
import type { CertificateTerms } from './x509.port.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const ROOT_MS = 3653 * DAY_MS;
const ISSUING_MS = 730 * DAY_MS;
/** Clocks differ: what is issued counts from five minutes ago (contract, section 8). */
const BACKDATE_MS = 5 * 60 * 1000;
/** When an issuing key is replaced by itself. */
const REPLACE_BEFORE_MS = 60 * DAY_MS;
/** The longest life of a certificate that is issued (see certificates.ts), and a day. */
const OVERLAP_MS = 8 * DAY_MS;

/**
 * 126 random bits as 32 hexadecimal digits, the first from 4 to 7: positive, and without a leading zero that one tool
 * writes and another does not (RFC 5280, section 4.1.2.2).
 */
export function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/** From five minutes ago to then, in whole seconds. */
export const newTerms = (now: Date, not_after_ms: number): CertificateTerms => ({
  serial: newSerial(),
  not_before: wholeSeconds(now.getTime() - BACKDATE_MS),
  not_after: wholeSeconds(not_after_ms),
});

const wholeSeconds = (ms: number) => new Date(Math.floor(ms / 1000) * 1000);

/** When a key and all that it issued have run out. */
export function runsOutAt({ not_after, retired_at }: CaKeyRow): Date {
  if (!retired_at) return not_after;
  return new Date(Math.min(not_after.getTime(), retired_at.getTime() + OVERLAP_MS));
}

/** Whether an issuing key nears its end and another one would last longer. */
export const isDue = (issuing: CaKeyRow, root: CaKeyRow, now: Date): boolean =>
  root.sealed_private_key !== null &&
  issuing.not_after.getTime() - now.getTime() < REPLACE_BEFORE_MS &&
  issuingEnd(root, now) > issuing.not_after.getTime() + REPLACE_BEFORE_MS;

/** When an issuing key that is made now ends, in milliseconds: no later than its root. */
export const issuingEnd = (root: CaKeyRow, now: Date) =>
  Math.min(now.getTime() + ISSUING_MS, root.not_after.getTime());

export function atWork(keys: readonly CaKeyRow[], kind: CaKeyRow['kind']): CaKeyRow | undefined {
  return keys.find((key) => key.kind === kind && key.retired_at === null);
}

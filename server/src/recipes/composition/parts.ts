import type { PrimitiveKind } from '../../catalogue/primitives.contract.ts';
import type { Actor } from '../fields/acting-key.ts';

export type Effect = Actor | 'nobody';

/** Why nobody acts; the words complete "Nothing acts on /skills/0: ". */
export interface Reason {
  words: string;
  kind?: PrimitiveKind;
  slug?: string;
}

/** A value in a configuration, and who acts on it. */
export interface Part {
  effect: Effect;
  /** The parts below whose effects may differ. */
  parts?: readonly Below[];
  reason?: Reason;
}

/** Named together where nobody acts on any part. */
const MAX_REASONS = 5;

export type Below = readonly [token: string | number, part: Part];

export const nobody = (reason?: Reason): Part => ({ effect: 'nobody', ...(reason && { reason }) });

/**
 * A value that consists of parts: whoever acts on the first of them that somebody acts on covers it.
 * @param whenEmpty acts on a value without parts
 */
export function partOf(parts: readonly Below[], whenEmpty: Effect): Part {
  const acting = parts.find(([, { effect }]) => effect !== 'nobody');
  const effect = acting?.[1].effect ?? (parts.length === 0 ? whenEmpty : 'nobody');
  // One pointer tells everything where nobody acts on anything.
  if (effect === 'nobody') return nobody(commonReason(parts));
  return { effect, parts };
}

/** The reason of a single part, or the words of the first ones. */
function commonReason(parts: readonly Below[]): Reason | undefined {
  const reasons = parts.slice(0, MAX_REASONS).flatMap(([, { reason }]) => reason ?? []);
  if (parts.length === 1) return reasons[0];
  const words = [...new Set(reasons.map((reason) => reason.words))].join('; ');
  return words === '' ? undefined : { words };
}

import type { PrimitiveKind } from '../../catalogue/primitives.contract.ts';
import type { Actor } from '../fields/acting-key.ts';

export type Effect = Actor | 'nobody';

/** Why nobody acts. The explanation completes "Nothing acts on /skills/0: ". */
export interface Reason {
  explanation: string;
  kind?: PrimitiveKind;
  slug?: string;
}

export interface Part {
  effect: Effect;
  /** Parts whose effects may differ. */
  parts?: readonly Below[];
  reason?: Reason;
}

/** Joined in one explanation. */
const MAX_REASONS = 5;

export type Below = readonly [token: string | number, part: Part];

export const nobody = (reason?: Reason): Part => ({ effect: 'nobody', ...(reason && { reason }) });

/**
 * Its effect is that of the first part that somebody acts on.
 * @param whenEmpty the effect of a value without parts
 */
export function partOf(parts: readonly Below[], whenEmpty: Effect): Part {
  const acting = parts.find(([, { effect }]) => effect !== 'nobody');
  const effect = acting?.[1].effect ?? (parts.length === 0 ? whenEmpty : 'nobody');
  // One pointer suffices when nobody acts on any part.
  if (effect === 'nobody') return nobody(commonReason(parts));
  return { effect, parts };
}

/** The reason of a single part, or the explanations of the first ones. */
function commonReason(parts: readonly Below[]): Reason | undefined {
  const reasons = parts.slice(0, MAX_REASONS).flatMap(([, { reason }]) => reason ?? []);
  if (parts.length === 1) return reasons[0];
  const explanation = [...new Set(reasons.map((reason) => reason.explanation))].join('; ');
  return explanation === '' ? undefined : { explanation };
}

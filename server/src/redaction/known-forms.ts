import { isUuid } from '../platform/contract/formats.ts';
import { dialledDigits, phoneDigits } from './phone-digits.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';

export interface KnownValue {
  kind: StrippedKind;
  text: string;
}

interface KnownForms {
  kind: StrippedKind;
  /** A whole text, folded and trimmed. */
  whole: string | undefined;
  /** Parts of a folded text. */
  embedded: readonly string[];
  /** Parts of the digits of a text. */
  digits: readonly string[];
}

/** Shorter values occur in ordinary words, so only whole texts are compared with them. */
export const MIN_EMBEDDED = 6;
export const MIN_WHOLE = 4;

/** Keeps the number of code units: only İ would become two. */
export const fold = (text: string) => text.replaceAll('İ', 'i').toLowerCase();

export function buildKnownForms({ kind, text }: KnownValue): KnownForms {
  const folded = fold(text.trim());
  const digits = phoneDigits(folded);
  const isShort = folded.length < MIN_EMBEDDED;
  return {
    kind,
    whole: isShort && folded.length >= MIN_WHOLE ? folded : undefined,
    embedded: isShort ? [] : embeddedForms(folded),
    digits: digits === undefined ? [] : kind === 'phone_number' ? dialledDigits(digits) : [digits],
  };
}

/** Forms write a space as +, and UUIDs occur without dashes. */
function embeddedForms(text: string): string[] {
  const all = [text];
  if (text.includes(' ')) all.push(text.replaceAll(' ', '+'));
  if (isUuid(text)) all.push(text.replaceAll('-', ''));
  return all;
}

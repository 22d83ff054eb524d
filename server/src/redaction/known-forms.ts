import { isUuid } from '../platform/contract/formats.ts';
import { dialledDigits, phoneDigits } from './phone-digits.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';

/** A value that must not be told. */
export interface KnownValue {
  kind: StrippedKind;
  text: string;
}

/** The forms in which a known value is recognised in a text. */
export interface KnownForms {
  kind: StrippedKind;
  /** A whole text, folded and trimmed. */
  whole: string | undefined;
  /** Parts of a folded text. */
  embedded: readonly string[];
  /** Parts of the digits of a text. */
  digits: readonly string[];
}

/** Shorter values are parts of ordinary words: only whole texts are compared with them, and the shortest with none. */
export const MIN_EMBEDDED = 6;
export const MIN_WHOLE = 4;

/** Lower case with as many code units; İ alone would become two. */
export const fold = (text: string) => text.replaceAll('İ', 'i').toLowerCase();

export function formsOf({ kind, text }: KnownValue): KnownForms {
  const folded = fold(text.trim());
  const digits = phoneDigits(folded);
  const isShort = folded.length < MIN_EMBEDDED;
  return {
    kind,
    whole: isShort && folded.length >= MIN_WHOLE ? folded : undefined,
    embedded: isShort ? [] : spellings(folded),
    digits: digits === undefined ? [] : kind === 'phone_number' ? dialledDigits(digits) : [digits],
  };
}

/** Forms write a space as +, and some write a UUID without dashes. */
function spellings(text: string): string[] {
  const all = [text];
  if (text.includes(' ')) all.push(text.replaceAll(' ', '+'));
  if (isUuid(text)) all.push(text.replaceAll('-', ''));
  return all;
}

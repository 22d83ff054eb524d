import { isUuid } from '../platform/contract/formats.ts';
import { dialledDigits, phoneDigits } from './phone-digits.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';

/** Something that must not be told, and what it is. */
export interface KnownValue {
  kind: StrippedKind;
  text: string;
}

/** By what a known value is recognised in a text. */
export interface KnownForms {
  kind: StrippedKind;
  /** What a whole text may be, folded and trimmed. */
  whole: string | undefined;
  /** What may stand anywhere in a folded text. */
  embedded: readonly string[];
  /** What may stand among the digits of a text. */
  digits: readonly string[];
}

/** Shorter ones are parts of ordinary words: they are looked for as whole values alone, and the shortest not at all. */
export const MIN_EMBEDDED = 6;
export const MIN_WHOLE = 4;

/** Without case, one code unit for one: İ alone would become two. */
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

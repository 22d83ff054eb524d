import { digitsOf, phoneDigits } from '../phone-digits.ts';
import type { StrippedKind } from './secret-keys.ts';
import { findByPattern } from './secret-patterns.ts';
import { TextMatcher } from './text-matcher.ts';
import { inSource, viewsOf } from './text-views.ts';

/** Something that must not be told, and what it is. */
export interface KnownValue {
  kind: StrippedKind;
  text: string;
}

export interface Redacted {
  /** undefined: there is nothing else in the text. */
  text: string | undefined;
  /** What was found, empty when the text stays as it is. */
  kinds: ReadonlySet<StrippedKind>;
}

interface Found {
  kind: StrippedKind;
  start: number;
  end: number;
}

/** Shorter ones are parts of ordinary words: they are looked for as whole values alone, and the shortest not at all. */
const MIN_EMBEDDED = 6;
const MIN_WHOLE = 4;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Without case, one code unit for one: İ alone would become two. */
const fold = (text: string) => text.replaceAll('İ', 'i').toLowerCase();

/**
 * Takes known values and what looks like a secret out of texts: in any case, inside other text, as URLs and JSON write
 * it, and phone numbers however they are grouped. Linear in the text, whatever the number of values.
 */
export class Redactor {
  readonly #kinds: ReadonlySet<StrippedKind>;
  readonly #known: readonly KnownValue[];
  readonly #matcher: TextMatcher;
  readonly #phones: readonly KnownValue[];
  readonly #phoneMatcher: TextMatcher;
  readonly #short: ReadonlyMap<string, StrippedKind>;

  /** @param kinds what is looked for by its form, besides the known values */
  constructor(values: readonly KnownValue[], kinds: ReadonlySet<StrippedKind>) {
    const known = values.map(({ kind, text }) => ({ kind, text: fold(text.trim()) }));
    this.#kinds = kinds;
    this.#known = known.filter(({ text }) => text.length >= MIN_EMBEDDED).flatMap(spellings);
    this.#matcher = new TextMatcher(this.#known.map(({ text }) => text));
    this.#phones = known.flatMap(({ kind, text }) => {
      const digits = phoneDigits(text);
      return digits === undefined ? [] : [{ kind, text: digits }];
    });
    this.#phoneMatcher = new TextMatcher(this.#phones.map(({ text }) => text));
    const isShort = ({ text }: KnownValue) => text.length >= MIN_WHOLE && text.length < MIN_EMBEDDED;
    this.#short = new Map(known.filter(isShort).map(({ kind, text }) => [text, kind]));
  }

  redact(text: string): Redacted {
    const short = this.#short.get(fold(text.trim()));
    if (short) return { text: undefined, kinds: new Set([short]) };
    const found = this.#find(text);
    const kinds = new Set(found.map(({ kind }) => kind));
    if (found.length === 0) return { text, kinds };
    const { rest, replaced } = replace(text, found);
    // What is left over after that (a secret that a placeholder spells) costs the whole text.
    const isWhole = !/[\p{L}\p{N}]/u.test(rest) || this.#find(replaced).length > 0;
    return { text: isWhole ? undefined : replaced, kinds };
  }

  /** Where something is, in order and without overlap. */
  #find(text: string): Found[] {
    const found = viewsOf(text).flatMap((view) =>
      [...this.#findIn(view.text)].map(({ kind, start, end }) => {
        const [from, to] = inSource(view, start, end);
        return { kind, start: from, end: to };
      }),
    );
    return merged(found);
  }

  *#findIn(text: string): Generator<Found> {
    yield* named(this.#known, this.#matcher, fold(text));
    yield* findByPattern(text, this.#kinds);
    if (this.#phones.length === 0 || !/\d/.test(text)) return;
    const { digits, places } = digitsOf(text);
    for (const { kind, start, end } of named(this.#phones, this.#phoneMatcher, digits)) {
      yield { kind, start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 };
    }
  }
}

function* named(values: readonly KnownValue[], matcher: TextMatcher, text: string): Generator<Found> {
  for (const { start, end, pattern } of matcher.find(text)) {
    yield { kind: (values[pattern] as KnownValue).kind, start, end };
  }
}

/** Forms write a space as +, and some write a UUID without dashes. */
function spellings(value: KnownValue): KnownValue[] {
  const { kind, text } = value;
  const others = [
    ...(text.includes(' ') ? [text.replaceAll(' ', '+')] : []),
    ...(UUID.test(text) ? [text.replaceAll('-', '')] : []),
  ];
  return [value, ...others.map((text) => ({ kind, text }))];
}

function merged(found: readonly Found[]): Found[] {
  const result: Found[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && next.start < last.end) last.end = Math.max(last.end, next.end);
    else result.push({ ...next });
  }
  return result;
}

function replace(text: string, found: readonly Found[]): { rest: string; replaced: string } {
  const rest: string[] = [];
  const replaced: string[] = [];
  let done = 0;
  for (const { kind, start, end } of found) {
    const before = text.slice(done, start);
    rest.push(before);
    replaced.push(before, `[${kind}]`);
    done = end;
  }
  rest.push(text.slice(done));
  replaced.push(text.slice(done));
  return { rest: rest.join(''), replaced: replaced.join('') };
}

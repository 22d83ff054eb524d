import type { Steps } from '../platform/load/in-turns.ts';
import { AhoCorasick } from './aho-corasick.ts';
import { fold, formsOf, type KnownValue, MIN_EMBEDDED, MIN_WHOLE } from './known-forms.ts';
import { digitsOf, mayHoldPhone } from './phone-digits.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';
import { searchByPattern } from './secret-patterns.ts';
import { inSource, viewsOf } from './text-views.ts';

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

/** From here on one look over a text takes as long as a turn of the event loop should. */
const LONG = 10_000;
const NOTHING: ReadonlySet<StrippedKind> = new Set();

/**
 * Takes known values and what looks like a secret out of texts: in any case, inside other text, as URLs, JSON and base64
 * write it, and phone numbers however they are grouped. Linear in the text, whatever the number of values.
 */
export class Redactor {
  /** What texts became with placeholders in them, whether or not it was kept. */
  readonly replaced: string[] = [];
  readonly #kinds: ReadonlySet<StrippedKind>;
  readonly #known: readonly KnownValue[];
  readonly #matcher: AhoCorasick;
  readonly #phones: readonly KnownValue[];
  readonly #phoneMatcher: AhoCorasick;
  readonly #short: ReadonlyMap<string, StrippedKind>;

  /** @param kinds what is looked for by its form, besides the known values */
  constructor(values: readonly KnownValue[], kinds: ReadonlySet<StrippedKind>) {
    const known = values.map(formsOf);
    this.#kinds = kinds;
    this.#known = known.flatMap(({ kind, embedded }) => embedded.map((text) => ({ kind, text })));
    this.#matcher = new AhoCorasick(this.#known.map(({ text }) => text));
    this.#phones = known.flatMap(({ kind, digits }) => digits.map((text) => ({ kind, text })));
    this.#phoneMatcher = new AhoCorasick(this.#phones.map(({ text }) => text));
    this.#short = new Map(known.flatMap(({ kind, whole }) => (whole === undefined ? [] : [[whole, kind]])));
  }

  *redact(text: string): Steps<Redacted> {
    if (text.length < MIN_WHOLE) return { text, kinds: NOTHING };
    yield;
    const short = this.#short.get(fold(text.trim()));
    if (short) return { text: undefined, kinds: new Set([short]) };
    const found = yield* this.#find(text);
    if (found.length === 0) return { text, kinds: NOTHING };
    const kinds = new Set(found.map(({ kind }) => kind));
    const { rest, replaced } = replace(text, found);
    if (!/[\p{L}\p{N}]/u.test(rest)) return { text: undefined, kinds };
    this.replaced.push(replaced);
    // What is left over after that (a secret that a placeholder spells) costs the whole text.
    const isWhole = (yield* this.#find(replaced)).length > 0;
    return { text: isWhole ? undefined : replaced, kinds };
  }

  /** Where something is, in order and without overlap. */
  *#find(text: string): Steps<Found[]> {
    const found: Found[] = [];
    if (text.length < MIN_EMBEDDED) return found;
    for (const view of viewsOf(text)) {
      for (const search of this.#searches(view.text)) {
        for (const { kind, start, end } of search) {
          const [from, to] = inSource(view, start, end);
          found.push({ kind, start: from, end: to });
        }
        if (text.length >= LONG) yield;
      }
    }
    return found.length === 0 ? found : merged(found);
  }

  /** One look over the text after the other. */
  *#searches(text: string): Generator<Iterable<Found>> {
    yield named(this.#known, this.#matcher, fold(text));
    yield* searchByPattern(text, this.#kinds);
    if (this.#phones.length > 0 && mayHoldPhone(text)) yield this.#findPhones(text);
  }

  *#findPhones(text: string): Generator<Found> {
    const { digits, places } = digitsOf(text);
    for (const { kind, start, end } of named(this.#phones, this.#phoneMatcher, digits)) {
      yield { kind, start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 };
    }
  }
}

function* named(values: readonly KnownValue[], matcher: AhoCorasick, text: string): Generator<Found> {
  for (const { start, end, pattern } of matcher.find(text)) {
    yield { kind: (values[pattern] as KnownValue).kind, start, end };
  }
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

import { AhoCorasick } from './aho-corasick.ts';
import { buildKnownForms, fold, type KnownValue, MIN_EMBEDDED, MIN_WHOLE } from './known-forms.ts';
import { extractDigits, mayContainPhone } from './phone-digits.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';
import { matchPatterns } from './secret-patterns.ts';
import { decodedViews, toSourceRange } from './text-views.ts';

interface Redacted {
  /** undefined when nothing else is left. */
  text: string | undefined;
  /** Empty when the text is unchanged. */
  kinds: ReadonlySet<StrippedKind>;
}

interface Found {
  kind: StrippedKind;
  start: number;
  end: number;
}

const NOTHING: ReadonlySet<StrippedKind> = new Set();

/**
 * Removes known values and texts in the form of a secret: in any case, inside other text, encoded as URL, JSON or base64, phone
 * numbers in any grouping. Linear in the text for any number of values.
 */
export class Redactor {
  /** Texts after replacement, including those that were then removed. */
  readonly replaced: string[] = [];
  readonly #kinds: ReadonlySet<StrippedKind>;
  readonly #known: readonly KnownValue[];
  readonly #matcher: AhoCorasick;
  readonly #phones: readonly KnownValue[];
  readonly #phoneMatcher: AhoCorasick;
  readonly #short: ReadonlyMap<string, StrippedKind>;

  /** @param kinds found by their form, besides the known values */
  constructor(values: readonly KnownValue[], kinds: ReadonlySet<StrippedKind>) {
    const known = values.map(buildKnownForms);
    this.#kinds = kinds;
    this.#known = known.flatMap(({ kind, embedded }) => embedded.map((text) => ({ kind, text })));
    this.#matcher = new AhoCorasick(this.#known.map(({ text }) => text));
    this.#phones = known.flatMap(({ kind, digits }) => digits.map((text) => ({ kind, text })));
    this.#phoneMatcher = new AhoCorasick(this.#phones.map(({ text }) => text));
    this.#short = new Map(known.flatMap(({ kind, whole }) => (whole === undefined ? [] : [[whole, kind]])));
  }

  /** For a redactor that lives long. */
  forgetReplaced(): void {
    this.replaced.length = 0;
  }

  redact(text: string): Redacted {
    if (text.length < MIN_WHOLE) return { text, kinds: NOTHING };
    const short = this.#short.get(fold(text.trim()));
    if (short) return { text: undefined, kinds: new Set([short]) };
    const found = this.#find(text);
    if (found.length === 0) return { text, kinds: NOTHING };
    const kinds = new Set(found.map(({ kind }) => kind));
    const { rest, replaced } = replace(text, found);
    if (!/[\p{L}\p{N}]/u.test(rest)) return { text: undefined, kinds };
    this.replaced.push(replaced);
    // A placeholder can complete a known value; then the whole text goes.
    const isSafe = this.#find(replaced).length === 0;
    return { text: isSafe ? replaced : undefined, kinds };
  }

  #find(text: string): Found[] {
    if (text.length < MIN_EMBEDDED) return [];
    const found: Found[] = [];
    for (const view of decodedViews(text)) {
      for (const { kind, start, end } of this.#findIn(view.text)) {
        const [from, to] = toSourceRange(view, start, end);
        found.push({ kind, start: from, end: to });
      }
    }
    return mergeOverlaps(found);
  }

  *#findIn(text: string): Generator<Found> {
    yield* findMatches(this.#known, this.#matcher, fold(text));
    yield* matchPatterns(text, this.#kinds);
    if (this.#phones.length > 0 && mayContainPhone(text)) yield* this.#findPhones(text);
  }

  *#findPhones(text: string): Generator<Found> {
    const { digits, places } = extractDigits(text);
    for (const { kind, start, end } of findMatches(this.#phones, this.#phoneMatcher, digits)) {
      yield { kind, start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 };
    }
  }
}

function* findMatches(values: readonly KnownValue[], matcher: AhoCorasick, text: string): Generator<Found> {
  for (const { start, end, pattern } of matcher.find(text)) {
    yield { kind: (values[pattern] as KnownValue).kind, start, end };
  }
}

function mergeOverlaps(found: readonly Found[]): Found[] {
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

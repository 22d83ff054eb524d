import { NgramFilter } from './bloom-filter.ts';
import { buildKnownForms, fold, type KnownValue, MIN_EMBEDDED } from './known-forms.ts';
import { extractDigits, MIN_DIGITS, mayContainPhone } from './phone-digits.ts';
import { decodedViews } from './text-views.ts';

/**
 * Selects the few known values that texts may mention, so redaction need not hold all. Never false for a value that a
 * Redactor would find.
 */
export class Mentions {
  readonly #whole = new Set<string>();
  readonly #embedded = new NgramFilter(MIN_EMBEDDED);
  readonly #digits = new NgramFilter(MIN_DIGITS);

  constructor(texts: Iterable<string>) {
    for (const text of texts) this.#add(text);
  }

  mayMention(value: KnownValue): boolean {
    const { whole, embedded, digits } = buildKnownForms(value);
    return (
      (whole !== undefined && this.#whole.has(whole)) ||
      embedded.some((text) => this.#embedded.mayContain(text)) ||
      digits.some((text) => this.#digits.mayContain(text))
    );
  }

  #add(text: string): void {
    const whole = fold(text.trim());
    if (whole.length < MIN_EMBEDDED) this.#whole.add(whole);
    if (text.length < MIN_EMBEDDED) return;
    for (const view of decodedViews(text)) {
      this.#embedded.add(fold(view.text));
      if (mayContainPhone(view.text)) this.#digits.add(extractDigits(view.text).digits);
    }
  }
}

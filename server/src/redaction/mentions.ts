import { NgramFilter } from './bloom-filter.ts';
import { fold, formsOf, type KnownValue, MIN_EMBEDDED } from './known-forms.ts';
import { digitsOf, MIN_DIGITS, mayHoldPhone } from './phone-digits.ts';
import { viewsOf } from './text-views.ts';

/**
 * Tells of a known value whether some texts may mention it: never no for a value that a Redactor would find in them,
 * seldom yes for another. So only few of any number of known values have to be held to redact the texts.
 */
export class Mentions {
  readonly #whole = new Set<string>();
  readonly #embedded = new NgramFilter(MIN_EMBEDDED);
  readonly #digits = new NgramFilter(MIN_DIGITS);

  constructor(texts: Iterable<string>) {
    for (const text of texts) this.#add(text);
  }

  mayHold(value: KnownValue): boolean {
    const { whole, embedded, digits } = formsOf(value);
    return (
      (whole !== undefined && this.#whole.has(whole)) ||
      embedded.some((text) => this.#embedded.mayContain(text)) ||
      digits.some((text) => this.#digits.mayContain(text))
    );
  }

  /** Reads a text as a Redactor does. */
  #add(text: string): void {
    const whole = fold(text.trim());
    if (whole.length < MIN_EMBEDDED) this.#whole.add(whole);
    if (text.length < MIN_EMBEDDED) return;
    for (const view of viewsOf(text)) {
      this.#embedded.add(fold(view.text));
      if (mayHoldPhone(view.text)) this.#digits.add(digitsOf(view.text).digits);
    }
  }
}

import type { Steps } from '../platform/load/in-turns.ts';
import { NgramFilter } from './bloom-filter.ts';
import { fold, formsOf, type KnownValue, MIN_EMBEDDED } from './known-forms.ts';
import { digitsOf, MIN_DIGITS, mayHoldPhone } from './phone-digits.ts';
import { viewsOf } from './text-views.ts';

/**
 * What some texts may mention. Of the many values that a service knows it tells those apart that need not be looked for,
 * whose number is then bounded by the texts: never a no for one that a Redactor would find in them, seldom a yes for
 * another.
 */
export class Mentions {
  readonly #whole = new Set<string>();
  readonly #embedded = new NgramFilter(MIN_EMBEDDED);
  readonly #digits = new NgramFilter(MIN_DIGITS);

  static *in(texts: Iterable<string>): Steps<Mentions> {
    const mentions = new Mentions();
    for (const text of texts) {
      yield;
      yield* mentions.#add(text);
    }
    return mentions;
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
  *#add(text: string): Steps<void> {
    const whole = fold(text.trim());
    if (whole.length < MIN_EMBEDDED) this.#whole.add(whole);
    if (text.length < MIN_EMBEDDED) return;
    for (const view of viewsOf(text)) {
      this.#embedded.add(fold(view.text));
      yield;
      if (mayHoldPhone(view.text)) this.#digits.add(digitsOf(view.text).digits);
      yield;
    }
  }
}

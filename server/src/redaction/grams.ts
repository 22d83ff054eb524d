const BITS = 23;
/** Odd, so that no code unit is lost, and so that neighbours come to lie apart (Knuth's multiplicative hash). */
const BASE = 0x01000193;
const SPREAD = 0x9e3779b1;

/**
 * Which stretches of `length` code units some texts have, in one megabyte however many they are (Bloom, 1970): never a
 * no for one that they have, and seldom a yes for another.
 */
export class Grams {
  readonly #length: number;
  /** BASE to the power of `length`: what a code unit weighs when it leaves the stretch. */
  readonly #leaving: number;
  readonly #bits = new Uint8Array(2 ** (BITS - 3));

  constructor(length: number) {
    this.#length = length;
    this.#leaving = Array.from({ length }).reduce<number>((power) => Math.imul(power, BASE), 1);
  }

  add(text: string): void {
    this.#isEach(text, (bit) => {
      this.#bits[bit >>> 3] = this.#byteOf(bit) | (1 << (bit & 7));
      return true;
    });
  }

  /** Whether a text may stand in one of those that were added; it may where it is shorter than `length`. */
  hasAllOf(text: string): boolean {
    return this.#isEach(text, (bit) => (this.#byteOf(bit) & (1 << (bit & 7))) !== 0);
  }

  #byteOf(bit: number): number {
    return this.#bits[bit >>> 3] ?? 0;
  }

  /** Whether this holds of the place of each stretch; none is looked at after one of which it does not. */
  #isEach(text: string, holds: (bit: number) => boolean): boolean {
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = this.#moved(hash, text, at);
      if (at + 1 >= this.#length && !holds(placeOf(hash))) return false;
    }
    return true;
  }

  /** The hash of the stretch that ends at `at`, from that of the one before. */
  #moved(hash: number, text: string, at: number): number {
    const before = at < this.#length ? 0 : Math.imul(text.charCodeAt(at - this.#length), this.#leaving);
    return (Math.imul(hash, BASE) + text.charCodeAt(at) - before) | 0;
  }
}

const placeOf = (hash: number) => Math.imul(hash, SPREAD) >>> (32 - BITS);

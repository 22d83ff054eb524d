const BITS = 23;
/** Odd, so that no code unit is lost, and so that neighbours come to lie apart (Knuth's multiplicative hash). */
const BASE = 0x01000193;
const SPREAD = 0x9e3779b1;

/**
 * A Bloom filter (1970) of the n-grams of texts, one megabyte however many texts there are: never a false negative, and
 * seldom a false positive. The hash of an n-gram is rolled on from the one before it.
 */
export class NgramFilter {
  readonly #length: number;
  /** BASE to the power of `length`: the weight of the code unit that leaves the n-gram. */
  readonly #leaving: number;
  readonly #bits = new Uint8Array(2 ** (BITS - 3));

  /** @param length code units of an n-gram */
  constructor(length: number) {
    this.#length = length;
    this.#leaving = Array.from({ length }).reduce<number>((power) => Math.imul(power, BASE), 1);
  }

  add(text: string): void {
    this.#every(text, (bit) => {
      this.#bits[bit >>> 3] = this.#byteOf(bit) | (1 << (bit & 7));
      return true;
    });
  }

  /** False when the text is in none of those that were added. True for a text that is shorter than an n-gram. */
  mayContain(text: string): boolean {
    return this.#every(text, (bit) => (this.#byteOf(bit) & (1 << (bit & 7))) !== 0);
  }

  #byteOf(bit: number): number {
    return this.#bits[bit >>> 3] ?? 0;
  }

  /** True when `holds` is true for the bit of each n-gram; stops at the first one for which it is false. */
  #every(text: string, holds: (bit: number) => boolean): boolean {
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = this.#rolled(hash, text, at);
      if (at + 1 >= this.#length && !holds(bitOf(hash))) return false;
    }
    return true;
  }

  /** The hash of the n-gram that ends at `at`, from the hash of the one before. */
  #rolled(hash: number, text: string, at: number): number {
    const before = at < this.#length ? 0 : Math.imul(text.charCodeAt(at - this.#length), this.#leaving);
    return (Math.imul(hash, BASE) + text.charCodeAt(at) - before) | 0;
  }
}

const bitOf = (hash: number) => Math.imul(hash, SPREAD) >>> (32 - BITS);

const BITS = 23;
/** Odd, to lose no code unit; SPREAD moves neighbours apart (Knuth's multiplicative hash). */
const BASE = 0x01000193;
const SPREAD = 0x9e3779b1;

/** N-grams of texts with a rolling hash, in one megabyte. No false negatives, few false positives. */
export class NgramFilter {
  readonly #length: number;
  /** The weight of the code unit that leaves the n-gram. */
  readonly #leaving: number;
  readonly #bits = new Uint8Array(2 ** (BITS - 3));

  /** @param length code units of an n-gram */
  constructor(length: number) {
    this.#length = length;
    this.#leaving = Array.from({ length }).reduce<number>((power) => Math.imul(power, BASE), 1);
  }

  add(text: string): void {
    this.#every(text, (bit) => {
      this.#bits[bit >>> 3] = this.#getByte(bit) | (1 << (bit & 7));
      return true;
    });
  }

  /** True for a text that is shorter than an n-gram. */
  mayContain(text: string): boolean {
    return this.#every(text, (bit) => (this.#getByte(bit) & (1 << (bit & 7))) !== 0);
  }

  #getByte(bit: number): number {
    return this.#bits[bit >>> 3] ?? 0;
  }

  #every(text: string, holds: (bit: number) => boolean): boolean {
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = this.#rollHash(hash, text, at);
      if (at + 1 >= this.#length && !holds(toBit(hash))) return false;
    }
    return true;
  }

  #rollHash(hash: number, text: string, at: number): number {
    const before = at < this.#length ? 0 : Math.imul(text.charCodeAt(at - this.#length), this.#leaving);
    return (Math.imul(hash, BASE) + text.charCodeAt(at) - before) | 0;
  }
}

const toBit = (hash: number) => Math.imul(hash, SPREAD) >>> (32 - BITS);

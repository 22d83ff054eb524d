/** A semaphore: work is done by at most `places` at once, in the order of the calls; 1 makes it one after the other. */
export class Turns {
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Nobody works and nobody waits. */
  get isFree(): boolean {
    return this.#taken === 0;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken++;
    // Whoever finishes hands its place over, so `#taken` stays as it is.
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }
}

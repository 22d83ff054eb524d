/** For how long an engine may be out of reach before its place counts as such. */
const AWAY_AFTER_MS = 15_000;

/** Tells if the engine's runtimes are being watched. Otherwise, what was seen of them may be outdated. */
export class Reach {
  readonly #awayAfterMs: number;
  #isConnected = false;
  #since = performance.now();

  constructor(awayAfterMs = AWAY_AFTER_MS) {
    this.#awayAfterMs = awayAfterMs;
  }

  /** A full list arrived. @returns false if it was connected already */
  connect(): boolean {
    const isNew = !this.#isConnected;
    this.#isConnected = true;
    return isNew;
  }

  disconnect(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#since = performance.now();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get isAway(): boolean {
    return !this.#isConnected && performance.now() - this.#since >= this.#awayAfterMs;
  }

  /** null: not known yet, or away for a moment. */
  get reachable(): boolean | null {
    if (this.#isConnected) return true;
    return this.isAway ? false : null;
  }
}

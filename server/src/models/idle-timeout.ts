/** Aborts `signal` when it was not restarted in time, or at the end of all time that there is. */
export class IdleTimeout {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  #timer: NodeJS.Timeout;
  #isOver = false;

  /** @param mostMs for everything, from now on */
  constructor(ms: number, mostMs: number) {
    this.#endsAt = performance.now() + mostMs;
    this.#timer = this.#start(ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It was aborted at the end of all time, so no restart helps. */
  get isOver(): boolean {
    return this.#isOver;
  }

  restart(ms: number): void {
    this.end();
    this.#timer = this.#start(ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #start(ms: number): NodeJS.Timeout {
    const left = Math.max(0, this.#endsAt - performance.now());
    // A timer may fire a fraction of a millisecond early, so the clock does not tell which limit it was.
    return setTimeout(
      () => {
        this.#isOver = left <= ms;
        this.#controller.abort();
      },
      Math.min(ms, left),
    );
  }
}

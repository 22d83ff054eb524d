/** Aborts `signal` when it was not restarted in time, or at the end of all time that there is. */
export class IdleTimeout {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  #timer: NodeJS.Timeout;

  /** @param mostMs for everything, from now on */
  constructor(ms: number, mostMs: number) {
    this.#endsAt = performance.now() + mostMs;
    this.#timer = setTimeout(() => this.#controller.abort(), Math.min(ms, mostMs));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** No restart helps any more. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  restart(ms: number): void {
    this.end();
    const left = Math.max(0, this.#endsAt - performance.now());
    this.#timer = setTimeout(() => this.#controller.abort(), Math.min(ms, left));
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

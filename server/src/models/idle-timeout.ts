/** Aborts `signal` when it was not restarted in time. */
export class IdleTimeout {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(ms: number): void {
    this.end();
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

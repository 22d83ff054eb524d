/**
 * The calls for one instance. A start that is asked for again while it waits or is under way is the same one, and so is
 * an end: a caller that repeats itself while the place is silent adds nothing. An end aborts all starts before it.
 */
export class Calls {
  readonly #instance_id: string;
  #untilStop = new AbortController();
  #ensuring: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(instance_id: string) {
    this.#instance_id = instance_id;
  }

  get isIdle(): boolean {
    return !this.#ensuring && !this.#stopping;
  }

  /** @param begin must not reject */
  ensure(begin: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#stopping = undefined;
    const ensuring = this.#ensuring ?? begin(this.#untilStop.signal);
    this.#ensuring = ensuring;
    void ensuring.finally(() => {
      if (this.#ensuring === ensuring) this.#ensuring = undefined;
    });
    return ensuring;
  }

  /** @param begin must not reject */
  stop(begin: () => Promise<void>): Promise<void> {
    this.abort();
    const stopping = this.#stopping ?? begin();
    this.#stopping = stopping;
    void stopping.finally(() => {
      if (this.#stopping === stopping) this.#stopping = undefined;
    });
    return stopping;
  }

  /** Starts under way end. */
  abort(): void {
    this.#ensuring = undefined;
    this.#untilStop.abort(new Error(`The runtime of instance ${this.#instance_id} is being stopped`));
    this.#untilStop = new AbortController();
  }

  /** The caller is told of an end. Its answer is a new start or end, not one that was asked for before. */
  forget(): void {
    [this.#ensuring, this.#stopping] = [undefined, undefined];
  }
}

import { EventEmitter, on } from 'node:events';
import type { Observed } from '../../runtimes/engine.port.ts';

export type Change = { all: readonly Observed[] } | Observed;

export interface Following {
  /** Aborted when the watch ends. */
  signal: AbortSignal;
  /** Ends the watch with an error. */
  fail: (error: unknown) => void;
}

/** Tells everybody who watches an engine what has changed. */
export class Changes {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  tell(change: Change): void {
    this.#emitter.emit('change', change);
  }

  /**
   * @param follow begins to follow the place. Changes that it tells meanwhile come after what it returns.
   * @param ended resolves when nothing follows it any more
   */
  async *watch(
    signal: AbortSignal,
    follow: (following: Following) => Promise<Change | undefined>,
    ended: () => Promise<void> = async () => {},
  ): AsyncGenerator<Change> {
    signal.throwIfAborted();
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    const changes = on(this.#emitter, 'change', { signal: both });
    try {
      const first = await follow({ signal: both, fail: (error) => over.abort(error) });
      if (first) yield first;
      for await (const [change] of changes as AsyncIterable<[Change]>) yield change;
    } catch (error) {
      if (over.signal.aborted && !signal.aborted) throw over.signal.reason;
      throw error;
    } finally {
      over.abort();
      await ended();
    }
  }
}

import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import { Retry } from './retry.ts';

export interface AnnouncerOptions {
  instance_id: string;
  log: Log;
  onAddress: (address: string | null) => Promise<void>;
  /** Where the runtime is now; null: gone for good; undefined: about to be somewhere. */
  current: () => string | null | undefined;
}

/** Sees to it that the owner of the engine knows where a runtime is: once per change, again until it is heard. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #oneAtATime = new Semaphore(1);
  readonly #retry = new Retry();
  #known: string | null = null;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** The owner has learnt this by itself: it asked for the start, or for the stop. */
  note(address: string | null): void {
    this.#retry.cancel();
    this.#known = address;
  }

  /** Announces the current address unless it is known. Resolves after the first try; an abort ends the tries. */
  announce(signal: AbortSignal): Promise<void> {
    const { instance_id, log, onAddress, current } = this.#options;
    return this.#oneAtATime.run(async () => {
      const address = current();
      if (signal.aborted || address === undefined || address === this.#known) return;
      try {
        await onAddress(address);
        this.#retry.forget();
        if (!signal.aborted) this.#known = address;
      } catch (error) {
        log.error({ instance_id, err: error }, "a runtime's address could not be recorded; trying again");
        if (!signal.aborted) this.#retry.later(() => this.announce(signal));
      }
    });
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from './semaphore.ts';

/**
 * Runs few pieces of work at once, in the order of the calls. One that takes long, as behind a lock, stops counting: it
 * holds up the next one for `countsForMs` at most.
 */
export class PatientTurns {
  readonly #places: Semaphore;
  readonly #countsForMs: number;

  constructor(places: number, countsForMs: number) {
    this.#places = new Semaphore(places);
    this.#countsForMs = countsForMs;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    let begun: Promise<T> | undefined;
    await this.#places.run(async () => {
      begun = work();
      const over = new AbortController();
      const end = () => over.abort();
      begun.then(end, end);
      await sleep(this.#countsForMs, undefined, { signal: over.signal }).catch(() => {});
    });
    return begun as Promise<T>;
  }
}

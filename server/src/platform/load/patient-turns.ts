import { FairSemaphore } from './semaphore.ts';

/**
 * Runs few pieces of work at once, in the order of the calls. One that takes long, as behind a lock, stops counting: it
 * holds up the next one for `countsForMs` at most.
 */
export class PatientTurns {
  readonly #places: FairSemaphore;

  constructor(places: number, countsForMs: number) {
    this.#places = new FairSemaphore({ ofAll: places, countsForMs });
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#places.run('', work);
  }
}

import { Semaphore } from './semaphore.ts';

/** Work per key: one piece of a key at a time, a limited number in parallel. `work` must not reject. */
export class KeyedQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #permits: Semaphore;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  #isClosed = false;

  constructor(parallel: number, work: (key: string) => Promise<void>) {
    this.#permits = new Semaphore(parallel);
    this.#work = work;
  }

  /** Has the work of a key done soon; once more when it is being done now. */
  add(key: string): void {
    if (this.#isClosed || this.#waiting.has(key)) return;
    if (this.#running.has(key)) return void this.#again.add(key);
    this.#waiting.add(key);
    void this.#permits.run(() => this.#run(key));
  }

  async #run(key: string): Promise<void> {
    this.#waiting.delete(key);
    if (this.#isClosed) return;
    const work = this.#work(key);
    this.#running.set(key, work);
    await work;
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Drops the work that waits. Resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running.values());
  }
}

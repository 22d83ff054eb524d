import { Semaphore } from './semaphore.ts';

/** Runs at most one piece of work per key and a limited number in total. `work` must not reject. */
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

  /** Schedules a key. If it is running, it runs once more afterwards. */
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

  /** Drops waiting keys. Resolves when none is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running.values());
  }
}

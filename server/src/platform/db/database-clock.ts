import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemDb } from './queryable.ts';
import { sql } from './sql.ts';

const ASK_EVERY_MS = 5000;

/** No read: those of several callers travel together. */
const databaseTime = () =>
  sql<{ at: Date }>`with asked as (select clock_timestamp() as at) select at from asked`.one();

/**
 * The database's clock, as far as round trips tell: all copies judge by one, whatever their machines say. Between two
 * questions it runs on by itself, so a machine whose clock is set changes nothing.
 */
export class DatabaseClock {
  readonly #db: SystemDb;
  readonly #closing = new AbortController();
  #asksOn = false;
  /** Added to the time since this process began. */
  #baseMs = Date.now() - performance.now();

  constructor(db: SystemDb) {
    this.#db = db;
  }

  readonly now = (): Date => new Date(this.#baseMs + performance.now());

  /** Asks for the first time, and from then on every few seconds. Rejects when the database does not answer. */
  async start(): Promise<void> {
    await this.#ask();
    if (this.#asksOn) return;
    this.#asksOn = true;
    void this.#askOn();
  }

  close(): void {
    this.#closing.abort();
  }

  async #askOn(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await sleep(ASK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      // While the database is away, it judges nothing.
      if (!signal.aborted) await this.#ask().catch(() => {});
    }
  }

  async #ask(): Promise<void> {
    const before = performance.now();
    const { at } = await this.#db.run(databaseTime());
    const after = performance.now();
    // It was asked somewhere between; the reading of the database is cut to milliseconds.
    const [least, most] = [at.getTime() - after, at.getTime() + 1 - before];
    if (this.#baseMs < least || this.#baseMs > most) this.#baseMs = (least + most) / 2;
  }
}

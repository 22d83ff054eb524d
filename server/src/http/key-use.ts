import type { Database } from '../db/database.ts';
import { touchApiKeys } from '../domain/api-keys.ts';
import type { Clock } from '../domain/ports.ts';

const FLUSH_AFTER_MS = 1000;

/** Notes when API keys were last used: in memory at once, in the database a second later, all keys in one statement. */
export class KeyUse {
  readonly #db: Database;
  readonly #clock: Clock;
  #used = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  note(key_id: string): void {
    this.#used.set(key_id, this.#clock());
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = this.#used;
    this.#used = new Map();
    if (used.size === 0) return;
    // Losing a note costs nobody anything, so a failure is left to the next request that meets it.
    await touchApiKeys(this.#db.system, [...used.keys()], [...used.values()]).catch(() => undefined);
  }
}

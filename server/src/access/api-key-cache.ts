import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Clock } from '../platform/ports.ts';
import { type ApiKeyRow, findLiveApiKey, touchApiKeys } from './api-keys.ts';

/** How long a key is believed since the database was asked, should the notification of its end get lost. */
const BELIEVED_MS = 1000;
/** So soon that who calls all the time never waits for the question. */
const NOTED_AFTER_MS = 700;
const KEYS_KEPT = 10_000;

/**
 * A cache of the API keys that were used just now. A use is noted in memory at once and in the database a little later,
 * all keys in one statement, which tells at the same time what each of them is now.
 */
export class ApiKeyCache {
  readonly #db: Pick<Database, 'system'>;
  readonly #clock: Clock;
  /** By the hash of the key. */
  readonly #known = new LRUCache<string, ApiKeyRow>({
    max: KEYS_KEPT,
    ttl: BELIEVED_MS,
    // Looking at the clock is cheaper than the timer with which the cache would spare that.
    ttlResolution: 0,
  });
  #used = new Map<string, { id: string; at: Date }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Pick<Database, 'system'>, notifications: Notifications, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    notifications.subscribe('api_keys', () => this.#known.clear());
  }

  /** A key that is neither revoked nor expired, and is used by this; undefined: there is none. */
  async use(key: string): Promise<ApiKeyRow | undefined> {
    const key_hash = hash('sha256', key, 'base64');
    const at = this.#clock();
    const row = this.#known.get(key_hash) ?? (await this.#ask(key_hash, at));
    if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined;
    this.#used.set(key_hash, { id: row.id, at });
    this.#timer ??= setTimeout(() => void this.note(), NOTED_AFTER_MS).unref();
    return row;
  }

  async note(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = this.#used;
    this.#used = new Map();
    if (used.size === 0) return;
    const start = performance.now();
    try {
      const uses = [...used.values()];
      const rows = await touchApiKeys(
        this.#db.system,
        uses.map(({ id }) => id),
        uses.map(({ at }) => at),
      );
      const live = new Map(rows.map((row) => [row.id, row]));
      // What is no longer there is forgotten by being set to undefined.
      for (const [key_hash, { id }] of used) this.#known.set(key_hash, live.get(id), { start });
    } catch {
      // Losing a note costs nobody anything, and what is not confirmed is asked for when it is used next.
    }
  }

  async #ask(key_hash: string, now: Date): Promise<ApiKeyRow | undefined> {
    const start = performance.now();
    const row = await findLiveApiKey(this.#db.system, Buffer.from(key_hash, 'base64'), now);
    if (row) this.#known.set(key_hash, row, { start });
    return row;
  }
}

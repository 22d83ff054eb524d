import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Notifications } from '../platform/db/notifications.ts';
import type { SystemDb } from '../platform/db/queryable.ts';
import { type ApiKeyRow, findLiveApiKey, touchApiKeys } from './api-keys.db.ts';

/** Time that a cached key is trusted after the database confirmed it. It bounds the effect of a lost notification. */
const TRUSTED_MS = 1000;
/** Sooner than TRUSTED_MS, so that a key in constant use never waits for the database. */
const NOTE_AFTER_MS = 700;
const MAX_KEYS = 10_000;

/**
 * A cache of the API keys in use. A use is recorded in memory at once and in the database a little later, with one
 * statement for all keys, which also confirms them.
 */
export class ApiKeyCache {
  readonly #q: SystemDb;
  /** By the hash of the key. */
  readonly #known = new LRUCache<string, ApiKeyRow>({
    max: MAX_KEYS,
    ttl: TRUSTED_MS,
    // Reading the clock at each look-up costs less than the timer that would spare it.
    ttlResolution: 0,
  });
  /** Changes notified so far. A row that was read before the last one may be outdated, so it is not kept. */
  #changes = 0;
  #used = new Map<string, { id: string; at: Date }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(q: SystemDb, notifications: Notifications) {
    this.#q = q;
    notifications.subscribe('api_keys', () => {
      this.#changes++;
      this.#known.clear();
    });
  }

  /** Finds a key that is neither revoked nor expired and records the use. */
  async use(key: string): Promise<ApiKeyRow | undefined> {
    const key_hash = hash('sha256', key, 'base64');
    const at = this.#q.now;
    const row = this.#known.get(key_hash) ?? (await this.#find(key_hash));
    if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined;
    this.#used.set(key_hash, { id: row.id, at });
    this.#timer ??= setTimeout(() => void this.note(), NOTE_AFTER_MS).unref();
    return row;
  }

  /** Records the uses since the last time. A lost record harms nobody, and an unconfirmed key is looked up again. */
  async note(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = this.#used;
    this.#used = new Map();
    if (used.size === 0) return;
    const keep = this.#keeper();
    const uses = [...used.values()];
    const touch = touchApiKeys(
      uses.map(({ id }) => id),
      uses.map(({ at }) => at),
    );
    const rows = await this.#q.run(touch).catch(() => undefined);
    if (!rows) return;
    const live = new Map(rows.map((row) => [row.id, row]));
    // Setting undefined removes a key that has ended.
    for (const [key_hash, { id }] of used) keep(key_hash, live.get(id));
  }

  async #find(key_hash: string): Promise<ApiKeyRow | undefined> {
    const keep = this.#keeper();
    const row = await this.#q.run(findLiveApiKey(Buffer.from(key_hash, 'base64')));
    if (row) keep(key_hash, row);
    return row;
  }

  /** For rows that are read from now on. Until they arrive, a notification may overtake them. */
  #keeper(): (key_hash: string, row: ApiKeyRow | undefined) => void {
    const start = performance.now();
    const changes = this.#changes;
    return (key_hash, row) => {
      if (changes === this.#changes) this.#known.set(key_hash, row, { start });
    };
  }
}

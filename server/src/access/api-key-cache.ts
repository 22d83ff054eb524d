import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Notifications } from '../platform/db/notifications.ts';
import type { SystemDb } from '../platform/db/queryable.ts';
import { type ApiKeyRow, findLiveApiKey, touchApiKeys } from './api-keys.db.ts';

/** How long a key is cached after the database confirmed it, so a lost notification matters for at most that long. */
const TRUSTED_MS = 1000;
/** Less than TRUSTED_MS, so that a key in constant use never waits for the database. */
const RECORD_AFTER_MS = 700;
const MAX_KEYS = 10_000;

/** Caches API keys. One statement per RECORD_AFTER_MS records the uses of all keys and confirms them. */
export class ApiKeyCache {
  readonly #q: SystemDb;
  readonly #known = new LRUCache<string, ApiKeyRow>({
    max: MAX_KEYS,
    ttl: TRUSTED_MS,
    // Reading the clock at each lookup is cheaper than the timer of a ttlResolution.
    ttlResolution: 0,
  });
  /** Rows that were read before the latest notification may be outdated and are not cached. */
  #changes = 0;
  #used = new Map<string, { id: string; at: Date }>();
  #timer: NodeJS.Timeout | undefined;
  #recording: Promise<unknown> = Promise.resolve();

  constructor(q: SystemDb, notifications: Notifications) {
    this.#q = q;
    notifications.subscribe('api_keys', () => {
      this.#changes++;
      this.#known.clear();
    });
  }

  /** Records the use. Undefined for an unknown, revoked or expired key. */
  async use(key: string): Promise<ApiKeyRow | undefined> {
    const key_hash = hash('sha256', key, 'base64');
    const at = this.#q.now;
    const row = this.#known.get(key_hash) ?? (await this.#find(key_hash));
    if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined;
    this.#used.set(key_hash, { id: row.id, at });
    this.#timer ??= setTimeout(() => void this.recordUses(), RECORD_AFTER_MS).unref();
    return row;
  }

  /** Resolves once the uses so far are recorded, also those that an earlier call still records. */
  async recordUses(): Promise<void> {
    this.#recording = Promise.all([this.#recording, this.#record()]);
    await this.#recording;
  }

  /** Best effort: a lost record is harmless, and an unconfirmed key is looked up again. */
  async #record(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = this.#used;
    this.#used = new Map();
    if (used.size === 0) return;
    const cache = this.#beginRead();
    const uses = [...used.values()];
    const touch = touchApiKeys(
      uses.map(({ id }) => id),
      uses.map(({ at }) => at),
    );
    const rows = await this.#q.run(touch).catch(() => undefined);
    if (!rows) return;
    const live = new Map(rows.map((row) => [row.id, row]));
    // undefined deletes an ended key from the cache.
    for (const [key_hash, { id }] of used) cache(key_hash, live.get(id));
  }

  async #find(key_hash: string): Promise<ApiKeyRow | undefined> {
    const cache = this.#beginRead();
    const row = await this.#q.run(findLiveApiKey(Buffer.from(key_hash, 'base64')));
    if (row) cache(key_hash, row);
    return row;
  }

  /** Call before a query; the result caches its rows unless a notification came in between. */
  #beginRead(): (key_hash: string, row: ApiKeyRow | undefined) => void {
    const start = performance.now();
    const changes = this.#changes;
    return (key_hash, row) => {
      if (changes === this.#changes) this.#known.set(key_hash, row, { start });
    };
  }
}

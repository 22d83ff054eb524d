/**
 * A map that cannot grow without end: beyond `limit` entries the oldest goes, and an entry past its time is not there.
 * `now` gives milliseconds.
 */
export class BoundedMap<V> {
  readonly #entries = new Map<string, { value: V; setAt: number; ttlMs: number }>();
  readonly #limit: number;
  readonly #now: () => number;

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  set(key: string, value: V, ttlMs = Number.POSITIVE_INFINITY): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, setAt: this.#now(), ttlMs });
    if (this.#entries.size <= this.#limit) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // Of either sign: a clock that was set back must not keep an entry for as long as it was set back.
    if (Math.abs(this.#now() - entry.setAt) < entry.ttlMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Reads and removes in one go, so that of two takers one gets it. */
  take(key: string): V | undefined {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

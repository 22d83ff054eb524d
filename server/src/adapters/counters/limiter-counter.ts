import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** The limits differ by key and are compared by the caller, so the library's own bound is out of reach. */
export const NO_BOUND = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/** Counts with a limiter of rate-limiter-flexible, whatever it keeps its counts in. */
export class LimiterCounter {
  readonly #limiter: RateLimiterAbstract;

  constructor(limiter: RateLimiterAbstract) {
    this.#limiter = limiter;
  }

  async count(key: string, window_seconds: number): Promise<{ count: number; ends_in_ms: number }> {
    const used = await this.#limiter.consume(key, 1, { customDuration: window_seconds });
    // A window ends by a timer, or by Redis's clock; by this process's it may seem to end long after.
    return { count: used.consumedPoints, ends_in_ms: Math.min(used.msBeforeNext, window_seconds * 1000) };
  }

  async takeBack(key: string, window_seconds: number): Promise<void> {
    await this.#limiter.reward(key, 1, { customDuration: window_seconds });
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }
}

import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** Callers compare the count with their own limit, so the library's limit is out of reach. */
export const NO_BOUND = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

export class LimiterCounter {
  readonly #limiter: RateLimiterAbstract;

  constructor(limiter: RateLimiterAbstract) {
    this.#limiter = limiter;
  }

  async count(
    key: string,
    window_seconds: number,
    amount = 1,
  ): Promise<{ count: number; ends_in_ms: number }> {
    const used = await this.#limiter.consume(key, amount, { customDuration: window_seconds });
    // If this process's clock was set back, the library's figure may exceed the window.
    return { count: used.consumedPoints, ends_in_ms: Math.min(used.msBeforeNext, window_seconds * 1000) };
  }

  async takeBack(key: string, window_seconds: number): Promise<void> {
    await this.#limiter.reward(key, 1, { customDuration: window_seconds });
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }
}

import { RateLimiterMemory } from 'rate-limiter-flexible';
import { rateLimited, type ServiceError } from '../errors.ts';

export interface RateLimit {
  limit: number;
  window_seconds: number;
}

export interface RateLimitOutcome {
  headers: Record<string, string>;
  /** The 429, when the limit is passed. */
  refused: ServiceError | undefined;
}

/** Counts requests of API keys, each key by its own limit in fixed windows (spec, section 8; contract, section 3). */
export class RateLimits {
  // The limit differs by key and is compared here, so the library's own bound is out of reach.
  readonly #counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 });

  async count(key_id: string, { limit, window_seconds }: RateLimit): Promise<RateLimitOutcome> {
    const used = await this.#counter.consume(key_id, 1, { customDuration: window_seconds });
    const remaining = Math.max(0, limit - used.consumedPoints);
    const resetSeconds = Math.ceil(used.msBeforeNext / 1000);
    return {
      headers: {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(resetSeconds),
        'ratelimit-policy': `"key";q=${limit};w=${window_seconds}`,
        ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
      },
      refused: used.consumedPoints > limit ? rateLimited(resetSeconds) : undefined,
    };
  }
}

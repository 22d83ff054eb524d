import { rateLimited, rateLimitHeaders, type ServiceError } from '../errors.ts';
import type { Counter } from '../ports.ts';

export interface RateLimit {
  limit: number;
  window_seconds: number;
}

interface RateLimitOutcome {
  headers: Record<string, string>;
  /** A 429 above the limit. */
  refused: ServiceError | undefined;
}

/** Fixed windows per API key, login or instance (specification, section 8; contract, sections 3 and 17). */
export class RateLimits {
  readonly #counter: Counter;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** @param policy the policy's name in the headers; with `id` it identifies the caller */
  async count(policy: string, id: string, { limit, window_seconds }: RateLimit): Promise<RateLimitOutcome> {
    const { count, ends_in_ms } = await this.#counter.count(`${policy}:${id}`, window_seconds);
    const remaining = Math.max(0, limit - count);
    const resetSeconds = Math.ceil(ends_in_ms / 1000);
    // Assigned individually: V8 makes a slow object of a spread literal (docs/performance.md).
    const headers: Record<string, string> = rateLimitHeaders(limit, remaining, resetSeconds);
    headers['ratelimit-policy'] = `"${policy}";q=${limit};w=${window_seconds}`;
    headers.ratelimit = `"${policy}";r=${remaining};t=${resetSeconds}`;
    return { headers, refused: count > limit ? rateLimited(resetSeconds) : undefined };
  }
}

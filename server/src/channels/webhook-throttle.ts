import { LRUCache } from 'lru-cache';
import { rateLimited, ServiceError } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import type { Clock } from '../platform/ports.ts';

/** Unverified payloads per network and window. */
const MAX_FAILURES = 100;
const WINDOW_MS = 60_000;
/** After a verified payload, a network is not throttled for this time (contract, section 17). */
const TRUSTED_MS = 60 * 60_000;
const MAX_NETWORKS = 50_000;

/** Epoch milliseconds. */
interface Network {
  trusted_until: number;
  failures: number;
  window_ends: number;
}

/** Throttles networks whose payloads do not verify. Each copy of the service counts by itself, to save a round trip. */
export class WebhookThrottle {
  readonly #clock: Clock;
  readonly #networks = new LRUCache<string, Network>({ max: MAX_NETWORKS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a 401 of `take` against the network. Throws 429 after too many, unless a payload verified within the hour. */
  async attempt(address: string, take: () => Promise<void>): Promise<void> {
    const key = networkOf(address);
    const now = this.#clock().getTime();
    const network = this.#networks.get(key) ?? { trusted_until: 0, failures: 0, window_ends: 0 };
    this.#networks.set(key, network);
    if (network.window_ends <= now) Object.assign(network, { failures: 0, window_ends: now + WINDOW_MS });
    if (network.failures >= MAX_FAILURES && network.trusted_until <= now) {
      throw rateLimited(
        (network.window_ends - now) / 1000,
        'Too many payloads that no secret verifies; try again later',
      );
    }
    try {
      await take();
      network.trusted_until = now + TRUSTED_MS;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthenticated') network.failures += 1;
      throw error;
    }
  }
}

import { LRUCache } from 'lru-cache';
import { rateLimited, ServiceError } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import type { Clock } from '../platform/ports.ts';

/** Payloads of one network that do not verify, in a window. */
const MAX_FAILURES = 100;
const WINDOW_MS = 60_000;
/** A network is not slowed for as long after a payload that verified (contract, section 17). */
const TRUSTED_MS = 60 * 60_000;
/** The least recently used are forgotten. */
const MAX_NETWORKS = 50_000;

/** Epoch milliseconds. */
interface Network {
  trusted_until: number;
  failures: number;
  window_ends: number;
}

/** Slows networks that send payloads which no secret verifies. Each copy of the service counts for itself, without a round trip. */
export class WebhookThrottle {
  readonly #clock: Clock;
  readonly #networks = new LRUCache<string, Network>({ max: MAX_NETWORKS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes a payload of an address in, and counts a 401 against it.
   * Throws 429 where too many failed, and nothing of the address has verified within the hour.
   */
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

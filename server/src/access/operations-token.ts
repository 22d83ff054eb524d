import { LRUCache } from 'lru-cache';
import { rateLimited } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import type { Counter } from '../platform/ports.ts';
import { equalsInConstantTime } from '../secrets/sealing.ts';

const WINDOW_SECONDS = 60;
const GUESSES_PER_WINDOW = 100;
const MAX_KNOWN = 10_000;
/** As long as a network address counts as known after a login (contract, section 17). */
const KNOWN_MS = 30 * 24 * 60 * 60 * 1000;

/** The service's other credentials: API keys, proxy keys, enrollment tokens, access tokens. */
const OTHER_FORMATS = [/^acp_/, /^apk_/, /^alk_/, /^aet_/, /^[\w-]+\.[\w-]+\.[\w-]+$/];

/** Checks the operations token and slows guesses at it, for each network address (contract, section 17). */
export class OperationsToken {
  readonly #token: string;
  readonly #counter: Counter;
  /** Networks that had the right token: strangers behind the same address lock none of them out. */
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(token: string, counter: Counter) {
    this.#token = token;
    this.#counter = counter;
  }

  /** Throws 429 after too many guesses from the address, which is then not told that a guess is right. */
  async accepts(given: string, address: string): Promise<boolean> {
    const network = networkOf(address);
    const isRight = equalsInConstantTime(given, this.#token);
    if (!isRight && this.#isOfAnotherFormat(given)) return false;
    if (!(isRight && this.#known.has(network))) await this.#count(network);
    if (!isRight) return false;
    if (!this.#known.has(network)) await this.#counter.takeBack(keyOf(network), WINDOW_SECONDS);
    this.#known.set(network, true);
    return true;
  }

  /** No guess, such as the ended proxy key of a runtime that shares the address with the operator. */
  #isOfAnotherFormat(given: string): boolean {
    return OTHER_FORMATS.some((format) => format.test(given) && !format.test(this.#token));
  }

  /** Counted before the answer, so that many guesses at once are as many. */
  async #count(network: string): Promise<void> {
    const { count, ends_in_ms } = await this.#counter.count(keyOf(network), WINDOW_SECONDS);
    if (count > GUESSES_PER_WINDOW)
      throw rateLimited(ends_in_ms / 1000, 'Too many wrong operations tokens; try again later');
  }
}

const keyOf = (network: string) => `operations-token:${network}`;

import { LRUCache } from 'lru-cache';
import { rateLimited } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import type { Counter } from '../platform/ports.ts';
import { equalsInConstantTime } from '../secrets/sealing.ts';

const WINDOW_SECONDS = 60;
const GUESSES_PER_WINDOW = 100;
const MAX_KNOWN = 10_000;
/** The same as for logins (contract, section 17). */
const KNOWN_MS = 30 * 24 * 60 * 60 * 1000;

/** Other credentials: API keys, proxy keys, LLM keys, enrollment tokens, access tokens. */
const OTHER_FORMATS = [/^acp_/, /^apk_/, /^alk_/, /^aet_/, /^[\w-]+\.[\w-]+\.[\w-]+$/];

/** Throttles guesses per network (contract, section 17). */
export class OperationsToken {
  readonly #token: string;
  readonly #counter: Counter;
  /** Networks that sent the right token. Guesses from the same network do not lock them out. */
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(token: string, counter: Counter) {
    this.#token = token;
    this.#counter = counter;
  }

  /** Throws 429 after too many guesses from the network, even for a right guess. */
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

  /** Not a guess: for example the expired proxy key of a runtime behind the operator's address. */
  #isOfAnotherFormat(given: string): boolean {
    return OTHER_FORMATS.some((format) => format.test(given) && !format.test(this.#token));
  }

  /** Counts before answering, so concurrent guesses are all counted. */
  async #count(network: string): Promise<void> {
    const { count, ends_in_ms } = await this.#counter.count(keyOf(network), WINDOW_SECONDS);
    if (count > GUESSES_PER_WINDOW)
      throw rateLimited(ends_in_ms / 1000, 'Too many wrong operations tokens; try again later');
  }
}

const keyOf = (network: string) => `operations-token:${network}`;

import { rateLimited, type ServiceError } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';
import type { Counter } from '../platform/ports.ts';

const WINDOW_SECONDS = 15 * 60;
/** Per account and network. */
const FAILURES_PER_PAIR = 10;
const FAILURES_PER_ACCOUNT = 200;
const FAILURES_PER_NETWORK = 100;
/**
 * As many as are hashed concurrently. Even two copies of the service that share counts check fewer at once than the
 * allowed failures.
 */
const MAX_CONCURRENT = 4;
const WAITING_LIMIT = {
  maxWaiting: 200,
  refusal: () => rateLimited(1, 'Too many logins at once; try again'),
};

interface Attempt {
  /** In lower case. Counts are per address, so they do not reveal how many accounts it has. */
  email: string;
  network: string;
  /** An account with the address recently signed in from the network. */
  isKnown: boolean;
}

/** Slows password guessing per account and per network (contract, sections 3 and 17). */
export class LoginThrottle {
  readonly #counter: Counter;
  readonly #semaphore = new FairSemaphore({ ofOne: MAX_CONCURRENT, ofAll: Infinity }, WAITING_LIMIT);

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /**
   * Counts the attempt as failed before the check, so concurrent guesses count; success or an error takes that back. A
   * success does not reset failures: it may be of another account with the address.
   * @param check undefined for a wrong password. With `knownOnly`, too many others have failed, and only accounts that
   * recently signed in from the network may succeed
   * @throws ServiceError rate_limited after too many failures
   */
  attempt<T>(
    attempt: Attempt,
    check: (knownOnly: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#semaphore.run(attempt.network, async () => {
      const counted: string[] = [];
      const takeBack = () => Promise.all(counted.map((key) => this.#counter.takeBack(key, WINDOW_SECONDS)));
      try {
        const knownOnly = await this.#count(attempt, counted);
        const result = await check(knownOnly);
        if (result !== undefined) await takeBack();
        return result;
      } catch (error) {
        await takeBack();
        throw error;
      }
    });
  }

  /**
   * The order matters: a refused network neither locks accounts nor stores a count per address.
   * @returns true when only accounts known from this network may sign in
   */
  async #count({ email, network, isKnown }: Attempt, counted: string[]): Promise<boolean> {
    const excess = async (key: string, most: number): Promise<ServiceError | undefined> => {
      counted.push(key);
      const { count, ends_in_ms } = await this.#counter.count(key, WINDOW_SECONDS);
      if (count <= most) return undefined;
      return rateLimited(ends_in_ms / 1000, 'Too many failed logins; try again later', most);
    };
    const networkError = await excess(`login-network:${network}`, FAILURES_PER_NETWORK);
    if (networkError && !isKnown) throw networkError;
    const pairError = await excess(`login-pair:${network} ${email}`, FAILURES_PER_PAIR);
    if (pairError) throw pairError;
    const accountError = await excess(`login-account:${email}`, FAILURES_PER_ACCOUNT);
    if (accountError && !isKnown) throw accountError;
    return (networkError ?? accountError) !== undefined;
  }
}

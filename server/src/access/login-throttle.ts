import { rateLimited, type ServiceError } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';
import type { Counter } from '../platform/ports.ts';

const WINDOW_SECONDS = 15 * 60;
/** A pair is one account and one network. */
const FAILURES_PER_PAIR = 10;
const FAILURES_PER_ACCOUNT = 200;
const FAILURES_PER_NETWORK = 100;
/** As many as are hashed at once; two copies that count together still look at fewer than may fail. */
const AT_ONCE = 4;
const WAITING_LIMIT = {
  maxWaiting: 200,
  refusal: () => rateLimited(1, 'Too many logins at once; try again'),
};

interface Attempt {
  /** In lower case. The accounts of an address are counted as one, so that counts do not tell how many there are. */
  email: string;
  /** See networkOf. */
  network: string;
  /** True when an account of the address was signed in from the network of late. */
  isKnown: boolean;
}

/** Slows password guessing, by account and by the network that the guesses come from (contract, sections 3 and 17). */
export class LoginThrottle {
  readonly #counter: Counter;
  readonly #semaphore = new FairSemaphore({ ofOne: AT_ONCE, ofAll: Infinity }, WAITING_LIMIT);

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /**
   * Looks at a password when it is the turn of one from this network. It is counted as a failed one before, so that a
   * hundred guesses at once are a hundred; any other outcome takes that back. A success forgets no failure: it may be that
   * of another account with the address. Throws 429 when too many have failed.
   * @param look undefined where the password is wrong. With `knownOnly` others have failed too often: it opens none but
   * accounts that were signed in from the network
   */
  attempt<T>(attempt: Attempt, look: (knownOnly: boolean) => Promise<T | undefined>): Promise<T | undefined> {
    return this.#semaphore.run(attempt.network, async () => {
      const counted: string[] = [];
      const takeBack = () => Promise.all(counted.map((key) => this.#counter.takeBack(key, WINDOW_SECONDS)));
      try {
        const knownOnly = await this.#count(attempt, counted);
        const result = await look(knownOnly);
        if (result !== undefined) await takeBack();
        return result;
      } catch (error) {
        await takeBack();
        throw error;
      }
    });
  }

  /**
   * In an order by which a network that is refused neither locks accounts nor has each that it names kept in memory.
   * @returns true when only a known network may go on
   */
  async #count({ email, network, isKnown }: Attempt, counted: string[]): Promise<boolean> {
    const excess = async (key: string, most: number): Promise<ServiceError | undefined> => {
      counted.push(key);
      const { count, ends_in_ms } = await this.#counter.count(key, WINDOW_SECONDS);
      if (count <= most) return undefined;
      return rateLimited(ends_in_ms / 1000, 'Too many failed logins; try again later', most);
    };
    const ofNetwork = await excess(`login-network:${network}`, FAILURES_PER_NETWORK);
    if (ofNetwork && !isKnown) throw ofNetwork;
    const ofPair = await excess(`login-pair:${network} ${email}`, FAILURES_PER_PAIR);
    if (ofPair) throw ofPair;
    const ofAccount = await excess(`login-account:${email}`, FAILURES_PER_ACCOUNT);
    if (ofAccount && !isKnown) throw ofAccount;
    return (ofNetwork ?? ofAccount) !== undefined;
  }
}

import { rateLimited } from '../platform/errors.ts';
import { KeyedSemaphore } from '../platform/load/semaphore.ts';
import type { Counter } from '../platform/ports.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;
/** As many as are hashed at once; two copies that count together still look at fewer than may fail. */
const AT_ONCE = 4;
const WAITING_LIMIT = {
  maxWaiting: 200,
  refusal: () => rateLimited(1, 'Too many logins at once; try again'),
};

const accountKey = (email: string) => `login-account:${email}`;
const addressKey = (address: string) => `login-address:${address}`;

/** Slows password guessing, for each account and for each address that the guesses come from (contract, section 3). */
export class LoginThrottle {
  readonly #counter: Counter;
  readonly #semaphores = new KeyedSemaphore(AT_ONCE, WAITING_LIMIT);

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /**
   * Looks at a password when it is the turn of one from this address. It is counted as a failed one before, so that a
   * hundred guesses at once are a hundred; all right ones at once would then be too many.
   * Throws 429 when too many have failed.
   * @param email as the account is looked up by, in lower case
   * @param look finds the account; undefined where the password is wrong
   */
  attempt<T>(email: string, address: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#semaphores.run(address, async () => {
      // An address that is refused neither locks accounts nor has each of them that it names kept in memory.
      await this.#count(addressKey(address), FAILURES_PER_ADDRESS);
      await this.#count(accountKey(email), FAILURES_PER_ACCOUNT);
      const account = await look().catch(async (error: unknown) => {
        await this.#notLookedAt(email, address);
        throw error;
      });
      if (account !== undefined) await this.#succeeded(email, address);
      return account;
    });
  }

  /** The password was right: the account starts anew, and the address gets its attempt back. */
  async #succeeded(email: string, address: string): Promise<void> {
    await Promise.all([
      this.#counter.forget(accountKey(email)),
      this.#counter.takeBack(addressKey(address), WINDOW_SECONDS),
    ]);
  }

  /** The password could not be checked, because too many wait for a hash, or the database is away. */
  async #notLookedAt(email: string, address: string): Promise<void> {
    await Promise.all(
      [accountKey(email), addressKey(address)].map((key) => this.#counter.takeBack(key, WINDOW_SECONDS)),
    );
  }

  async #count(key: string, most: number): Promise<void> {
    const { count, ends_in_ms } = await this.#counter.count(key, WINDOW_SECONDS);
    if (count > most) throw rateLimited(ends_in_ms / 1000, 'Too many failed logins; try again later', most);
  }
}

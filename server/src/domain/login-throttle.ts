import { rateLimited } from '../errors.ts';
import type { Counter } from './ports.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;

const accountKey = (email: string) => `login-account:${email}`;
const addressKey = (address: string) => `login-address:${address}`;

/** Slows password guessing, for each account and for each address that the guesses come from (contract, section 3). */
export class LoginThrottle {
  readonly #counter: Counter;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /**
   * Counts an attempt before the password is looked at, so that a hundred at once are a hundred.
   * Throws 429 when there were too many.
   * @param email as the account is looked up by, in lower case
   */
  async attempt(email: string, address: string): Promise<void> {
    // An address that is refused neither locks accounts nor has each of them that it names kept in memory.
    await this.#count(addressKey(address), FAILURES_PER_ADDRESS);
    await this.#count(accountKey(email), FAILURES_PER_ACCOUNT);
  }

  /** The password was right: the account starts anew, and the address gets its attempt back. */
  async succeeded(email: string, address: string): Promise<void> {
    await Promise.all([
      this.#counter.forget(accountKey(email)),
      this.#counter.takeBack(addressKey(address), WINDOW_SECONDS),
    ]);
  }

  /** The password could not be checked, because too many wait for a hash, or the database is away. */
  async notLookedAt(email: string, address: string): Promise<void> {
    await Promise.all(
      [accountKey(email), addressKey(address)].map((key) => this.#counter.takeBack(key, WINDOW_SECONDS)),
    );
  }

  async #count(key: string, most: number): Promise<void> {
    const { count, ends_in_ms } = await this.#counter.count(key, WINDOW_SECONDS);
    if (count > most) throw rateLimited(ends_in_ms / 1000, 'Too many failed logins; try again later', most);
  }
}

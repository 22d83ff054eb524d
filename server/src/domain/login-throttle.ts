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
    const [account, source] = await Promise.all([
      this.#counter.count(accountKey(email), WINDOW_SECONDS),
      this.#counter.count(addressKey(address), WINDOW_SECONDS),
    ]);
    const waits = [
      account.count > FAILURES_PER_ACCOUNT ? account.ends_in_ms : 0,
      source.count > FAILURES_PER_ADDRESS ? source.ends_in_ms : 0,
    ];
    const wait_ms = Math.max(...waits);
    if (wait_ms > 0) throw rateLimited(wait_ms / 1000, 'Too many failed logins; try again later');
  }

  /** The password was right: the account starts anew, and the address gets its attempt back. */
  async succeeded(email: string, address: string): Promise<void> {
    await Promise.all([
      this.#counter.forget(accountKey(email)),
      this.#counter.takeBack(addressKey(address), WINDOW_SECONDS),
    ]);
  }
}

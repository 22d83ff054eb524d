import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '../errors.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;

/** Slows password guessing, for each account and for each address that the guesses come from (contract, section 3). */
export class LoginThrottle {
  readonly #accounts = new RateLimiterMemory({ points: FAILURES_PER_ACCOUNT, duration: WINDOW_SECONDS });
  readonly #addresses = new RateLimiterMemory({ points: FAILURES_PER_ADDRESS, duration: WINDOW_SECONDS });

  /**
   * Counts an attempt before the password is looked at, so that a hundred at once are a hundred.
   * Throws 429 when there were too many.
   */
  async attempt(email: string, address: string): Promise<void> {
    try {
      await Promise.all([this.#accounts.consume(email.toLowerCase()), this.#addresses.consume(address)]);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw rateLimited(refused.msBeforeNext / 1000, 'Too many failed logins; try again later');
    }
  }

  /** The password was right: the account starts anew, and the address gets its attempt back. */
  async succeeded(email: string, address: string): Promise<void> {
    await Promise.all([this.#accounts.delete(email.toLowerCase()), this.#addresses.reward(address)]);
  }
}

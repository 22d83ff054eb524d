import { ApiError, ConnectionError } from './errors.ts';
import { pause } from './until.ts';

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 8000;
/** A window of the server's rate limits; longer waits are left to the caller. */
const LONGEST_WAIT_MS = 60_000;

export interface RetryTerms {
  /** The number of attempts after the first. */
  readonly retries: number;
  /** True when the call may be sent again although it may have been carried out. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Retries an attempt that the server refused temporarily (429, or 503 with Retry-After) and, if repeatable, one without a
 * response. Throws the last attempt's error.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries, repeatable, signal }: RetryTerms,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = tried < retries ? waitBefore(error, tried, repeatable) : undefined;
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** @returns the wait before the next attempt; undefined for no further attempt */
function waitBefore(error: unknown, tried: number, repeatable: boolean): number | undefined {
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tried);
  if (error instanceof ConnectionError) return repeatable ? backoffMs * (0.5 + Math.random() / 2) : undefined;
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterMs } = error;
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) return undefined;
  // Never before Retry-After, with jitter so that clients do not return at once.
  return (retryAfterMs ?? backoffMs) + Math.random() * FIRST_BACKOFF_MS;
}

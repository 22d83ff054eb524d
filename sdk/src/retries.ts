import { ApiError, ConnectionError } from './errors.ts';
import { pause } from './until.ts';

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 8000;
/** The window of the server's rate limits. */
export const LONGEST_WAIT_MS = 60_000;

interface RetryTerms {
  /** The attempts after the first. */
  readonly retries: number;
  /** True if a second execution does no harm. */
  readonly repeatable: boolean;
  /** A refusal that asks for a longer wait is thrown at once. */
  readonly longestWaitMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Retries temporary refusals (429, or 503 with Retry-After) and, if repeatable, lost responses. Throws the last
 * error.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries, signal, ...terms }: RetryTerms,
): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = attempts < retries ? backoffFor(error, attempts, terms) : undefined;
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** @returns undefined for no further attempt */
function backoffFor(
  error: unknown,
  attempts: number,
  { repeatable, longestWaitMs }: Pick<RetryTerms, 'repeatable' | 'longestWaitMs'>,
): number | undefined {
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempts);
  if (error instanceof ConnectionError) return repeatable ? backoffMs * (0.5 + Math.random() / 2) : undefined;
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterMs } = error;
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > longestWaitMs) return undefined;
  // Jitter spreads clients. It only ever adds to Retry-After.
  return (retryAfterMs ?? backoffMs) + Math.random() * FIRST_BACKOFF_MS;
}

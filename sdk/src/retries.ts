import { ApiError, ConnectionError } from './errors.ts';

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 8000;
/** A window of the server's rate limits; who is told to wait longer decides for himself. */
const LONGEST_WAIT_MS = 60_000;

export interface RetryTerms {
  /** How many attempts may follow the first. */
  readonly retries: number;
  /** Whether it may be sent again when it is not known whether it was carried out. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes an attempt again when the server refused it for now (429, or 503 with Retry-After) and, where it may be
 * repeated, when it got no answer. Throws the last attempt's error.
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

/** How long to wait before the next attempt; undefined where there is to be none. */
function waitBefore(error: unknown, tried: number, repeatable: boolean): number | undefined {
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tried);
  if (error instanceof ConnectionError) return repeatable ? backoffMs * (0.5 + Math.random() / 2) : undefined;
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterMs } = error;
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) return undefined;
  // Never before the time given, and not everybody at once.
  return (retryAfterMs ?? backoffMs) + Math.random() * FIRST_BACKOFF_MS;
}

/** Resolves after a while; rejects with the signal's reason as soon as that aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

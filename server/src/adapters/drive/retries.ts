import { setTimeout as sleep } from 'node:timers/promises';

const MAX_TRIES = 3;
const FIRST_WAIT_MS = 500;
/** A person waits in a chat. */
const MAX_TOTAL_WAIT_MS = 10_000;

/** Is retried; `error` is thrown after the last attempt. */
export class TransientError extends Error {
  readonly error: Error;
  readonly retryAfterMs: number | undefined;

  constructor(error: Error, retryAfterMs?: number) {
    super(error.message);
    this.error = error;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Up to three attempts, after the server's Retry-After or else with exponential backoff and jitter. */
export async function withRetries<T>(attempt: () => Promise<T>, firstWaitMs = FIRST_WAIT_MS): Promise<T> {
  let waitedMs = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
      waitedMs += waitMs;
      if (tries === MAX_TRIES || waitedMs > MAX_TOTAL_WAIT_MS) throw error.error;
      await sleep(waitMs);
    }
  }
}

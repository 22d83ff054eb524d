/** Node's longest timer, 24 days; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @returns a signal that aborts after `ms`, at most 24 days */
export const signalAfter = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS));

/**
 * Settles as the work does, or rejects with the signal's reason on abort. Passing the signal to the work is not enough:
 * Node's fetch ignores it once a response that cannot be decompressed has begun.
 */
export function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    const done = () => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(done);
  });
}

/** Resolves after `ms`, or rejects with the signal's reason on abort. */
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

/** Node's longest timer, 24 days; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A listener keeps it, which AbortSignal.any alone does not in Node 20: garbage collection would end its timer. */
export function signalAfter(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS));
  signal.addEventListener('abort', () => {});
  return signal;
}

/**
 * Rejects with the signal's reason on abort. Passing the signal to fetch is not enough: Node ignores it when a
 * response cannot be decompressed.
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

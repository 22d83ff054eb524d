/** What a timer can be set to in Node, 24 days; it ends a longer one at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @returns a signal that aborts after a while, or after 24 days */
export const signalAfter = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS));

/**
 * Settles as the work does; rejects with the signal's reason as soon as that aborts. Work that takes the signal may not
 * heed it: Node's fetch settles no more once an answer that cannot be unpacked has begun.
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

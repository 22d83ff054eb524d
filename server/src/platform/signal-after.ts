/**
 * Aborts after the time (ms), with the reason of AbortSignal.timeout. That one may be collected as garbage while only
 * AbortSignal.any refers to it, in Node 20 at least, and what waits for the time then waits for ever. Keeps no process alive.
 */
export function signalAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('It took too long', 'TimeoutError')), ms).unref();
  return controller.signal;
}

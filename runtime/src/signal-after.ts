/**
 * AbortSignal.timeout (ms) with a listener, which keeps it: without, it may be collected as garbage while only AbortSignal.any
 * refers to it, in Node 20 at least, and what waits for the time then waits for ever.
 */
export function signalAfter(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', () => {});
  return signal;
}

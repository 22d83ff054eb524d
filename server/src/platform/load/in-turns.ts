import { setImmediate } from 'node:timers/promises';

/** How long others have to wait for the event loop, as far as the steps are short. */
const TURN_MS = 2;

/** A computation that yields wherever it can be left for a while. */
export type Steps<T> = Generator<void, T, void>;

/** Cooperative scheduling: a long computation a few milliseconds at a time, and whatever else there is to do between. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let turnEnd = performance.now() + TURN_MS; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < turnEnd) continue;
    await setImmediate();
    turnEnd = performance.now() + TURN_MS;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

export type Tally = Record<string, number>;

const TICK_MS = 5;
/** A hanging server must not fill the memory. */
const MOST_PENDING = 2000;

export function count(tally: Tally, kind: string, more = 1): void {
  tally[kind] = (tally[kind] ?? 0) + more;
}

/**
 * Sends at a steady rate until `stop`, whether or not earlier requests were answered. Resolves when all are answered.
 *
 * @param ask sends the nth request and returns the kind of its answer
 */
export async function paced(
  perSecond: number,
  stop: AbortSignal,
  ask: (nth: number) => Promise<string>,
): Promise<Tally> {
  const tally: Tally = {};
  const pending = new Set<Promise<void>>();
  const begin = (nth: number) => {
    const one = ask(nth)
      .then(
        (kind) => count(tally, kind),
        (error: unknown) => count(tally, reasonOf(error)),
      )
      .finally(() => pending.delete(one));
    pending.add(one);
  };
  const began = performance.now();
  for (let sent = 0; !stop.aborted; await sleep(TICK_MS)) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; sent < due; sent++) {
      if (pending.size < MOST_PENDING) begin(sent);
      else count(tally, 'left out');
    }
  }
  await Promise.all(pending);
  return tally;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'broken';

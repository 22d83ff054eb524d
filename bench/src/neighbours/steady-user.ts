/** The program of the steady user (steady.ts): its order is the argument, what it saw is its output. */
import { setPriority } from 'node:os';
import { finished } from 'node:stream/promises';
import { begin, type Call } from '../call.ts';
import { paced } from '../load/paced.ts';
import type { Seen, SteadyOrder } from './steady.ts';

/** Connections and plans are made and code is compiled in this time, also for what goes on beside; it does not count. */
const WARM_UP_MS = 5000;
const TIMEOUT_MS = 10_000;
/** As far as the system allows: a user's own computer is not slowed by what the server does. */
const PRIORITY = -10;

/** Resolves with the status, `timeout`, or `broken` for a connection that ended. */
async function ask(base_url: string, call: Call): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await begin(base_url, call, signal);
    await finished(response.resume());
    return String(response.statusCode);
  } catch {
    return signal.aborted ? 'timeout' : 'broken';
  }
}

async function main({ base_url, calls, per_second, seconds }: SteadyOrder): Promise<Seen> {
  const times: number[] = [];
  const answers: Seen['answers'] = {};
  const counted = performance.now() + WARM_UP_MS;
  await paced(per_second, AbortSignal.timeout(WARM_UP_MS + seconds * 1000), async (nth) => {
    const call = calls[nth % calls.length];
    if (!call) throw new Error('There is nothing to ask');
    const began = performance.now();
    const answer = await ask(base_url, call);
    if (began < counted) return answer;
    times.push(performance.now() - began);
    answers[answer] = (answers[answer] ?? 0) + 1;
    return answer;
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? Number.NaN;
  return { p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1), answers };
}

try {
  setPriority(PRIORITY);
} catch {
  // Only a privileged user may.
}
const seen = await main(JSON.parse(process.argv[2] ?? '') as SteadyOrder);
process.stdout.write(JSON.stringify(seen), () => process.exit());

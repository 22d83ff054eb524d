/** Runs as a process: argument SteadyOrder, output Seen (steady.ts). */
import { setPriority } from 'node:os';
import { finished } from 'node:stream/promises';
import { begin, type Call } from '../call.ts';
import { paced } from '../load/paced.ts';
import type { Seen, SteadyOrder } from './steady.ts';

/** Connections, plans and compiled code need this time before the measurement. */
const WARM_UP_MS = 5000;
const TIMEOUT_MS = 10_000;
/** A user's own computer is not slowed by the server. */
const PRIORITY = -10;

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
  // Needs privileges.
}
const seen = await main(JSON.parse(process.argv[2] ?? '') as SteadyOrder);
process.stdout.write(JSON.stringify(seen), () => process.exit());

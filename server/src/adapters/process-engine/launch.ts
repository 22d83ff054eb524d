import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchFailure } from './failure.ts';
import { isFrom, probe } from './probe.ts';
import type { RuntimeProcess } from './runtime-process.ts';
import { type SpawnedRuntime, type SpawnOptions, spawnRuntime } from './spawn.ts';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const PROBE_TIMEOUT_MS = 1_000;

interface LaunchOptions extends Omit<SpawnOptions, 'command' | 'limit' | 'network'> {
  /** Called for each attempt. */
  prepare: () => Promise<Pick<SpawnOptions, 'command' | 'limit' | 'network'>>;
  /** For all attempts together. */
  timeoutMs: number;
  /** Ends the runtime and rejects. */
  signal: AbortSignal;
}

/**
 * Resolves when the runtime listens. Makes three attempts if it exits early, because another process may have taken its
 * port. After a rejection nothing runs; the message contains no secret.
 */
export async function launch(options: LaunchOptions): Promise<RuntimeProcess> {
  const { spec, timeoutMs, signal } = options;
  const deadline = performance.now() + timeoutMs;
  let ended: LaunchFailure | undefined;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const runtime = await spawnRuntime({ ...options, ...(await options.prepare()) });
    const outcome = await awaitListening(runtime, spec.instance_id, deadline, signal);
    if (outcome === 'listening') return runtime;
    // Before the end that is asked for here leaves a line of its own.
    const line = await runtime.lastLine();
    await runtime.end();
    signal.throwIfAborted();
    const failure = await failureOf(runtime, spec.instance_id, outcome, { line, timeoutMs });
    // An end says more than an attempt that the time of those before left too little for.
    if (outcome !== 'ended') throw ended ?? failure;
    if (attempt === ATTEMPTS) throw failure;
    ended = failure;
  }
}

async function awaitListening(
  runtime: RuntimeProcess,
  instance_id: string,
  deadline: number,
  signal: AbortSignal,
): Promise<'listening' | 'ended' | 'late' | 'nameless'> {
  let hasEnded = false;
  const noteEnd = async () => {
    await runtime.ended;
    hasEnded = true;
  };
  const ended = noteEnd();
  let isNameless = false;
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted && performance.now() < deadline; ) {
    const answer = await probe(runtime.address, PROBE_TIMEOUT_MS);
    if (hasEnded) return 'ended';
    // Listening is enough: RuntimeHealth checks the health.
    if (answer !== undefined && isFrom(answer, instance_id)) return 'listening';
    isNameless = answer !== undefined;
    await Promise.race([ended, sleep(pauseMs)]);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
  if (hasEnded) return 'ended';
  return isNameless ? 'nameless' : 'late';
}

async function failureOf(
  runtime: SpawnedRuntime,
  instance_id: string,
  outcome: 'ended' | 'late' | 'nameless',
  { line, timeoutMs }: { line: string; timeoutMs: number },
): Promise<LaunchFailure> {
  const what = {
    ended: `ended at its start (${(await runtime.ended).how})`,
    late: `did not answer within ${timeoutMs / 1000} s`,
    nameless: 'did not name its instance_id in the answer to GET /health',
  }[outcome];
  const reason = outcome === 'ended' ? (await runtime.ended).reason : 'start_timeout';
  const message = `The runtime of instance ${instance_id} ${what}${line && `: ${line}`}`;
  return new LaunchFailure(reason, message, line);
}

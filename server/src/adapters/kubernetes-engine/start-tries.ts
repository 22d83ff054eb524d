import { setTimeout as sleep } from 'node:timers/promises';
import type { Semaphore } from '../../platform/load/semaphore.ts';
import type { RuntimeReason, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { redact } from '../process-engine/redact.ts';
import type { Pod } from './api.ts';
import { startFailureOf } from './failures.ts';
import type { Starter } from './starter.ts';

const PAUSE_MS = { first: 100, longest: 10_000 };
const LONGEST_RETRY_AFTER_MS = 60_000;

interface Tries {
  /** Starts at once. */
  starts: Semaphore;
  /** For all tries. */
  forMs: number;
  signal: AbortSignal;
  /** Another try follows. @param reason null: so soon that there is nothing to tell */
  delayed: (reason: RuntimeReason | null) => void;
  warn: (error: unknown, message: string) => void;
}

/** @returns the pod; `unwanted` also after an abort */
export async function tryUntilStarted(
  starter: Starter,
  spec: RuntimeSpec,
  { starts, forMs, signal, delayed, warn }: Tries,
): Promise<Pod | 'unwanted' | { reason: RuntimeReason }> {
  const until = performance.now() + forMs;
  for (let pauseMs = PAUSE_MS.first; !signal.aborted; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)) {
    try {
      const pod = await starts.run(async () => (signal.aborted ? undefined : starter.try(signal)));
      return pod ?? 'unwanted';
    } catch (error) {
      if (signal.aborted) break;
      const text = redact((error as Error).message, { ...spec.environment, ...starter.minted });
      const { reason, isFinal, retryAfterMs = 0 } = startFailureOf(error, text);
      if (reason) warn(Object.assign(new Error(text), { reason }), 'a runtime could not be started');
      if (isFinal || performance.now() >= until) return { reason: reason ?? 'start_timeout' };
      delayed(reason);
      const waitMs = Math.max(pauseMs, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }
  return 'unwanted';
}

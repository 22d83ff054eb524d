import type { Caller } from './caller.ts';
import { InstanceFailedError, WaitTimeoutError } from './errors.ts';
import type { InstanceDetail, InstanceEvent } from './generated/shapes.ts';
import { signalAfter } from './until.ts';

/** Provisioning is retried for minutes before it fails for good. */
const PATIENCE_MS = 600_000;

const DEAD_ENDS: readonly InstanceEvent['to'][] = ['failed', 'terminating', 'terminated'];

export interface WaitOptions {
  /** Stops waiting, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ten minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Receives each event of the instance's log from the beginning. An error that it throws ends the wait. */
  readonly onEvent?: ((event: InstanceEvent) => void) | undefined;
}

/**
 * Resolves with the instance once it runs. Throws InstanceFailedError, with the failed step's message, when it cannot run,
 * and WaitTimeoutError when it takes too long. Neither changes the instance.
 */
export async function waitUntilRunning(
  caller: Caller,
  events: (signal: AbortSignal) => AsyncIterable<InstanceEvent>,
  instance_id: string,
  { signal, timeoutMs = PATIENCE_MS, onEvent }: WaitOptions,
): Promise<InstanceDetail> {
  const late = signalAfter(timeoutMs);
  const either = signal ? AbortSignal.any([signal, late]) : late;
  const path = { instance_id };
  let last: InstanceEvent | undefined;
  try {
    const newest = await caller.call(
      'list_instance_events',
      { path, query: { per_page: 1 } },
      { signal: either },
    );
    const present = newest.items[0]?.id ?? 0;
    for await (const event of events(either)) {
      last = event;
      onEvent?.(event);
      // Earlier events do not count: an instance that failed once may have been retried.
      if (event.id < present) continue;
      if (event.to === 'running') break;
      if (DEAD_ENDS.includes(event.to)) throw new InstanceFailedError(instance_id, event);
    }
    return await caller.call('get_instance', { path }, { signal: either });
  } catch (error) {
    if (error !== late.reason) throw error;
    throw new WaitTimeoutError(instance_id, timeoutMs, last);
  }
}

import type { Caller } from './caller.ts';
import { InstanceFailedError, WaitTimeoutError } from './errors.ts';
import type { InstanceDetail, InstanceEvent } from './generated/shapes.ts';
import { signalAfter } from './until.ts';

/** Provisioning is tried for minutes before it fails for good. */
const PATIENCE_MS = 600_000;

const DEAD_ENDS: readonly InstanceEvent['to'][] = ['failed', 'terminating', 'terminated'];

export interface WaitOptions {
  /** Ends the waiting; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait; ten minutes unless told. */
  readonly timeoutMs?: number | undefined;
  /** Sees each line of the instance's log, from its beginning. What it throws ends the waiting. */
  readonly onEvent?: ((event: InstanceEvent) => void) | undefined;
}

/**
 * Resolves with the instance once it runs. Throws InstanceFailedError, with what the failing step said, when it cannot
 * get there any more, and WaitTimeoutError when it takes too long; neither changes the instance.
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
      // What was before is history: an instance that failed once may have been retried.
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

import type { Caller } from './caller.ts';
import { InstanceFailedError, WaitTimeoutError } from './errors.ts';
import type { InstanceDetail, InstanceEvent } from './generated/shapes.ts';
import { signalAfter } from './until.ts';

/** Provisioning is retried for minutes. */
const DEFAULT_TIMEOUT_MS = 600_000;

const FAILED_STATES: readonly InstanceEvent['to'][] = ['failed', 'terminating', 'terminated'];

export interface WaitOptions {
  /** Stops waiting, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ten minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Receives each event of the instance. An error that it throws ends the wait. */
  readonly onEvent?: ((event: InstanceEvent) => void) | undefined;
}

/**
 * Resolves once the instance runs. Throws InstanceFailedError, with the failed step's message, or WaitTimeoutError.
 * Neither changes the instance.
 */
export async function waitUntilRunning(
  caller: Caller,
  events: (signal: AbortSignal) => AsyncIterable<InstanceEvent>,
  instance_id: string,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS, onEvent }: WaitOptions,
): Promise<InstanceDetail> {
  const timeout = signalAfter(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
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
      // An instance that failed earlier may have been retried.
      if (event.id < present) continue;
      if (event.to === 'running') break;
      if (FAILED_STATES.includes(event.to)) throw new InstanceFailedError(instance_id, event);
    }
    return await caller.call('get_instance', { path }, { signal: either });
  } catch (error) {
    if (error !== timeout.reason) throw error;
    throw new WaitTimeoutError(instance_id, timeoutMs, last);
  }
}

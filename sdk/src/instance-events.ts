import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { FIRST_BACKOFF_MS, isTransient, nextBackoff, parsedData, streamed } from './event-stream.ts';
import type { InstanceEvent } from './generated/shapes.ts';
import { pause } from './until.ts';

export interface EventsOptions {
  /** Stops following, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the last known event. */
  readonly after?: number | undefined;
}

interface Log {
  readonly caller: Caller;
  readonly connection: Connection;
  readonly instance_id: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Yields existing events, then new ones, in order and once each, until `terminated`. Where streams are blocked, it
 * reads pages instead. Throws when the server refuses, or is unreachable at first.
 */
export async function* followInstance(log: Log, after: number): AsyncGenerator<InstanceEvent, void> {
  if (after > 0 && (await isOver(log, after))) return;
  let last = after;
  let reached = false;
  let backoffMs = FIRST_BACKOFF_MS;
  for (;;) {
    for await (const event of eventsAfter(log, last, reached)) {
      last = event.id;
      backoffMs = FIRST_BACKOFF_MS;
      yield event;
      if (event.to === 'terminated') return;
      // Several events may arrive together.
      log.signal?.throwIfAborted();
    }
    reached = true;
    await pause(backoffMs, log.signal);
    backoffMs = nextBackoff(backoffMs);
  }
}

/** A stream behind the last event of an instance would stay open without events. */
async function isOver({ caller, instance_id, signal }: Log, after: number): Promise<boolean> {
  const newest = { path: { instance_id }, query: { per_page: 1 } };
  const { items } = await caller.call('list_instance_events', newest, signal && { signal });
  return items.some(({ id, to }) => id <= after && to === 'terminated');
}

/** @param reached true when the server has responded before */
async function* eventsAfter(log: Log, after: number, reached: boolean): AsyncGenerator<InstanceEvent, void> {
  let last = after;
  try {
    for await (const event of streamAfter(log, after)) {
      last = event.id;
      yield event;
    }
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
  try {
    yield* await listAfter(log, last);
  } catch (error) {
    if (!isTransient(error) || !(reached || last > after)) throw error;
  }
}

async function* streamAfter(log: Log, after: number): AsyncGenerator<InstanceEvent, void> {
  const { connection, instance_id, signal } = log;
  const open = (until: AbortSignal) =>
    connection.openEvents('list_instance_events', { path: { instance_id } }, after, until);
  for await (const { data } of streamed(open, signal)) {
    const event = parseEvent(data);
    if (event.id > after) yield event;
  }
}

async function listAfter({ caller, instance_id, signal }: Log, after: number): Promise<InstanceEvent[]> {
  const events = new Map<number, InstanceEvent>();
  const rows = caller.each('list_instance_events', { path: { instance_id } }, signal && { signal });
  for await (const event of rows) {
    if (event.id <= after) break;
    events.set(event.id, event);
  }
  return [...events.values()].toSorted((one, other) => one.id - other.id);
}

function parseEvent(data: string): InstanceEvent {
  const event = parsedData(data) as InstanceEvent | null | undefined;
  if (typeof event?.id !== 'number') throw new ConnectionError('The event stream is not of an instance');
  return event;
}

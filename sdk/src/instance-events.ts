import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { FIRST_PAUSE_MS, isTransient, longerPause, parsedData, streamed } from './event-stream.ts';
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
 * Follows an instance's log: existing events, then new ones, in order and once each, until `terminated`. A dropped stream
 * is reopened at its position and missed events are read as pages, which also works, slower, where streams are blocked.
 * Throws when the server refuses, or cannot be reached at the first attempt.
 */
export async function* followInstance(log: Log, after: number): AsyncGenerator<InstanceEvent, void> {
  if (after > 0 && (await isOver(log, after))) return;
  let last = after;
  let reached = false;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    for await (const event of eventsAfter(log, last, reached)) {
      last = event.id;
      pauseMs = FIRST_PAUSE_MS;
      yield event;
      if (event.to === 'terminated') return;
      // Several events may have arrived together.
      log.signal?.throwIfAborted();
    }
    reached = true;
    await pause(pauseMs, log.signal);
    pauseMs = longerPause(pauseMs);
  }
}

/** True when the last known event was the end: a stream after it would stay open without events. */
async function isOver({ caller, instance_id, signal }: Log, after: number): Promise<boolean> {
  const newest = { path: { instance_id }, query: { per_page: 1 } };
  const { items } = await caller.call('list_instance_events', newest, signal && { signal });
  return items.some(({ id, to }) => id <= after && to === 'terminated');
}

/** Reads the stream until it ends, then the pages once. @param reached true when the server has responded before */
async function* eventsAfter(log: Log, after: number, reached: boolean): AsyncGenerator<InstanceEvent, void> {
  let last = after;
  try {
    for await (const event of streamedAfter(log, after)) {
      last = event.id;
      yield event;
    }
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
  try {
    yield* await writtenAfter(log, last);
  } catch (error) {
    if (!isTransient(error) || !(reached || last > after)) throw error;
  }
}

async function* streamedAfter(log: Log, after: number): AsyncGenerator<InstanceEvent, void> {
  const { connection, instance_id, signal } = log;
  const open = (until: AbortSignal) =>
    connection.openEvents('list_instance_events', { path: { instance_id } }, after, until);
  for await (const { data } of streamed(open, signal)) {
    const event = parseEvent(data);
    if (event.id > after) yield event;
  }
}

/** Lists are newest first; new events shift older ones to the next page. */
async function writtenAfter({ caller, instance_id, signal }: Log, after: number): Promise<InstanceEvent[]> {
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

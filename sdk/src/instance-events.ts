import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { InstanceEvent } from './generated/shapes.ts';
import { pause, until } from './until.ts';

export interface EventsOptions {
  /** Stops following, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the last known event. */
  readonly after?: number | undefined;
}

/** The server sends something every 10 seconds, so a stream that is silent for longer is dead. */
const SILENCE_MS = 25_000;
/** Many times the size of any event; the parser refuses longer ones. */
const MAX_BUFFER_LENGTH = 1_048_576;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

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
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
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
  const end = new AbortController();
  const silent = () => end.abort(new ConnectionError('The event stream fell silent'));
  let timer = setTimeout(silent, SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(silent, SILENCE_MS);
  };
  const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
  try {
    const response = await connection.openEvents(instance_id, after, either);
    for await (const { data } of readEvents(response, either, heard)) {
      const event = parseEvent(data);
      if (event.id > after) yield event;
    }
  } catch (error) {
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
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

/** A failure that the next attempt may not meet. */
const isTransient = (error: unknown) =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));

function parseEvent(data: string): InstanceEvent {
  const event = parsed(data) as InstanceEvent | null | undefined;
  if (typeof event?.id !== 'number') throw new ConnectionError('The event stream is not of an instance');
  return event;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/**
 * Reads an event stream (WHATWG HTML, section 9.2) to its end, ignoring comments and an incomplete last event. Throws
 * ConnectionError when it breaks off or the signal aborts. Ending the iteration closes the stream.
 *
 * @param heard called when any data arrives, including comments
 */
async function* readEvents(
  response: Response,
  signal: AbortSignal,
  heard: () => void,
): AsyncGenerator<EventSourceMessage, void> {
  const reader = response.body?.getReader();
  if (!reader) throw new ConnectionError('The event stream has no body');
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: MAX_BUFFER_LENGTH,
    onEvent: (event) => events.push(event),
  });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await until(signal, reader.read());
      if (done) return;
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } catch (error) {
    throw new ConnectionError('The event stream broke off', { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

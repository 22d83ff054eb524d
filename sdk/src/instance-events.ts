import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { readEvents } from './event-stream.ts';
import type { InstanceEvent } from './generated/shapes.ts';
import { pause } from './retries.ts';

export interface EventsOptions {
  /** Ends the following; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the last event that is known already. */
  readonly after?: number | undefined;
}

/** The server says something every 10 seconds; a stream that is silent for longer is dead. */
const SILENCE_MS = 25_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

interface Log {
  readonly caller: Caller;
  readonly connection: Connection;
  readonly instance_id: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Follows an instance's log: what there is, then each line as it is written, in order and once. It ends with the
 * instance (`terminated`). A stream that drops is opened again where it stood, and what it missed is read page-wise,
 * so that it goes on, slower, where no stream comes through. Throws when the server refuses, and when it could not be
 * reached in the first place.
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
      // More may have come at once with this one.
      log.signal?.throwIfAborted();
    }
    reached = true;
    await pause(pauseMs, log.signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

/** Whether the last event that is known was the end: a stream after it stays open, and has nothing to say. */
async function isOver({ caller, instance_id, signal }: Log, after: number): Promise<boolean> {
  const newest = { path: { instance_id }, query: { per_page: 1 } };
  const { items } = await caller.call('list_instance_events', newest, signal && { signal });
  return items.some(({ id, to }) => id <= after && to === 'terminated');
}

/** By a stream for as long as it lasts, then by pages once. @param reached whether the server was there before */
async function* eventsAfter(log: Log, after: number, reached: boolean): AsyncGenerator<InstanceEvent, void> {
  let last = after;
  try {
    for await (const event of streamedAfter(log, after)) {
      last = event.id;
      yield event;
    }
  } catch (error) {
    if (!passes(error)) throw error;
  }
  try {
    yield* await writtenAfter(log, last);
  } catch (error) {
    if (!passes(error) || !(reached || last > after)) throw error;
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

/** Newest first is how they are listed; a line that is written meanwhile shifts others to the next page. */
async function writtenAfter({ caller, instance_id, signal }: Log, after: number): Promise<InstanceEvent[]> {
  const events = new Map<number, InstanceEvent>();
  const rows = caller.each('list_instance_events', { path: { instance_id } }, signal && { signal });
  for await (const event of rows) {
    if (event.id <= after) break;
    events.set(event.id, event);
  }
  return [...events.values()].toSorted((one, other) => one.id - other.id);
}

/** What may be over at the next try: nothing came, or the server is in trouble. */
const passes = (error: unknown) =>
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

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError, ConnectionError } from './errors.ts';
import { until } from './until.ts';

/** The server sends something every 10 seconds, so a stream that is silent for longer is dead. */
const SILENCE_MS = 25_000;
/** Many times the size of any event; the parser refuses longer ones. */
const MAX_BUFFER_LENGTH = 1_048_576;
/** The pause before a stream that broke off is opened again for the first time. */
export const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

export const longerPause = (pauseMs: number): number => Math.min(LONGEST_PAUSE_MS, pauseMs * 2);

/** A failure that the next attempt may not meet. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));

/**
 * Opens an event stream and reads it to its end. Throws ConnectionError when it breaks off or falls silent, and the
 * signal's reason after an abort.
 */
export async function* streamed(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void> {
  const end = new AbortController();
  const silent = () => end.abort(new ConnectionError('The event stream fell silent'));
  let timer = setTimeout(silent, SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(silent, SILENCE_MS);
  };
  const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
  try {
    yield* readEvents(await open(either), either, heard);
  } catch (error) {
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The data of an event as JSON; undefined where it is none. */
export function parsedData(data: string): unknown {
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

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError, ConnectionError } from './errors.ts';
import { until } from './until.ts';

/** The server sends something every 10 seconds. */
const IDLE_TIMEOUT_MS = 25_000;
/** Many times the size of any event. */
const MAX_BUFFER_LENGTH = 1_048_576;
export const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5000;

export const nextBackoff = (backoffMs: number): number => Math.min(MAX_BACKOFF_MS, backoffMs * 2);

export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));

/**
 * Reads an event stream to its end. Throws ConnectionError when it breaks off or is idle for too long, and the
 * signal's reason after an abort.
 */
export async function* streamed(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void> {
  const end = new AbortController();
  const onIdle = () => end.abort(new ConnectionError('The event stream fell silent'));
  let timer = setTimeout(onIdle, IDLE_TIMEOUT_MS);
  const onData = () => {
    clearTimeout(timer);
    timer = setTimeout(onIdle, IDLE_TIMEOUT_MS);
  };
  const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
  try {
    yield* readEvents(await open(either), either, onData);
  } catch (error) {
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined for invalid JSON. */
export function parsedData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/**
 * Parses an event stream (WHATWG HTML, section 9.2) and closes it after the last iteration.
 *
 * @param onData called for comments, too
 */
async function* readEvents(
  response: Response,
  signal: AbortSignal,
  onData: () => void,
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
      onData();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } catch (error) {
    throw new ConnectionError('The event stream broke off', { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

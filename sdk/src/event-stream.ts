import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ConnectionError } from './errors.ts';
import { until } from './until.ts';

/** Far more than any line of a log; the parser refuses what has no end after that. */
const MAX_BUFFER_LENGTH = 1_048_576;

/**
 * Reads an event stream (WHATWG HTML, section 9.2) until it ends; what is no event is passed over, and an event that
 * it ends within. Throws ConnectionError when it breaks off, and when the signal ends it. Stopping to read closes it.
 *
 * @param heard called when something has come, be it a comment
 */
export async function* readEvents(
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

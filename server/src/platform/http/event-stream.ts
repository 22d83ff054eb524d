import { acceptedTypes } from './accept.ts';
import { Bell } from './bell.ts';
import type { Call } from './handler.ts';

/** Reads and writes at least this often: notifications may be lost, and proxies close silent connections. */
const READ_EVERY_MS = 10_000;
const EVENTS_PER_READ = 100;

/** False without a preference, because a stream never ends. */
export const wantsEventStream = (accept: string | undefined): boolean =>
  acceptedTypes(accept, ['application/json', 'text/event-stream'])[0] === 'text/event-stream';

export interface StreamEvent {
  /** Increasing; clients return the last one as Last-Event-ID. */
  id: number;
  event: string;
  data: unknown;
}

export interface EventSource {
  /** The events after an id, oldest first. */
  read: (after: number, limit: number) => Promise<readonly StreamEvent[]>;
  /** Calls `wake` when there may be new events. @returns unsubscribe */
  subscribe: (wake: () => void) => () => void;
  /** The last read left some out, because of their size. */
  hasMore?: () => boolean;
  /** The log has ended and its last event was read. */
  isOver?: () => boolean;
}

type StreamCall = Pick<Call<unknown>, 'request' | 'reply' | 'isStillAdmitted' | 'onRefused'>;

/**
 * Server-sent events (WHATWG HTML, section 9.2): the events after Last-Event-ID, then each new one. Ends with the log,
 * when the client disconnects, the caller loses access or the service stops.
 */
export async function streamEvents(
  { request, reply, isStillAdmitted, onRefused }: StreamCall,
  { read, subscribe, isOver, hasMore }: EventSource,
  onStopping: (listener: () => void) => () => void,
): Promise<undefined> {
  let last = lastEventId(request.headers['last-event-id']);
  const bell = new Bell();
  const close = () => bell.close();
  const unwatch = await onRefused(close);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
  });
  // The first event may take long.
  raw.flushHeaders();
  // A response closed earlier emits no 'close'.
  if (request.method === 'HEAD' || raw.destroyed) close();
  raw.on('close', close);
  raw.on('drain', () => bell.ring());
  const unsubscribe = subscribe(() => bell.ring());
  const unstop = onStopping(close);
  try {
    while (!bell.isClosed) {
      bell.arm();
      // Backpressure: otherwise a long log would fill memory for a client that does not read.
      if (raw.writableNeedDrain) {
        await bell.rung(READ_EVERY_MS);
        continue;
      }
      const events = await read(last, EVENTS_PER_READ);
      if (!(await isStillAdmitted())) break;
      for (const { id, event, data } of events) {
        last = id;
        raw.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      }
      if (isOver?.()) break;
      if (events.length < EVENTS_PER_READ && !hasMore?.()) await bell.rung(READ_EVERY_MS);
      if (!bell.isClosed && events.length === 0) raw.write(': still here\n\n');
    }
  } catch (error) {
    request.log.warn({ reqId: request.id, err: error }, 'an event stream ended early');
  } finally {
    unsubscribe();
    unstop();
    unwatch();
    raw.end();
  }
  return undefined;
}

/** 0, before all events, without a valid id. */
const lastEventId = (header: string | string[] | undefined): number =>
  Number(/^\d{1,15}$/.exec(String(header ?? ''))?.[0] ?? 0);

import { setTimeout as sleep } from 'node:timers/promises';
import { acceptedTypes } from '../platform/http/accept.ts';
import type { Call } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import { listInstanceEventsAfter } from './instances.ts';

/** A NOTIFY may get lost, and proxies close silent connections: look, and say something, this often. */
const LOOK_EVERY_MS = 10_000;
const EVENTS_AT_ONCE = 100;

/** Whether a log is followed rather than paged. A page where Accept takes neither: a stream never ends. */
export const wantsEventStream = (accept: string | undefined): boolean =>
  acceptedTypes(accept, ['application/json', 'text/event-stream'])[0] === 'text/event-stream';

type StreamCall = Pick<Call<unknown>, 'q' | 'request' | 'reply' | 'isStillAdmitted' | 'onRefused'> & {
  params: { instance_id: string };
};

type StreamServices = Pick<Services, 'notifications' | 'onStopping'>;

/**
 * Follows an instance's log as server-sent events (WHATWG HTML, section 9.2): what there is, from Last-Event-ID on,
 * then each new line as it is written, until the client goes, may not see it any more, or the service stops.
 */
export async function streamInstanceEvents(
  { q, params: { instance_id }, request, reply, isStillAdmitted, onRefused }: StreamCall,
  services: StreamServices,
): Promise<undefined> {
  let last = Number(/^\d{1,15}$/.exec(String(request.headers['last-event-id'] ?? ''))?.[0] ?? 0);
  const bell = new Bell();
  const close = () => bell.close();
  const unwatch = onRefused(close);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
  });
  // Who is up to date is answered too, before there is anything to say.
  raw.flushHeaders();
  // Who has gone by now, while the instance was looked for, is not told of again.
  if (request.method === 'HEAD' || raw.destroyed) bell.close();
  raw.on('close', close);
  raw.on('drain', () => bell.ring());
  const unfollow = services.notifications.subscribe('instance_events', (id) => {
    if (id === instance_id) bell.ring();
  });
  const unstop = services.onStopping(close);
  try {
    while (!bell.closed) {
      bell.arm();
      // Who takes nothing is told nothing more: all of a long log would wait here otherwise.
      if (raw.writableNeedDrain) {
        await bell.rung(LOOK_EVERY_MS);
        continue;
      }
      const events = await listInstanceEventsAfter(q, instance_id, last, EVENTS_AT_ONCE);
      if (!(await isStillAdmitted())) break;
      for (const event of events) {
        last = event.id;
        raw.write(`id: ${event.id}\nevent: ${event.step ?? 'status'}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      if (events.length < EVENTS_AT_ONCE) await bell.rung(LOOK_EVERY_MS);
      if (!bell.closed && events.length === 0) raw.write(': still here\n\n');
    }
  } catch (error) {
    request.log.warn({ reqId: request.id, err: error }, 'an event stream ended early');
  } finally {
    unfollow();
    unstop();
    unwatch();
    raw.end();
  }
  return undefined;
}

/** Wakes whoever waits. It is armed before looking, so what happens during the look rings it too. */
class Bell {
  closed = false;
  #ring = new AbortController();

  arm(): void {
    this.#ring = new AbortController();
  }

  ring(): void {
    this.#ring.abort();
  }

  close(): void {
    this.closed = true;
    this.ring();
  }

  /** Resolves when it rings, or after `timeoutMs`. */
  async rung(timeoutMs: number): Promise<void> {
    if (this.closed) return;
    await sleep(timeoutMs, undefined, { signal: this.#ring.signal }).catch(() => {});
  }
}

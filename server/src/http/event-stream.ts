import { listInstanceEventsAfter } from '../domain/instances.ts';
import type { Call } from './handler.ts';

/** A NOTIFY may get lost, and proxies close silent connections: look, and say something, this often. */
const LOOK_EVERY_MS = 10_000;
const EVENTS_AT_ONCE = 100;

type StreamCall = Pick<Call<unknown>, 'services' | 'q' | 'request' | 'reply'> & { params: { instance_id: string } };

/**
 * Follows an instance's log as server-sent events (WHATWG HTML, section 9.2): what there is, from Last-Event-ID on,
 * then each new line as it is written, until the client goes or the service stops.
 */
export async function streamInstanceEvents({ services, q, params, request, reply }: StreamCall): Promise<undefined> {
  const { instance_id } = params;
  let last = Number(/^\d{1,15}$/.exec(String(request.headers['last-event-id'] ?? ''))?.[0] ?? 0);
  let wake = () => {};
  let open = true;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  const close = () => {
    open = false;
    wake();
  };
  raw.on('close', close);
  const unfollow = services.notifications.subscribe('instance_events', (id) => id === instance_id && wake());
  const unstop = services.onStopping(close);
  try {
    while (open) {
      // Armed before looking: a line that is written meanwhile wakes the wait below.
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const events = await listInstanceEventsAfter(q, instance_id, last, EVENTS_AT_ONCE);
      for (const event of events) {
        last = event.id;
        raw.write(`id: ${event.id}\nevent: ${event.step ?? 'status'}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      if (events.length < EVENTS_AT_ONCE) await withTimeout(woken, LOOK_EVERY_MS);
      if (open && events.length === 0) raw.write(': still here\n\n');
    }
  } catch (error) {
    request.log.warn({ err: error }, 'an event stream ended early');
  } finally {
    unfollow();
    unstop();
    raw.end();
  }
  return undefined;
}

async function withTimeout(wait: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([wait, timeout]);
  clearTimeout(timer);
}

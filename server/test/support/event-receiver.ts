import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../bench/src/ports.ts';
import type { TestService, TestTenant } from './service.ts';

export interface ReceivedEvent {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  at: number;
}

/** A program that is told of events, at an address of its own for each endpoint. */
export class EventReceiver {
  readonly received: ReceivedEvent[] = [];
  /** In place of 204. */
  respond: (response: ServerResponse, event: ReceivedEvent) => void = (response) =>
    response.writeHead(204).end();
  readonly #came = new EventEmitter();
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const { url: path = '', headers } = request;
    const event = { path, headers, raw, body: JSON.parse(raw), at: performance.now() };
    this.received.push(event);
    this.respond(response, event);
    this.#came.emit('event');
  }

  static async start(): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    await receiver.open();
    onTestFinished(() => receiver.close());
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type);
  }

  /** At its former port, if it had one. */
  async open(): Promise<void> {
    // Not one of the kernel's, which an outgoing connection may get while nobody listens.
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async hasReceived(count: number): Promise<void> {
    while (this.received.length < count) await once(this.#came, 'event');
  }
}

export interface TestEventEndpoint {
  id: string;
  signing_secret: string;
  [field: string]: unknown;
}

export async function createEventEndpoint(
  { api }: Pick<TestTenant, 'api'>,
  url: string,
  settings: object = {},
): Promise<TestEventEndpoint> {
  const {
    status,
    body,
    text: answer,
  } = await api.post<TestEventEndpoint>('/v1/event-endpoints', {
    url,
    events: ['*'],
    ...settings,
  });
  if (status !== 201) throw new Error(answer);
  return body;
}

/** As a cause in SQL does. */
export const emitEvents = (
  { database }: Pick<TestService, 'database'>,
  { tenant_id }: Pick<TestTenant, 'tenant_id'>,
  type: string,
  ...abouts: object[]
) =>
  database.query('select emit_event($1, $2, about) from jsonb_array_elements($3::jsonb) about', [
    tenant_id,
    type,
    JSON.stringify(abouts),
  ]);

export interface TestDelivery {
  id: string;
  event_id: string;
  type: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
}

export const deliveriesOf = async ({ api }: Pick<TestTenant, 'api'>, id: string, status = '') =>
  (
    await api.get<{ items: TestDelivery[]; total: number }>(
      `/v1/event-endpoints/${id}/deliveries?per_page=100${status && `&status=${status}`}`,
    )
  ).body;

/** Waits until all deliveries of the endpoint, newest first, have these fields. */
export const deliveriesBecome = (
  tenant: Pick<TestTenant, 'api'>,
  id: string,
  ...wanted: readonly Partial<TestDelivery>[]
): Promise<TestDelivery[]> =>
  vi.waitFor(
    async () => {
      const { items } = await deliveriesOf(tenant, id);
      expect(items).toMatchObject(wanted);
      return items;
    },
    { timeout: 60_000, interval: 30 },
  );

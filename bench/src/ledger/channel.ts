import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_AFTER_MS = 100;
const PATIENCE_MS = 10_000;

/** A text as the channel took it. */
export interface Sent {
  to: string;
  /** The message that it is, by the service's id. */
  message_id: string;
}

/** The other side of a number: people who write, and the send API that takes what is answered to them. */
export class Channel {
  readonly phone_number_id = '187768953141096';
  readonly app_secret = 'the app secret';
  readonly sent: Sent[] = [];
  readonly #base_url: string;
  /** How many texts each person got. */
  readonly #received = new Map<string, number>();
  readonly #receipts = new Set<Promise<void>>();
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #isClosed = false;

  constructor(base_url: string) {
    this.#base_url = base_url;
  }

  /** @returns where the send API is */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server.closeAllConnections();
    this.#server.close();
    await Promise.all(this.#receipts);
  }

  /** Calls the webhook until it is acknowledged, as the channel does. */
  write(sender: string, text: string): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const message = {
      from: sender,
      id: `wamid.${randomUUID()}`,
      timestamp,
      type: 'text',
      text: { body: text },
    };
    const contacts = [{ profile: { name: 'Ana' }, wa_id: sender }];
    return this.#deliver({ contacts, messages: [message] });
  }

  /** Waits until a person got so many texts in all, for as long as people are patient. */
  async received(person: string, texts: number): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while ((this.#received.get(person) ?? 0) < texts && performance.now() < deadline) await sleep(50);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as {
      to?: string;
      recipient?: string;
      biz_opaque_callback_data: string;
    };
    const sent = { to: body.to ?? body.recipient ?? '', message_id: body.biz_opaque_callback_data };
    this.sent.push(sent);
    this.#received.set(sent.to, (this.#received.get(sent.to) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ messages: [{ id: `wamid.out.${randomUUID()}` }] }));
    const receipt = this.#tell(sent).finally(() => this.#receipts.delete(receipt));
    this.#receipts.add(receipt);
  }

  #tell({ to, message_id }: Sent): Promise<void> {
    const status = {
      id: `wamid.${randomUUID()}`,
      status: 'delivered',
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: to,
      biz_opaque_callback_data: message_id,
    };
    return this.#deliver({ statuses: [status] });
  }

  async #deliver(parts: object): Promise<void> {
    const metadata = { display_phone_number: '15550100000', phone_number_id: this.phone_number_id };
    const value = { messaging_product: 'whatsapp', metadata, ...parts };
    const entry = [{ id: '0', changes: [{ field: 'messages', value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    const digest = createHmac('sha256', this.app_secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` };
    while (!this.#isClosed) {
      const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) };
      const status = await fetch(`${this.#base_url}/hooks/chatapp`, request).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      if (status === 200) return;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_AFTER_MS = 100;
const ANSWER_WITHIN_MS = 10_000;

/** A text that the channel accepted. */
export interface Sent {
  to: string;
  /** The service's id. */
  message_id: string;
}

/** Simulates people who write to a number, and the send API. */
export class Channel {
  readonly phone_number_id = '187768953141096';
  readonly app_secret = 'the app secret';
  readonly sent: Sent[] = [];
  readonly #base_url: string;
  /** By person. */
  readonly #received = new Map<string, number>();
  readonly #receipts = new Set<Promise<void>>();
  readonly #server = createServer((request, response) => void this.#accept(request, response));
  #isClosed = false;

  constructor(base_url: string) {
    this.#base_url = base_url;
  }

  /** @returns the send API's URL */
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

  /** Like the channel, calls the webhook until it is acknowledged. */
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

  /** Waits until a person has received this many texts, at most 10 s. */
  async received(person: string, texts: number): Promise<void> {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    while ((this.#received.get(person) ?? 0) < texts && performance.now() < deadline) await sleep(50);
  }

  async #accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const receipt = this.#sendReceipt(sent).finally(() => this.#receipts.delete(receipt));
    this.#receipts.add(receipt);
  }

  #sendReceipt({ to, message_id }: Sent): Promise<void> {
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
      await sleep(RETRY_AFTER_MS);
    }
  }
}

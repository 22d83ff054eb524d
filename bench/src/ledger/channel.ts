import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonCall } from '../call.ts';
import { listenOnLoopback } from '../ports.ts';
import { ask, judge } from './answers.ts';
import type { Book } from './book.ts';
import type { Random } from './random.ts';

const RETRY_AFTER_MS = 100;
const ANSWER_WITHIN_MS = 10_000;
const LATE_MS = 3000;
/** In so many of a hundred sends the channel breaks off after it took the text, fails, or is too busy. */
const BROKEN = 3;
const FAILED = 2;
const BUSY = 1;

/** A text that the channel accepted. */
export interface Sent {
  to: string;
  /** The service's id. */
  message_id: string;
  at: number;
  /** The service was told that it was taken. */
  isTold: boolean;
}

interface Send {
  to?: string;
  recipient?: string;
  biz_opaque_callback_data: string;
}

/** Simulates people who write to a number, and the send API. */
export class Channel {
  readonly phone_number_id = '187768953141096';
  readonly app_secret = 'the app secret';
  readonly sent: Sent[] = [];
  /** Texts to this person are taken, and no answer and no notice ever says so. */
  readonly silent_person = '4915200000000';
  readonly #book: Book;
  readonly #random: Random;
  #base_url = () => '';
  /** By person. */
  readonly #received = new Map<string, number>();
  readonly #receipts = new Set<Promise<void>>();
  readonly #server = createServer((request, response) => void this.#accept(request, response));
  #isClosed = false;

  constructor(book: Book, random: Random) {
    this.#book = book;
    this.#random = random;
  }

  /** @returns the send API's URL */
  async start(): Promise<string> {
    return listenOnLoopback(this.#server);
  }

  /** @param base_url where the webhook is */
  connect(base_url: () => string): void {
    this.#base_url = base_url;
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
    const body = (await json(request)) as Send;
    const chance = this.#random.between(0, 100);
    const to = body.to ?? body.recipient ?? '';
    const isSilent = to === this.silent_person;
    if (!isSilent && chance < FAILED + BUSY) return refuse(response, chance < FAILED ? 500 : 429);
    const isTold = !isSilent && chance >= FAILED + BUSY + BROKEN;
    const sent = { to, message_id: body.biz_opaque_callback_data, at: Date.now(), isTold };
    this.sent.push(sent);
    this.#received.set(to, (this.#received.get(to) ?? 0) + 1);
    if (isTold) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messages: [{ id: `wamid.out.${randomUUID()}` }] }));
    } else request.socket.destroy();
    if (isSilent) return;
    const receipt = this.#sendReceipt(sent).finally(() => this.#receipts.delete(receipt));
    this.#receipts.add(receipt);
  }

  /** A notice says that the text was taken, also where the answer broke off. */
  async #sendReceipt({ to, message_id, isTold }: Sent): Promise<void> {
    if (!isTold) await sleep(this.#random.between(0, LATE_MS));
    const status = {
      id: `wamid.${randomUUID()}`,
      status: 'delivered',
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: to,
      biz_opaque_callback_data: message_id,
    };
    await this.#deliver({ statuses: [status] });
  }

  async #deliver(parts: object): Promise<void> {
    const metadata = { display_phone_number: '15550100000', phone_number_id: this.phone_number_id };
    const value = { messaging_product: 'whatsapp', metadata, ...parts };
    const entry = [{ id: '0', changes: [{ field: 'messages', value }] }];
    const payload = { object: 'whatsapp_business_account', entry };
    const digest = createHmac('sha256', this.app_secret).update(JSON.stringify(payload)).digest('hex');
    const path = '/hooks/chatapp';
    const call = jsonCall('POST', path, { 'x-hub-signature-256': `sha256=${digest}` }, payload);
    while (!this.#isClosed) {
      const answer = await ask(this.#base_url(), call).catch(() => undefined);
      if (answer && judge(this.#book, { asked: `POST ${path}`, ...answer })) return;
      await sleep(RETRY_AFTER_MS);
    }
  }
}

function refuse(response: ServerResponse, status: 429 | 500): void {
  const later = status === 429 ? { 'retry-after': '2' } : {};
  const error = { message: 'Try again later', code: status === 429 ? 130_429 : 2 };
  response.writeHead(status, { 'content-type': 'application/json', ...later });
  response.end(JSON.stringify({ error }));
}

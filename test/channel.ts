import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signatureOf } from '../demo/src/webhook.ts';
import { FakeSendApi, type Sent } from '../server/test/support/send-api.ts';
import { call, until } from './instances.ts';
import type { Credentials } from './server-process.ts';

const RETRY_MS = 50;
/** Only a copy that hangs takes so long: a busy one must not count as one that refuses. */
const ANSWERS_WITHIN_MS = 60_000;

/** The channel's numbers: webhook calls, the send API, and delivery receipts. */
export class Channel {
  readonly phone_number_id = '187768953141096';
  readonly app_secret = 'the app secret';
  readonly sendApi = new FakeSendApi();
  send_url = '';
  base_url = '';
  readonly #receipts = new Set<Promise<void>>();
  #isClosed = false;

  async start(): Promise<void> {
    this.send_url = await this.sendApi.start();
    this.sendApi.mood = (response, sent) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messages: [{ id: `wamid.out.${randomUUID()}` }] }));
      const receipt = this.#sendReceipt(sent).finally(() => this.#receipts.delete(receipt));
      this.#receipts.add(receipt);
      return true;
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.sendApi.stop();
    await Promise.all(this.#receipts);
  }

  keepMedia(id: string, content: Uint8Array, mime_type: string): void {
    this.sendApi.onGet = (path, response) => {
      const isDescription = path === `/${id}`;
      response.setHeader('content-type', isDescription ? 'application/json' : mime_type);
      const description = {
        id,
        url: `${this.send_url}/download/${id}`,
        mime_type,
        file_size: content.length,
      };
      response.end(
        isDescription ? JSON.stringify({ messaging_product: 'whatsapp', ...description }) : content,
      );
    };
  }

  /** Retries until the webhook answers 200. @returns the number of calls */
  write(sender: string, text: string, phone_number_id?: string): Promise<number> {
    return this.writeAs(sender, { type: 'text', text: { body: text } }, phone_number_id);
  }

  writeAs(sender: string, message: object, phone_number_id = this.phone_number_id): Promise<number> {
    return this.#tell(sender, [message], phone_number_id);
  }

  /** In one call, so that they arrive together however slow the machine is. */
  writeAll(sender: string, texts: readonly string[]): Promise<number> {
    const messages = texts.map((body) => ({ type: 'text', text: { body } }));
    return this.#tell(sender, messages, this.phone_number_id);
  }

  #tell(sender: string, contents: readonly object[], phone_number_id: string): Promise<number> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const messages = contents.map((content) => ({
      from: sender,
      id: `wamid.${randomUUID()}`,
      timestamp,
      ...content,
    }));
    const parts = { contacts: [{ profile: { name: 'Ana' }, wa_id: sender }], messages };
    return this.#deliver(parts, phone_number_id);
  }

  async #sendReceipt({ path, body }: Sent): Promise<void> {
    const status = {
      id: `wamid.${randomUUID()}`,
      status: 'delivered',
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: body.to ?? body.recipient,
      biz_opaque_callback_data: body.biz_opaque_callback_data,
    };
    await this.#deliver({ statuses: [status] }, numberIn(path));
  }

  async #deliver(parts: object, phone_number_id: string): Promise<number> {
    const metadata = { display_phone_number: '15550100000', phone_number_id };
    const value = { messaging_product: 'whatsapp', metadata, ...parts };
    const payload = {
      object: 'whatsapp_business_account',
      entry: [{ id: '0', changes: [{ field: 'messages', value }] }],
    };
    const body = new TextEncoder().encode(JSON.stringify(payload));
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': signatureOf(body, this.app_secret),
    };
    for (let calls = 1; !this.#isClosed; calls++) {
      const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) };
      const status = await fetch(`${this.base_url}/hooks/chatapp`, request).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return calls;
      await sleep(RETRY_MS);
    }
    return 0;
  }
}

export const numberIn = (path: string) => path.split('/')[1] ?? '';

export async function deployAgent(
  credentials: Credentials,
  channel: Channel,
  recipe: Record<string, unknown>,
): Promise<{ customer_id: string; instance_id: string; connection_id: string }> {
  const make = (path: string, json: unknown) => call<{ id: string }>(credentials, 'POST', path, json);
  const { id: customer_id } = await make('/v1/customers', { email: `${randomUUID()}@example.com` });
  const connection = await make(`/v1/customers/${customer_id}/connections`, {
    provider: 'chatapp',
    credentials: { access_token: 'the access token' },
  });
  const requirements = { connection_requirements: [{ provider: 'chatapp' }] };
  const { id: recipe_id } = await make('/v1/recipes', { name: 'Agent', ...requirements, ...recipe });
  const tiers = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/tiers');
  const regions = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/regions');
  const { instance_id } = await call<{ instance_id: string }>(credentials, 'POST', '/v1/recipes/deploy', {
    customer_id,
    recipe_id,
    tier_id: tiers.items[0]?.id,
    region_id: regions.items[0]?.id,
    hostname: 'agent.example.com',
  });
  await until(credentials, instance_id, 'running');
  await make('/v1/channel-endpoints', {
    channel: 'chatapp',
    phone_number_id: channel.phone_number_id,
    instance_id,
    verify_token: 'a word',
    app_secret: channel.app_secret,
  });
  return { customer_id, instance_id, connection_id: connection.id };
}

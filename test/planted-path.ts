import { createHash, createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { type Answer, Client } from '../server/test/support/client.ts';
import type { PlantedSecrets } from '../server/test/support/planted-secrets.ts';
import type { Credentials, ServerProcess } from './server-process.ts';

const JSON_TYPE = 'application/json';
const PHONE_NUMBER_ID = '1234567';
const SOON = { timeout: 180_000, interval: 200 };

type Options = Parameters<Client['request']>[2];
type Id = { id: string };

interface Customer {
  path: string;
  id: string;
  pin: string;
}

/** Uses the whole service, and leaves a secret wherever one can be left. */
export class PlantedPath {
  /** Except those that show a secret once. */
  readonly answers: { what: string; answer: Answer<unknown> }[] = [];
  readonly #secrets: PlantedSecrets;
  readonly #server: ServerProcess;
  readonly #anonymous: Client;
  readonly #api: Client;

  constructor(secrets: PlantedSecrets, server: ServerProcess, { base_url, api_key }: Credentials) {
    this.#secrets = secrets;
    this.#server = server;
    this.#anonymous = new Client(base_url);
    this.#api = this.#anonymous.with({ 'x-api-key': api_key });
  }

  async useUsers(): Promise<void> {
    const password = this.#plant('user’s password');
    const email = `${randomUUID()}@example.com`;
    await this.#succeed(this.#api, 'POST', '/v1/users', { json: { email, password, role: 'admin' } });
    type Tokens = Record<'access_token' | 'refresh_token', string>;
    const first = await this.#shown<Tokens>(this.#anonymous, '/auth/login', { email, password });
    const { refresh_token } = first;
    const second = await this.#shown<Tokens>(this.#anonymous, '/auth/refresh', { refresh_token });
    for (const tokens of [first, second]) {
      this.#secrets.plant('access token', tokens.access_token.split('.')[2] ?? '');
      this.#secrets.plant('refresh token', tokens.refresh_token.slice(-24));
    }
    for (const json of [
      { email, password: `${password}!` },
      { email: password, password: [password] },
    ]) {
      await this.#refused(this.#anonymous, 'POST', '/auth/login', { json });
    }
    const wrong = { refresh_token: `${second.refresh_token}x` };
    await this.#refused(this.#anonymous, 'POST', '/auth/refresh', { json: wrong });
    const user = { email: password, password: 7, role: password };
    await this.#refused(this.#api, 'POST', '/v1/users', { json: user });
    await this.#refused(this.#bearer(`${second.access_token}x`), 'GET', '/v1/me');
    await this.#useInvitation();
  }

  async #useInvitation(): Promise<void> {
    const [invited, own, last] = [1, 2, 3].map(() => this.#plant('user’s password'));
    const email = `${randomUUID()}@example.com`;
    const invitation = { email, role: 'member' };
    type Invitation = { invitation_token: string };
    const { invitation_token } = await this.#shown<Invitation>(
      this.#api,
      '/v1/users/invitations',
      invitation,
    );
    this.#secrets.plant('invitation token', invitation_token);
    const wrong = { invitation_token: `${invitation_token}x`, password: invited };
    await this.#refused(this.#anonymous, 'POST', '/auth/invitations/accept', { json: wrong });
    const accepted = { invitation_token, password: invited };
    type Accepted = { access_token: string };
    const { access_token } = await this.#shown<Accepted>(
      this.#anonymous,
      '/auth/invitations/accept',
      accepted,
    );
    this.#secrets.plant('access token', access_token.split('.')[2] ?? '');
    const user = this.#bearer(access_token);
    await this.#refused(user, 'PATCH', '/v1/me', { json: { current_password: own, new_password: own } });
    await this.#succeed(user, 'PATCH', '/v1/me', { json: { current_password: invited, new_password: own } });
    const { user: of } = await this.#succeed<{ user: Id }>(user, 'GET', '/v1/me');
    const { reset_token } = await this.#shown<{ reset_token: string }>(
      this.#api,
      `/v1/users/${of.id}/password-reset`,
      {},
    );
    this.#secrets.plant('reset token', reset_token);
    await this.#refused(this.#anonymous, 'POST', '/auth/password-reset', {
      json: { reset_token: `${reset_token}x`, password: last },
    });
    await this.#succeed(this.#anonymous, 'POST', '/auth/password-reset', {
      json: { reset_token, password: last },
    });
  }

  async useKeys(): Promise<string> {
    const request = { name: 'K', scopes: ['*'] };
    const made = await this.#shown<Id & { key: string }>(this.#api, '/v1/api-keys', request);
    const { key } = await this.#shown<{ key: string }>(this.#api, `/v1/api-keys/${made.id}/rotate`, {});
    for (const one of [made.key, key]) this.#secrets.plant('API key', one.slice(14));
    await this.#refused(this.#anonymous.with({ 'x-api-key': `${key}x` }), 'GET', '/v1/recipes');
    await this.#refused(this.#anonymous.with({ authorization: `Basic ${key}` }), 'GET', '/v1/recipes');
    await this.#refused(this.#anonymous, 'GET', `/v1/nowhere/${key}?api_key=${key}`);
    await this.#refused(this.#api, 'GET', `/v1/recipes/${key}`);
    await this.#refused(this.#api, 'POST', '/v1/api-keys', { json: { name: { key }, scopes: [key] } });
    return key;
  }

  async makeCustomer(email: string): Promise<Customer> {
    const { id } = await this.#succeed<Id>(this.#api, 'POST', '/v1/customers', { json: { email } });
    const path = `/v1/customers/${id}`;
    const connections = `${path}/connections`;
    const connect = (provider: string, name: string, credentials: object) =>
      this.#succeed(this.#api, 'POST', connections, { json: { provider, name, credentials } });
    const client_secret = this.#plant('drive’s client secret');
    const refresh_token = this.#plant('drive’s refresh token');
    const google = { client_id: 'id', client_secret, refresh_token };
    await connect('chatapp', 'main', { access_token: this.#plantBearer('channel’s access token') });
    await connect('google_drive', 'without', google);
    const access_token = this.#plantBearer('drive’s access token');
    await connect('google_drive', 'with', { ...google, access_token });
    await connect('filesystem', 'nowhere', { root: `../../${this.#plantBearer('drive’s root')}` });
    for (const credentials of [client_secret, [client_secret]]) {
      const json = { provider: 'google_drive', name: client_secret.repeat(20), credentials };
      await this.#refused(this.#api, 'POST', connections, { json });
    }
    await this.#refused(this.#api, 'POST', connections, { raw: client_secret.repeat(50_000) });
    return { id, path, pin: await this.#setPin(path) };
  }

  async #setPin(customer: string): Promise<string> {
    const path = `${customer}/pin`;
    const pin = this.plantPin('PIN');
    await this.#succeed(this.#api, 'POST', path, { json: { pin } });
    for (const wrong of [`${pin}0`, `pin ${pin}`, Number(pin), [pin], { pin }]) {
      await this.#refused(this.#api, 'POST', path, { json: { pin: wrong } });
    }
    await this.#refused(this.#api, 'POST', path, { raw: `{"pin": "${pin}" "${pin}"}` });
    const headers = { 'content-type': 'text/plain' };
    await this.#refused(this.#api, 'POST', path, { raw: `pin=${pin}`, headers });
    await this.#refused(this.#api, 'PATCH', `${path}?pin=${pin}`);
    return pin;
  }

  async deploy({ id: customer_id }: Customer): Promise<{ instance_id: string; task_id: string }> {
    const recipe = {
      name: 'Recipe',
      channel_types: ['chatapp'],
      skills: [{ slug: 'timesheet', pin_required: true }],
      connection_requirements: [{ provider: 'chatapp' }, { provider: 'google_drive' }],
    };
    const { id: recipe_id } = await this.#succeed<Id>(this.#api, 'POST', '/v1/recipes', { json: recipe });
    const [tier_id, region_id] = await Promise.all(
      ['/v1/tiers', '/v1/regions'].map(async (path) => {
        const { items } = await this.#succeed<{ items: Id[] }>(this.#api, 'GET', path);
        return items[0]?.id;
      }),
    );
    const json = { customer_id, recipe_id, tier_id, region_id, hostname: 'agent.example.com' };
    const deployed = await this.#succeed<{ instance_id: string; task_id: string }>(
      this.#api,
      'POST',
      '/v1/recipes/deploy',
      { json },
    );
    await this.#until(deployed.instance_id, 'running');
    this.#plantEnvironments();
    return deployed;
  }

  #plantEnvironments(): void {
    for (const { pid } of this.#server.runtimes()) {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      for (const name of ['PROXY_KEY', 'MESSAGE_SECRET', 'ENROLLMENT_TOKEN', 'LLM_API_KEY']) {
        const value = variables.find((variable) => variable.startsWith(`${name}=`)) ?? '';
        expect(value).toMatch(/=.{20}/);
        this.#secrets.plant(`${name} of a runtime`, value.slice(name.length + 1));
      }
    }
  }

  async actAsInstance(instance_id: string, { pin }: Customer): Promise<void> {
    const [path, internal] = [`/v1/instances/${instance_id}`, `/internal/v1/instances/${instance_id}`];
    type Token = { enrollment_token: string };
    const { enrollment_token } = await this.#shown<Token>(this.#api, `${path}/enrollment-token`);
    const { proxy_key } = await this.#shown<{ proxy_key: string }>(this.#api, `${path}/proxy-key`);
    this.#secrets.plant('enrollment token', enrollment_token);
    this.#secrets.plant('proxy key', proxy_key);
    const enrollment = { enrollment_token, csr_pem: enrollment_token.repeat(9) };
    await this.#refused(this.#anonymous, 'POST', `${internal}/enroll`, { json: enrollment });
    await this.#refused(this.#bearer(`${proxy_key}x`), 'GET', `${internal}/customer-config`);

    const proxy = this.#bearer(proxy_key);
    const verify = `${internal}/pin/verify`;
    await this.#succeed(proxy, 'POST', verify, { json: { pin: `${pin}0` } });
    const { session_token } = await this.#shown<{ session_token: string }>(proxy, verify, { pin });
    this.#secrets.plant('PIN session', session_token);
    await this.#succeed(proxy, 'POST', `${internal}/pin/session`, { json: { session_token } });
    const tokens = { session_token: [session_token] };
    await this.#refused(proxy, 'POST', `${internal}/pin/session`, { json: tokens });
    await this.#refused(proxy, 'POST', verify, { json: { pin: { pin }, customer_id: pin } });
    for (const name of ['with', 'without', 'nowhere']) {
      for (const path of ['search?query=q&', 'read/f?']) {
        const url = `${internal}/drive/${path}connection_name=${name}`;
        expect(await this.#refused(proxy, 'GET', url)).toBe(502);
      }
    }
  }

  async askModel(): Promise<void> {
    const json = { description: `Answers the crew: ${this.#plant('text for the model')}` };
    expect(await this.#refused(this.#api, 'POST', '/v1/recipes/ai-assist', { json })).toBe(502);
    const params = { name: 'assist_recipe', arguments: json };
    const api = this.#api.with({ accept: `${JSON_TYPE}, text/event-stream` });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    await this.#succeed(api, 'POST', '/v1/mcp', { json: call });
  }

  /** An answer that the channel refuses, then, when it accepts, a message with a PIN. */
  async exchangeMessages(instance_id: string, acceptAnswers: () => void): Promise<void> {
    const app_secret = this.#plant('app secret');
    const verify_token = this.#plant('verify token');
    const endpoint = { channel: 'chatapp', phone_number_id: PHONE_NUMBER_ID, app_secret, verify_token };
    const path = '/v1/channel-endpoints';
    await this.#succeed(this.#api, 'POST', path, { json: { ...endpoint, instance_id } });
    await this.#refused(this.#api, 'POST', path, { json: { ...endpoint, instance_id: app_secret } });
    const verification = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '1' });
    verification.set('hub.verify_token', verify_token);
    await this.#succeed(this.#anonymous, 'GET', `/hooks/chatapp?${verification.toString()}`);
    await this.#refused(this.#anonymous, 'GET', `/hooks/chatapp?${verification.toString()}x`);

    const [first, second] = ['61400000001', '61400000002'];
    await this.#refused(...signedMessage(this.#anonymous, `${app_secret}x`, first, 'help'));
    await this.#succeed(...signedMessage(this.#anonymous, app_secret, first, 'help'));
    await this.#untilAnswer(first, { status: 'queued', error: expect.stringMatching(/./) });
    acceptAnswers();
    const text = this.plantPin('PIN in a message');
    await this.#succeed(...signedMessage(this.#anonymous, app_secret, second, text));
    await this.#untilMessage(second, { status: 'delivered' });
  }

  async #untilAnswer(external_id: string, expected: object): Promise<void> {
    await vi.waitFor(async () => {
      type Found = { items: { id: string; external_id: string }[] };
      const { items } = await this.#succeed<Found>(this.#api, 'GET', '/v1/conversations');
      const id = items.find((conversation) => conversation.external_id === external_id)?.id;
      const path = `/v1/conversations/${id}/messages`;
      const messages = await this.#succeed<{ items: object[] }>(this.#api, 'GET', path);
      expect(messages.items).toContainEqual(expect.objectContaining({ direction: 'out', ...expected }));
    }, SOON);
  }

  async #untilMessage(external_id: string, expected: object): Promise<void> {
    await vi.waitFor(async () => {
      const { items } = await this.#succeed<{ items: object[] }>(this.#api, 'GET', '/v1/channel-messages');
      expect(items).toContainEqual(expect.objectContaining({ external_id, ...expected }));
    }, SOON);
  }

  async lookBack(instance_id: string, { path }: Customer): Promise<void> {
    const instance = `/v1/instances/${instance_id}`;
    for (const shown of [
      instance,
      `${instance}/events?per_page=100`,
      `${path}/connections`,
      '/v1/api-keys',
    ]) {
      await this.#succeed(this.#api, 'GET', shown);
    }
    await this.#succeed(this.#anonymous, 'GET', '/metrics');
    const saved = `/v1/recipes/save-from-instance/${instance_id}`;
    await this.#succeed(this.#api, 'POST', saved, { json: { name: 'Saved' } });
  }

  async terminate(instance_id: string): Promise<void> {
    await this.#succeed(this.#api, 'DELETE', `/v1/instances/${instance_id}`);
    await this.#until(instance_id, 'terminated');
  }

  /** A hash of a PIN reveals it, because PINs are few. */
  plantPin(name: string): string {
    const pin = this.#secrets.plant(name, String(randomInt(1e11, 1e12 - 1)));
    this.#secrets.plant(`hash of the ${name}`, createHash('sha256').update(pin).digest());
    return pin;
  }

  /** Includes characters that URLs and JSON escape. */
  #plant(name: string): string {
    return `"${this.#secrets.plant(name, randomBytes(12).toString('hex'))}&/ü`;
  }

  /** For places that accept only a token. */
  #plantBearer(name: string): string {
    return this.#secrets.plant(name, randomBytes(24).toString('base64url'));
  }

  #bearer(token: string): Client {
    return this.#anonymous.with({ authorization: `Bearer ${token}` });
  }

  async #until(instance_id: string, status: string): Promise<void> {
    await vi.waitFor(async () => {
      const { body } = await this.#api.get<{ status: string }>(`/v1/instances/${instance_id}`);
      expect(body.status).toBe(status);
    }, SOON);
  }

  async #send<T>(client: Client, method: string, path: string, options: Options): Promise<Answer<T>> {
    const answer = await client.request<T>(method, path, options);
    this.answers.push({ what: `the answer to ${method} ${path.split('?', 1)[0]}`, answer });
    return answer;
  }

  async #succeed<T>(client: Client, method: string, path: string, options: Options = {}): Promise<T> {
    const { status, body, text } = await this.#send<T>(client, method, path, options);
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return body;
  }

  async #refused(client: Client, method: string, path: string, options: Options = {}): Promise<number> {
    const { status } = await this.#send(client, method, path, options);
    expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    expect(status, `${method} ${path}`).not.toBe(500);
    return status;
  }

  /** For answers that show a secret once. */
  async #shown<T>(client: Client, path: string, json?: unknown): Promise<T> {
    const { status, body } = await client.post<T>(path, json);
    expect(status, path).toBeLessThan(300);
    return body;
  }
}

function signedMessage(
  client: Client,
  app_secret: string,
  from: string,
  body: string,
): [Client, string, string, Options] {
  const message = {
    from,
    id: `wamid.${randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body },
  };
  const metadata = { display_phone_number: '15550100000', phone_number_id: PHONE_NUMBER_ID };
  const value = { messaging_product: 'whatsapp', metadata, messages: [message] };
  const entry = [{ id: '0', changes: [{ field: 'messages', value }] }];
  const raw = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = createHmac('sha256', app_secret).update(raw).digest('hex');
  return [
    client,
    'POST',
    '/hooks/chatapp',
    { raw, headers: { 'x-hub-signature-256': `sha256=${signature}` } },
  ];
}

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createIdentity } from '../support/customers.ts';
import { insertInstance, setInstanceStatus } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import {
  changeFor,
  createEndpoint,
  deliver,
  payloadOf,
  sendMessages,
  storedMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

const PATH = '/v1/channel-messages';
const HOURS_24 = 24 * 60 * 60 * 1000;

interface Message {
  id: string;
  message_id: string;
  status: string;
  attempts: number;
  last_error: string | null;
  instance_id: string;
  finished_at: string | null;
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant('Acme');
});
afterAll(() => service.stop());
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

async function send(endpoint: TestEndpoint, ...messages: object[]): Promise<void> {
  expect((await sendMessages(service, endpoint, ...messages)).status).toBe(200);
}
const received = ({ instance }: Pick<TestEndpoint, 'instance'>) =>
  service.runtimes.messages
    .filter(({ address }) => address === instance.runtime_address)
    .map(({ message }) => message);
const receivedBy = (endpoint: TestEndpoint, count: number) =>
  vi.waitFor(
    () => {
      const messages = received(endpoint);
      expect(messages).toHaveLength(count);
      return messages;
    },
    { timeout: 60_000, interval: 20 },
  );
async function messagesOf(endpoint: TestEndpoint, query = ''): Promise<Message[]> {
  const { body } = await tenant.api.get<{ items: (Message & { endpoint_id: string })[] }>(
    `${PATH}?per_page=100${query}`,
  );
  return body.items.filter(({ endpoint_id }) => endpoint_id === endpoint.id);
}
const messageBecomes = (endpoint: TestEndpoint, expected: Partial<Message>) =>
  vi.waitFor(
    async () => {
      const messages = await messagesOf(endpoint);
      expect(messages).toMatchObject([expected]);
      return messages[0] ?? expect.unreachable();
    },
    { timeout: 60_000, interval: 20 },
  );
const addIdentity = (customer_id: string, external_id: string) =>
  createIdentity(tenant, customer_id, { external_id });
const messageFrom = (id: string, addresses: object) => ({
  id,
  type: 'text',
  text: { body: id },
  ...addresses,
});
const retry = (id: string, by: TestTenant = tenant) => by.api.post<Message>(`${PATH}/${id}/retry`);
const refuse = (message: string) => {
  service.runtimes.onMessage = () => {
    throw new Error(message);
  };
};

it('is listed with its instance’s name and its conversation, by both', async () => {
  const endpoints = await Promise.all([createEndpoint(service, tenant), createEndpoint(service, tenant)]);
  for (const endpoint of endpoints) await send(endpoint, textMessage('one', 'hello'));
  const [endpoint] = endpoints;
  const list = async (query: string) =>
    (await tenant.api.get<{ items: (Message & { conversation_id: string })[] }>(`${PATH}?${query}`)).body
      .items;
  const [message] = await list(`instance_id=${endpoint.instance.id}`);
  expect(message).toMatchObject({ instance_id: endpoint.instance.id, hostname: 'agent' });
  const [conversation] = await service.database.query<{ id: string }>(
    'select id from conversations where instance_id = $1',
    [endpoint.instance.id],
  );
  expect(message?.conversation_id).toBe(conversation?.id);
  expect(await list(`conversation_id=${conversation?.id}`)).toMatchObject([{ id: message?.id }]);
  expect(await list(`conversation_id=${randomUUID()}`)).toEqual([]);
});

describe('a message', () => {
  it('is forwarded with everything the runtime needs', async () => {
    const endpoint = await createEndpoint(service, tenant);
    const message = textMessage('wamid.1', 'Hello');
    const change = changeFor(endpoint.phone_number_id, message);
    await deliver(service, payloadOf(change), endpoint.app_secret);
    const [forwarded] = await receivedBy(endpoint, 1);
    expect(forwarded).toEqual({
      message_id: 'wamid.1',
      conversation_id: expect.any(String) as string,
      message_ids: ['wamid.1'],
      kind: 'text',
      media: [],
      reply_id: null,
      history: [],
      channel: 'chatapp',
      external_id: message.from,
      addresses: [message.from],
      customer_id: endpoint.instance.customer_id,
      locale: null,
      identity_id: null,
      sender_token: expect.stringMatching(/^ast_/) as string,
      text: 'Hello',
      raw: { metadata: change.value.metadata, contacts: change.value.contacts, message },
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      sent_at: expect.any(String) as string,
      quoted: null,
      referral: null,
      forwarded: false,
    });
    const shown = await messageBecomes(endpoint, { status: 'delivered', attempts: 1, last_error: null });
    expect(Object.keys(shown).toSorted()).toEqual([
      'attempts',
      'channel',
      'conversation_id',
      'endpoint_id',
      'external_id',
      'finished_at',
      'hostname',
      'id',
      'instance_id',
      'last_error',
      'message_id',
      'received_at',
      'status',
    ]);
    expect((await tenant.api.get(PATH)).text).not.toContain('Hello');
    // `raw` is erased after forwarding.
    const kept = await storedMessages(service, endpoint);
    expect(kept.map(({ text, raw }) => [text, raw])).toEqual([['Hello', undefined]]);
  });

  it('has the identity of either of its addresses', async () => {
    const endpoint = await createEndpoint(service, tenant);
    const { customer_id } = endpoint.instance;
    const byPhone = await addIdentity(customer_id, '49301');
    const byUserId = await addIdentity(customer_id, 'DE.302');
    const both = await addIdentity(customer_id, 'DE.303');
    await addIdentity(customer_id, '49303');
    await send(
      endpoint,
      messageFrom('phone', { from: '49301', from_user_id: 'DE.301' }),
      messageFrom('no phone later', { from_user_id: 'DE.301' }),
      messageFrom('user id', { from: '49302', from_user_id: 'DE.302' }),
      messageFrom('no phone', { from_user_id: 'DE.302' }),
      messageFrom('both', { from: '49303', from_user_id: 'DE.303' }),
      messageFrom('neither', { from: '49304', from_user_id: 'DE.304' }),
    );
    const messages = await receivedBy(endpoint, 6);
    const identities = new Map(messages.map(({ message_id, identity_id }) => [message_id, identity_id]));
    expect(Object.fromEntries(identities)).toEqual({
      phone: byPhone,
      'no phone later': byPhone,
      'user id': byUserId,
      'no phone': byUserId,
      both,
      neither: null,
    });
    expect(messages.find(({ message_id }) => message_id === 'both')?.external_id).toBe('DE.303');
    expect(new Set(messages.map((message) => message.customer_id))).toEqual(new Set([customer_id]));
  });

  it('of a dedicated instance never has an identity of a customer that it does not serve', async () => {
    const [endpoint, elsewhere] = await Promise.all([
      createEndpoint(service, tenant),
      insertInstance(service, tenant.tenant_id),
    ]);
    await addIdentity(elsewhere.customer_id, '2001');
    await send(endpoint, textMessage('1', 'Hi', '2001'));
    expect((await receivedBy(endpoint, 1))[0]).toMatchObject({
      customer_id: endpoint.instance.customer_id,
      identity_id: null,
    });
  });
});

describe('a conversation', () => {
  it('keeps its order while the runtime fails, without delaying others', async () => {
    const endpoint = await createEndpoint(service, tenant);
    const failed = new Map<string, number>();
    const isOtherThere = () => received(endpoint).some(({ message_id }) => message_id === 'other');
    service.runtimes.onMessage = ({ message_id, external_id }) => {
      const times = failed.get(message_id as string) ?? 0;
      failed.set(message_id as string, times + 1);
      if (external_id !== '1') return;
      // The first one fails for as long as the other conversation takes.
      if ((message_id === '0' && !isOtherThere()) || (message_id === '3' && times === 0)) {
        throw new Error('not yet');
      }
    };
    const ids = Array.from({ length: 12 }, (_, index) => String(index));
    await send(
      endpoint,
      ...ids.slice(0, 8).map((id) => textMessage(id, 'Hi', '1')),
      textMessage('other', 'Hi', '2'),
    );
    await send(endpoint, ...ids.slice(8).map((id) => textMessage(id, 'Hi', '1')));
    const messages = await receivedBy(endpoint, 13);
    expect(messages[0]?.message_id).toBe('other');
    expect(messages.slice(1).map(({ message_id }) => message_id)).toEqual(ids);
    expect(failed.get('0')).toBeGreaterThan(1);
    expect(failed.get('3')).toBe(2);
  });
});

describe('a message that cannot be delivered', () => {
  it('waits while the instance does not run', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await setInstanceStatus(service, endpoint.instance.id, 'stopped');
    await send(endpoint, textMessage('1', 'Hi'));
    await messageBecomes(endpoint, { status: 'pending', last_error: 'The instance is stopped' });
    expect(received(endpoint)).toEqual([]);
    await setInstanceStatus(service, endpoint.instance.id, 'running');
    await receivedBy(endpoint, 1);
    await messageBecomes(endpoint, { status: 'delivered', last_error: null });
  });

  it('follows its endpoint to another instance', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await setInstanceStatus(service, endpoint.instance.id, 'stopped');
    await send(endpoint, textMessage('1', 'Hi'));
    await messageBecomes(endpoint, { status: 'pending', last_error: 'The instance is stopped' });
    const next = await insertInstance(service, tenant.tenant_id);
    await tenant.api.patch(`/v1/channel-endpoints/${endpoint.id}`, { instance_id: next.id });
    await receivedBy({ ...endpoint, instance: next }, 1);
    await messageBecomes(endpoint, { status: 'delivered', instance_id: next.id });
  });

  it('is dead at once when the instance is terminated', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await setInstanceStatus(service, endpoint.instance.id, 'terminated');
    await send(endpoint, textMessage('1', 'Hi'));
    await messageBecomes(endpoint, {
      status: 'dead',
      attempts: 0,
      last_error: 'The instance is terminated',
      finished_at: expect.any(String) as string,
    });
  });

  it('is dead at once when the customer has left the instance', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await setInstanceStatus(service, endpoint.instance.id, 'stopped');
    await send(endpoint, textMessage('1', 'Hi'));
    await messageBecomes(endpoint, { status: 'pending', last_error: 'The instance is stopped' });
    await service.database.query('update deployments set released_at = now() where instance_id = $1', [
      endpoint.instance.id,
    ]);
    await setInstanceStatus(service, endpoint.instance.id, 'running');
    await messageBecomes(endpoint, {
      status: 'dead',
      last_error: 'The instance does not serve the customer any more',
    });
  });

  it('has the reason, without the secret', async () => {
    const endpoint = await createEndpoint(service, tenant);
    refuse(`refused message-secret\0 ${'x'.repeat(1000)}`);
    await send(endpoint, textMessage('1', 'Hi'));
    const { last_error } = await messageBecomes(endpoint, {
      status: 'pending',
      last_error: expect.any(String) as string,
    });
    expect(last_error).toBe(`refused …\uFFFD ${'x'.repeat(1000)}`.slice(0, 300));
  });

  it('has a reason without the sender’s text and without credentials', async () => {
    const endpoint = await createEndpoint(service, tenant);
    refuse('no answer to "my PIN is 2468" with the key sk-proj-0123456789abcdefghij');
    await send(endpoint, textMessage('1', 'my PIN is 2468'));
    await messageBecomes(endpoint, { status: 'pending', last_error: 'no answer to "…" with the key …' });
  });

  it('has the reason that a person has the conversation, or that it is closed', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await send(endpoint, textMessage('1', 'Hi'));
    await messageBecomes(endpoint, { status: 'delivered' });
    const { body } = await tenant.api.get<{ items: { id: string }[] }>(
      `/v1/conversations?instance_id=${endpoint.instance.id}`,
    );
    const path = `/v1/conversations/${body.items[0]?.id}`;
    await tenant.api.patch(path, { mode: 'human' });
    await send(endpoint, textMessage('2', 'Hi'));
    const newest = async () => (await messagesOf(endpoint))[0];
    expect(await newest()).toMatchObject({ status: 'pending', last_error: 'A person has the conversation' });
    await service.database.query(
      `update deployments set resolved_config = '{"channel_config":{"business_hours":{"mon":[]}}}' where instance_id = $1`,
      [endpoint.instance.id],
    );
    await tenant.api.patch(path, { mode: 'agent' });
    await vi.waitFor(
      async () => expect(await newest()).toMatchObject({ last_error: 'It is outside business hours' }),
      { timeout: 60_000, interval: 20 },
    );
  });

  it('is dead after 24 hours, and the next one goes on', async () => {
    const endpoint = await createEndpoint(service, tenant);
    refuse('The runtime is broken');
    await send(endpoint, textMessage('old', 'Hi'));
    await messageBecomes(endpoint, { status: 'pending', last_error: 'The runtime is broken' });
    service.clock.advance(HOURS_24 - 60_000);
    const attempts = expect.toSatisfy((count: number) => count >= 2) as number;
    await messageBecomes(endpoint, { status: 'pending', attempts });
    service.clock.advance(60_000);
    service.runtimes.onMessage = () => {};
    await send(endpoint, textMessage('new', 'Hi'));
    expect((await receivedBy(endpoint, 1))[0]?.message_id).toBe('new');
    const dead = await messagesOf(endpoint, '&status=dead');
    expect(dead).toMatchObject([
      { message_id: 'old', status: 'dead', last_error: 'Given up after 24 hours: The runtime is broken' },
    ]);
  });
});

describe('retry', () => {
  it('has a dead message forwarded again', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await setInstanceStatus(service, endpoint.instance.id, 'terminated');
    await send(endpoint, textMessage('1', 'Hi'));
    const { id } = await messageBecomes(endpoint, { status: 'dead' });
    service.clock.advance(2 * HOURS_24);
    const next = await insertInstance(service, tenant.tenant_id);
    await tenant.api.patch(`/v1/channel-endpoints/${endpoint.id}`, { instance_id: next.id });
    const answers = await Promise.all(Array.from({ length: 5 }, () => retry(id)));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect(answers.find(({ status }) => status === 202)?.body).toMatchObject({
      id,
      status: 'pending',
      last_error: null,
      finished_at: null,
      instance_id: next.id,
    });
    await receivedBy({ ...endpoint, instance: next }, 1);
    await messageBecomes(endpoint, { status: 'delivered' });
    expect(await retry(id)).toMatchObject({
      status: 409,
      body: { detail: 'Only a dead message can be retried' },
    });
  });

  it('of an unknown message, or of another tenant’s, is 404', async () => {
    const endpoint = await createEndpoint(service, tenant);
    await setInstanceStatus(service, endpoint.instance.id, 'terminated');
    await send(endpoint, textMessage('1', 'Hi'));
    const { id } = await messageBecomes(endpoint, { status: 'dead' });
    const other = await service.createTenant();
    expect((await retry(id, other)).status).toBe(404);
    expect((await retry(randomUUID())).status).toBe(404);
    expect((await other.api.get(PATH)).body).toMatchObject({ items: [], total: 0 });
    const reader = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: ['channels:read'] });
    const client = service.anonymous.with({ 'x-api-key': reader });
    expect((await client.post(`${PATH}/${id}/retry`)).status).toBe(403);
    expect((await client.get(`${PATH}?status=dead`)).status).toBe(200);
    expect((await client.get(`${PATH}?status=gone`)).status).toBe(422);
  });
});

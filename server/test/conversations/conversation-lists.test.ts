import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import {
  addToken,
  answer,
  conversationWith,
  createAgent,
  forwardedCount,
  messagesIn,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { FakeSendApi, refusal } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { secondsAgo, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

interface Listed {
  items: Record<string, unknown>[];
  total: number;
  next_before: string | null;
  detail: object[];
}

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({ settings: { chatapp_api_base_url } });
  tenant = await service.createTenant('Acme');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

const list = async (query: string, by: Client = tenant.api) =>
  (await by.get<Listed>(`/v1/conversations?${query}`)).body;
const senders = ({ items }: Listed) => items.map(({ external_id }) => external_id);
const say = async (agent: TestEndpoint, sender: string, minutesAgo = 0) => {
  const message = textMessage(`wamid.${Math.random()}`, 'Hi', sender);
  await sendMessages(service, agent, { ...message, timestamp: secondsAgo(minutesAgo * 60) });
  return conversationWith(tenant, agent, sender);
};

describe('names beside ids', () => {
  it('are those of the customer, the instance, the identity and the person', async () => {
    const agent = await createAgent(service, tenant);
    const { instance } = agent;
    const sender = uniqueSender();
    const { id } = await say(agent, sender);
    await tenant.api.patch(`/v1/customers/${instance.customer_id}`, { company_name: 'Harbour' });
    const person = await tenant.api.post<{ id: string }>(`/v1/customers/${instance.customer_id}/staff`, {
      name: 'Ben Brown',
      role: 'employee',
      tier: 1,
    });
    await service.database.query(
      `insert into staff_bindings (tenant_id, customer_id, person_id, channel_type, channel_address, state)
       values ($1, $2, $3, 'chatapp', $4, 'verified')`,
      [tenant.tenant_id, instance.customer_id, person.body.id, sender],
    );
    const get = async (by: Client = tenant.api) => (await by.get(`/v1/conversations/${id}`)).body;
    expect(await get()).toMatchObject({
      customer_name: 'Harbour',
      hostname: expect.any(String),
      person_id: person.body.id,
      person_name: 'Ben Brown',
      display_name: 'Ada',
    });
    await service.database.query('update conversations set display_name = null where id = $1', [id]);
    expect(await get()).toMatchObject({ display_name: 'Ben Brown' });
    await tenant.api.post(`/v1/customers/${instance.customer_id}/identities`, {
      channel: 'chatapp',
      external_id: sender,
      display_name: 'Benny',
    });
    expect(await get()).toMatchObject({ display_name: 'Benny' });
    for (const text of [
      'harb',
      'Benny',
      'BROWN',
      sender.slice(3),
      `+${sender.slice(0, 4)} ${sender.slice(4)}`,
    ])
      expect(senders(await list(`search=${encodeURIComponent(text)}`))).toEqual(
        text === 'harb' ? [] : [sender],
      );
    const reader = await service.createKey(tenant.tenant_id, { scopes: ['conversations:read'] });
    const limited = service.anonymous.with({ 'x-api-key': reader });
    expect(await get(limited)).toMatchObject({ customer_name: 'Harbour', person_name: 'Ben Brown' });
    expect((await list('search=Benny', limited)).items).toMatchObject([{ customer_name: 'Harbour' }]);
  });
});

it('lists who waits longest first, with places that go on', async () => {
  const agent = await createAgent(service, tenant);
  const [a, b, c, d] = [uniqueSender(), uniqueSender(), uniqueSender(), uniqueSender()];
  await say(agent, a, 10);
  await say(agent, b, 30);
  await say(agent, c, 20);
  await say(agent, d, 40);
  await forwardedCount(service, agent, 4);
  for (const sender of [c, d]) {
    const { id } = await conversationWith(tenant, agent, sender);
    const message = service.runtimes.messages.find(({ message: { external_id } }) => external_id === sender);
    const body = { text: 'Yes', in_reply_to: message?.message.message_id };
    expect((await answer(service, agent, id, body)).status).toBe(202);
  }
  const query = `instance_id=${agent.instance.id}&sort_by=waiting_since`;
  const all = await list(query);
  expect(senders(all)).toEqual([b, a, d, c]);
  expect(all.items.map(({ waiting_since }) => waiting_since !== null)).toEqual([true, true, false, false]);
  const paged: unknown[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const page = await list(`${query}&per_page=1${before && `&before=${before}`}`);
    expect(page.total).toBe(4);
    paged.push(...senders(page));
    before = page.next_before;
  }
  expect(paged).toEqual([b, a, d, c]);
  expect(senders(await list(`${query}&before=${String(all.items[1]?.id)}`))).toEqual([d, c]);
  expect(senders(await list(`instance_id=${agent.instance.id}`))).toEqual([d, c, b, a]);
  const { next_before } = await list(`${query}&per_page=1`);
  expect((await list(`before=${next_before}`)).detail).toMatchObject([
    { loc: ['query', 'before'], type: 'value_error' },
  ]);
});

it('filters by the outcome of the newest answer', async () => {
  const agent = await createAgent(service, tenant);
  await addToken(tenant, agent.instance.customer_id, 'token-2');
  const sender = uniqueSender();
  const { id } = await say(agent, sender);
  await forwardedCount(service, agent, 1);
  sendApi.answerTo(sender, refusal(400, 131_026, 'Undeliverable'));
  await answer(service, agent, id, { text: 'one', in_reply_to: null });
  const failed = async () => senders(await list(`instance_id=${agent.instance.id}&failed=true`));
  await vi.waitFor(async () => expect(await failed()).toEqual([sender]), WAIT);
  await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
  expect(await failed()).toEqual([sender]);
  await tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'two' });
  await vi.waitFor(async () => expect((await messagesIn(tenant, id)).at(-1)?.status).toBe('sent'), WAIT);
  expect(await failed()).toEqual([]);
});

it('filters by the time of the last message, days and times included', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  const { id } = await say(agent, sender);
  await service.database.query('update conversations set last_message_at = $2 where id = $1', [
    id,
    '2026-03-05T10:00:00.123456Z',
  ]);
  const found = async (query: string) =>
    senders(await list(`instance_id=${agent.instance.id}&${query}`)).length > 0;
  const cases: [query: string, isFound: boolean][] = [
    ['from=2026-03-05&to=2026-03-05', true],
    ['from=2026-03-06', false],
    ['to=2026-03-04', false],
    ['to=2026-03-05T10:00:00.123Z', true],
    ['to=2026-03-05T10:00:00.122Z', false],
    ['from=2026-03-05T12:00:00%2B02:00', true],
    ['from=2026-03-05T10:00:01', false],
    ['from=0001-01-01T00:00:00%2B10:00&to=9999-12-31', true],
  ];
  for (const [query, isFound] of cases) expect([query, await found(query)]).toEqual([query, isFound]);
  expect((await list('from=yesterday&to=2026-02-30')).detail).toMatchObject([
    { loc: ['query', 'from'], type: 'value_error' },
    { loc: ['query', 'to'], type: 'value_error' },
  ]);
});

it('gives messages the number of their last change, after which they are followed', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  const { id } = await say(agent, sender);
  await forwardedCount(service, agent, 1);
  await answer(service, agent, id, { text: 'one', in_reply_to: null });
  const changes = async () =>
    ((await messagesIn(tenant, id)) as unknown as { change: number; status: string }[]).map(
      ({ change }) => change,
    );
  await vi.waitFor(
    async () =>
      expect((await messagesIn(tenant, id)).map(({ status }) => status)).toEqual(['handled', 'sent']),
    WAIT,
  );
  const last = Math.max(...(await changes()));
  const response = await fetch(`${service.base_url}/v1/conversations/${id}/messages`, {
    headers: { ...tenant.api.headers, accept: 'text/event-stream', 'last-event-id': String(last) },
  });
  await answer(service, agent, id, { text: 'two', in_reply_to: null });
  let seen = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes('"status":"sent"')) break;
  }
  expect(seen).not.toContain('"text":"one"');
  expect(Math.max(...(await changes()))).toBeGreaterThan(last);
  const events = [...seen.matchAll(/^id: (\d+)\nevent: message\ndata: (.*)$/gm)];
  expect(events.map(([, number]) => Number(number))).toEqual(
    events.map(([, , data]) => (JSON.parse(data ?? '') as { change: number }).change),
  );
});

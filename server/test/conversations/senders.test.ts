import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answer,
  type Conversation,
  conversationWith,
  createAgent,
  forwardedCount,
  forwardedTo,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { insertInstance, placeCustomer } from '../support/instances.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { createEndpoint, sendMessages, type TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
const sendApi = new FakeSendApi();
/** The addresses of the sender at hand. */
let phone: string;
let user_id: string;

beforeAll(async () => {
  service = await startTestService({ settings: { chatapp_api_base_url: await sendApi.start() } });
  tenant = await service.createTenant('Acme');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});
beforeEach(async () => {
  agent = await createAgent(service, tenant);
  [phone, user_id] = [uniqueSender(), uniqueUser()];
});

const uniqueUser = () => `US.${BigInt(`0x${randomUUID().slice(0, 8)}`)}1`;

interface Addresses {
  from?: string;
  from_user_id?: string;
}
const say = async (text: string, addresses: Addresses, to = agent) => {
  const message = { id: uniqueId(), ...addresses, type: 'text', text: { body: text } };
  expect((await sendMessages(service, to, message)).status).toBe(200);
};
const changed = async (from: Addresses, system: object) =>
  sendMessages(service, agent, {
    id: uniqueId(),
    ...from,
    type: 'system',
    system: { body: 'changed', ...system },
  });
const both = () => ({ from: phone, from_user_id: user_id });
type Listed = Conversation & { addresses: string[]; identity_id: string | null; person_id: string | null };
const conversations = async (to = agent) => {
  const { body } = await tenant.api.get<{ items: Listed[] }>(
    `/v1/conversations?instance_id=${to.instance.id}`,
  );
  return body.items.toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1));
};
const textsOf = async ({ id }: { id: string }) => {
  const { body } = await tenant.api.get<{ items: { text: string }[] }>(`/v1/conversations/${id}/messages`);
  return body.items.map(({ text }) => text);
};
const takeOver = ({ id }: { id: string }) => tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
const identify = async (external_id: string, customer_id = agent.instance.customer_id) => {
  const path = `/v1/customers/${customer_id}/identities`;
  const { status, body } = await tenant.api.post<{ id: string }>(path, {
    channel: 'chatapp',
    external_id,
    verified: true,
  });
  expect(status).toBe(201);
  return body.id;
};
const lookUp = async (external_id: string) => {
  const query = new URLSearchParams({ channel: 'chatapp', external_id }).toString();
  const path = `/internal/v1/instances/${agent.instance.id}/lookup/identity?${query}`;
  return (await service.operations.get<{ identity_id: string; verified: boolean }>(path)).body;
};

describe('a conversation', () => {
  it('goes on when the channel adds a user id, and tells it alone', async () => {
    await say('My order is late', { from: phone });
    const begun = await conversationWith(tenant, agent, phone);
    await takeOver(begun);
    await say('Is somebody looking at it?', both());
    await say('my shifts', { from_user_id: user_id });
    expect(await conversations()).toMatchObject([
      { id: begun.id, external_id: phone, addresses: [phone, user_id], mode: 'human', unanswered: 3 },
    ]);
    await tenant.api.patch(`/v1/conversations/${begun.id}`, { mode: 'agent' });
    await vi.waitFor(
      () =>
        expect(forwardedTo(service, agent).at(-1)).toMatchObject({
          conversation_id: begun.id,
          external_id: phone,
          addresses: [phone, user_id],
        }),
      WAIT,
    );
  });

  it('begins with the user id where both come first', async () => {
    await say('Hi', both());
    await say('Me', { from: phone });
    expect(await conversations()).toMatchObject([
      { external_id: user_id, addresses: [user_id, phone], unanswered: 2 },
    ]);
  });

  it('is one for messages of all addresses in one delivery, and for deliveries at once', async () => {
    const messages = [{ from: phone }, both(), { from_user_id: user_id }].map((addresses, index) => ({
      id: uniqueId(),
      ...addresses,
      type: 'text',
      text: { body: String(index) },
    }));
    await sendMessages(service, agent, ...messages);
    expect(await conversations()).toMatchObject([{ external_id: phone, addresses: [phone, user_id] }]);
    const others = Array.from({ length: 5 }, () => [uniqueSender(), uniqueUser()] as const);
    await Promise.all(
      others.flatMap(([from, from_user_id]) =>
        Array.from({ length: 4 }, () => say('at once', { from, from_user_id })),
      ),
    );
    expect(await conversations()).toHaveLength(6);
  });

  it('answers the number that the channel told last', async () => {
    await say('Hi', both());
    const next = uniqueSender();
    await say('Other phone', { from: next, from_user_id: user_id });
    const [begun] = await conversations();
    expect(begun?.addresses).toEqual([user_id, phone, next]);
    await answer(service, agent, begun?.id ?? '', { text: 'Yes?', in_reply_to: null });
    await vi.waitFor(() => expect(sendApi.sent.map(({ body }) => body.to)).toContain(next), WAIT);
  });
});

describe('two conversations of one sender', () => {
  it.each([
    ['the number', 'by number', () => phone],
    ['the user id', 'by user id', () => user_id],
  ])('go on in that of %s when it spoke last', async (_, last, kept) => {
    const [first, second] =
      last === 'by number'
        ? [{ from_user_id: user_id }, { from: phone }]
        : [{ from: phone }, { from_user_id: user_id }];
    await say('first', first);
    await say(last, second);
    await say('both', both());
    await say('again', { from: phone });
    const [one, two] = await conversations();
    const [on, off] = one?.external_id === kept() ? [one, two] : [two, one];
    expect(await textsOf(on as Listed)).toEqual([last, 'both', 'again']);
    expect(await textsOf(off as Listed)).toEqual(['first']);
    expect(new Set(on?.addresses)).toEqual(new Set([phone, user_id]));
    expect(off?.addresses).toEqual(on?.addresses);
  });

  it('are no more when the one that goes on is deleted', async () => {
    await say('first', { from: phone });
    await say('last', { from_user_id: user_id });
    await say('both', both());
    const last = (await conversations()).find(({ external_id }) => external_id === user_id);
    await tenant.api.delete(`/v1/conversations/${last?.id}`);
    await say('anew', { from: phone });
    const found = await Promise.all((await conversations()).map(textsOf));
    expect(new Set(found.flat())).toEqual(new Set(['anew', 'first']));
    expect(found).toHaveLength(2);
  });
});

describe('a number that comes with another user id', () => {
  it('is another sender, whom nothing is verified for', async () => {
    const crew = new Crew(service, tenant, agent.instance);
    const ada = await crew.add({ name: 'Ada' });
    await crew.bind(ada, { channel_type: 'chatapp', channel_address: `+${phone}` });
    const identity_id = await identify(phone);
    const worker = (channel_address: string) =>
      service.operations.get<{ detail: string }>(
        `${crew.path}/worker/me/shifts?${new URLSearchParams({ channel_type: 'chatapp', channel_address }).toString()}`,
      );
    const verify = () =>
      service.operations.post(`${crew.path}/worker/verify`, {
        channel_type: 'chatapp',
        channel_address: phone,
        response: 'yes',
      });
    await verify();
    await say('Ada', both());
    const [former] = await conversations();
    expect([(await worker(phone)).status, (await worker(user_id)).status]).toEqual([200, 200]);
    const other = uniqueUser();
    await say('Bea', { from: phone, from_user_id: other });
    await say('Bea', { from: phone });
    const found = await conversations();
    const begun = found.find(({ id }) => id !== former?.id);
    expect(begun).toMatchObject({ external_id: other, addresses: [other, phone], person_id: null });
    expect(await textsOf(begun as Listed)).toEqual(['Bea', 'Bea']);
    expect(found.find(({ id }) => id === former?.id)).toMatchObject({
      external_id: user_id,
      addresses: [user_id],
    });
    expect(await lookUp(phone)).toMatchObject({ identity_id, verified: false });
    expect([(await worker(phone)).status, (await worker(user_id)).status]).toEqual([403, 404]);
    // Ada's binding is not Bea's for a yes.
    await verify();
    expect(await worker(phone)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('anew') as string },
    });
    await crew.bind(ada, { channel_type: 'chatapp', channel_address: `+${phone}` });
    await verify();
    expect((await worker(phone)).status).toBe(200);
    // Nothing that Ada asked is answered to Bea.
    await answer(service, agent, former?.id ?? '', { text: 'for Ada', in_reply_to: null });
    await vi.waitFor(
      () =>
        expect(sendApi.sent.find(({ body }) => body.text?.body === 'for Ada')?.body).toMatchObject({
          recipient: user_id,
        }),
      WAIT,
    );
  });
});

describe('a changed number', () => {
  it('is an address of the conversation, and the former one is a stranger’s', async () => {
    await say('Hi', { from: phone });
    const next = uniqueSender();
    await changed({ from: phone }, { type: 'user_changed_number', wa_id: next });
    await say('Me again', { from: next });
    await say('Who is this?', { from: phone });
    const found = await conversations();
    expect(found.map(({ external_id }) => external_id)).toEqual([phone, phone]);
    expect(found.map(({ addresses }) => addresses)).toEqual(expect.arrayContaining([[phone], [next]]));
    expect(await Promise.all(found.map(textsOf))).toEqual(
      expect.arrayContaining([['Hi', null, 'Me again'], ['Who is this?']]),
    );
  });
});

describe('the addresses of a sender', () => {
  it('are told for the instance and the customer, not for another one', async () => {
    const crew = new Crew(service, tenant, agent.instance);
    const ada = await crew.add({ name: 'Ada' });
    await crew.bind(ada, { channel_type: 'chatapp', channel_address: phone });
    const elsewhere = await createEndpoint(service, tenant, await insertInstance(service, tenant.tenant_id));
    await say('Hi', both(), elsewhere);
    const worker = () =>
      service.operations.get(
        `${crew.path}/worker/me/shifts?${new URLSearchParams({ channel_type: 'chatapp', channel_address: user_id }).toString()}`,
      );
    expect((await worker()).status).toBe(404);
    await say('Hi', both());
    expect((await worker()).status).toBe(403);
    await forwardedCount(service, agent, 1);
  });

  it('belong to one conversation for each customer of a shared instance', async () => {
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const other = await placeCustomer(service, shared.id);
    await placeCustomer(service, shared.id, shared.customer_id);
    const one = await createEndpoint(service, tenant, shared);
    const two = await createEndpoint(service, tenant, { ...shared, customer_id: other });
    await say('one', both(), one);
    await say('two', { from_user_id: user_id }, two);
    await say('two', { from: phone }, two);
    expect(
      (await conversations(one)).map(({ customer_id, addresses }) => [
        customer_id === other,
        addresses.length,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [false, 2],
        [true, 1],
        [true, 1],
      ]),
    );
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answer,
  type Conversation,
  configure,
  conversationWith,
  createAgent,
  forwardedCount,
  forwardedTo,
  messagesBecome,
  messagesIn,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { runJobs } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import {
  deliver,
  payloadOf,
  secondsAgo,
  sendMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

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

/** A change with a list of its own. */
const tell = async (agent: TestEndpoint, field: string, lists: object) => {
  const metadata = { display_phone_number: '15550783881', phone_number_id: agent.phone_number_id };
  const value = { messaging_product: 'whatsapp', metadata, ...lists };
  expect((await deliver(service, payloadOf({ field, value }), agent.app_secret)).status).toBe(200);
};
const echo = (agent: TestEndpoint, to: string, words: object) =>
  tell(agent, 'smb_message_echoes', {
    message_echoes: [
      { id: uniqueId(), timestamp: secondsAgo(0), from: '15550783881', to, type: 'text', ...words },
    ],
  });
const saying = (body: string, rest: object = {}) => ({ text: { body }, ...rest });
const send = async (agent: TestEndpoint, from: string, ...messages: object[]) => {
  const whole = messages.map((message) => ({ ...textMessage(uniqueId(), '', from), ...message }));
  expect((await sendMessages(service, agent, ...whole)).status).toBe(200);
};
const stateOf = async (id: string) =>
  (
    await tenant.api.get<
      Conversation & { human_until: string | null; taken_by: object | null; kind: string }
    >(`/v1/conversations/${id}`)
  ).body;
const minutesUntil = (time: string | null) => Math.round((Date.parse(time ?? '') - Date.now()) / 60_000);
const begin = async (config: object = {}) => {
  const agent = await createAgent(service, tenant, config);
  const sender = uniqueSender();
  await send(agent, sender, saying('What does it cost?'));
  await forwardedCount(service, agent, 1);
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
  return { agent, sender, id };
};
const BY_CHANNEL = { kind: 'channel', id: null, name: null };

describe('words of a colleague on the phone', () => {
  it('stand in the conversation and its history, and keep the agent silent for a while', async () => {
    const { agent, sender, id } = await begin();
    await echo(agent, `+${sender}`, saying('Marta here: 20 percent off.'));
    const state = await stateOf(id);
    expect(state).toMatchObject({ mode: 'human', taken_by: BY_CHANNEL, unanswered: 0 });
    expect(minutesUntil(state.human_until)).toBe(60);
    await send(agent, sender, saying('Thank you Marta!'));
    expect((await answer(service, agent, id, { text: 'It costs 10.', in_reply_to: null })).status).toBe(409);
    await messagesBecome(tenant, id, [
      { text: 'What does it cost?' },
      {
        text: 'Marta here: 20 percent off.',
        direction: 'out',
        author: 'person',
        status: 'sent',
        kind: 'text',
      },
      { text: 'Thank you Marta!', status: 'pending' },
    ]);
    await service.database.query('update conversations set human_until = now() where id = $1', [id]);
    await runJobs(service, 'converse');
    const [, next] = await forwardedCount(service, agent, 2);
    expect(next).toMatchObject({
      text: 'Thank you Marta!',
      history: [{ author: 'sender' }, { author: 'person', text: 'Marta here: 20 percent off.' }],
    });
    expect(await stateOf(id)).toMatchObject({ mode: 'agent', taken_by: null });
  });

  it('count from the last one, for as long as the configuration says', async () => {
    const { agent, sender, id } = await begin({ channel_config: { echo_minutes: 10 } });
    await echo(agent, sender, saying('old', { timestamp: secondsAgo(1200) }));
    expect(await stateOf(id)).toMatchObject({ mode: 'agent', taken_by: null });
    await echo(agent, sender, saying('first', { timestamp: secondsAgo(300) }));
    expect(minutesUntil((await stateOf(id)).human_until)).toBe(5);
    await echo(agent, sender, saying('last'));
    await echo(agent, sender, saying('late', { timestamp: secondsAgo(300) }));
    expect(minutesUntil((await stateOf(id)).human_until)).toBe(10);
    await configure(service, agent.instance, { channel_config: { echo_minutes: 0 } }, 30);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await echo(agent, sender, saying('silent'));
    expect(await stateOf(id)).toMatchObject({
      mode: 'agent',
      taken_by: null,
      last_message: { text: 'silent' },
    });
  });

  it('leave what a person has taken as it is, and prolong a handover', async () => {
    const { agent, sender, id } = await begin();
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    await echo(agent, sender, saying('on the phone'));
    expect(await stateOf(id)).toMatchObject({
      mode: 'human',
      human_until: null,
      taken_by: { kind: 'key' },
    });
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await service.operations.post(
      `/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`,
      {},
    );
    await echo(agent, sender, saying('I take over'));
    const state = await stateOf(id);
    expect([minutesUntil(state.human_until), state.taken_by]).toEqual([24 * 60, BY_CHANNEL]);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    expect(await stateOf(id)).toMatchObject({ mode: 'human', taken_by: { kind: 'key' } });
  });

  it('begin a conversation with somebody unknown, in which nothing is greeted and no window is open', async () => {
    const agent = await createAgent(service, tenant, { channel_config: { greeting: 'Welcome!' } });
    const sender = uniqueSender();
    const words = { type: 'image', image: { id: '77', caption: 'Our new shop' } };
    await echo(agent, sender, words);
    const { id } = await conversationWith(tenant, agent, sender);
    expect(await stateOf(id)).toMatchObject({ mode: 'human', unanswered: 0 });
    const early = await tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'Hello' });
    expect(early.status).toBe(409);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await send(agent, sender, saying('Nice'));
    const [nice] = await forwardedCount(service, agent, 1);
    expect(nice).toMatchObject({ history: [{ author: 'person', text: 'Our new shop' }] });
    expect((await messagesIn(tenant, id)).map(({ text }) => text)).not.toContain('Welcome!');
  });

  it('are ignored where we sent them, and stored once', async () => {
    const { agent, sender, id } = await begin();
    await answer(service, agent, id, { text: 'It costs 10.', in_reply_to: null });
    await messagesBecome(tenant, id, [{}, { status: 'sent' }]);
    const [row] = await service.database.query<{ channel_ids: string[] }>(
      "select channel_ids from channel_messages where conversation_id = $1 and direction = 'out'",
      [id],
    );
    await echo(agent, sender, saying('It costs 10.', { id: row?.channel_ids[0] }));
    expect(await stateOf(id)).toMatchObject({ mode: 'agent' });
    const twice = { id: uniqueId() };
    await echo(agent, sender, saying('Marta here', twice));
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await echo(agent, sender, saying('Marta here', twice));
    expect(await stateOf(id)).toMatchObject({ mode: 'agent' });
    expect((await messagesIn(tenant, id)).map(({ text }) => text)).toEqual([
      'What does it cost?',
      'It costs 10.',
      'Marta here',
    ]);
  });

  it('follow the channel’s receipts, and can be deleted', async () => {
    const { agent, sender, id } = await begin();
    const echoed = uniqueId();
    await echo(agent, sender, saying('To the wrong person', { id: echoed }));
    await tell(agent, 'messages', {
      statuses: [{ id: echoed, status: 'read', recipient_id: sender, timestamp: secondsAgo(0) }],
    });
    await messagesBecome(tenant, id, [{}, { text: 'To the wrong person', status: 'read' }]);
    // The channel may name the recipient by the user id alone.
    const [named, to_user_id] = [uniqueId(), `US.${uniqueSender()}`];
    await echo(agent, sender, saying('By name', { id: named, to_user_id }));
    await tell(agent, 'messages', {
      statuses: [{ id: named, status: 'delivered', recipient_user_id: to_user_id, timestamp: secondsAgo(0) }],
    });
    await messagesBecome(tenant, id, [{}, {}, { text: 'By name', status: 'delivered' }]);
    await echo(agent, sender, { type: 'revoke', revoke: { original_message_id: echoed } });
    await messagesBecome(tenant, id, [{}, { text: null, status: 'read' }, {}, { kind: 'revoke' }]);
  });
});

describe('a message', () => {
  it('comes with the message that it answers, also one of ours', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    const [first, second] = [uniqueId(), uniqueId()];
    await send(agent, sender, saying('Book table A', { id: first }), saying('Book table B', { id: second }));
    const { id } = await conversationWith(tenant, agent, sender);
    await forwardedCount(service, agent, 2);
    await answer(service, agent, id, { text: 'Both are booked.', in_reply_to: second });
    await messagesBecome(tenant, id, [{}, {}, { status: 'sent' }]);

    const [row] = await service.database.query<{ channel_ids: string[] }>(
      "select channel_ids from channel_messages where conversation_id = $1 and direction = 'out'",
      [id],
    );
    const quoting = (quoted: unknown) => ({ context: { from: sender, id: quoted } });
    await send(
      agent,
      sender,
      saying('Cancel this one', quoting(first)),
      saying('Thank you', quoting(row?.channel_ids[0])),
      saying('Which?', quoting('wamid.unknown')),
      saying('Nothing'),
    );
    const at = expect.any(String) as string;
    const quotes = [
      { text: 'Book table A', author: 'sender', at },
      { text: 'Both are booked.', author: 'agent', at },
      { text: null },
      null,
    ];
    const forwarded = await forwardedCount(service, agent, 6);
    expect(forwarded.slice(2).map(({ quoted }) => quoted)).toEqual(quotes);
    const { body } = await tenant.api.get<{ items: { quoted: unknown }[] }>(
      `/v1/conversations/${id}/messages`,
    );
    expect(body.items.slice(3).map(({ quoted }) => quoted)).toEqual(quotes);
  });

  it('comes with its ad, its product and whether it was forwarded, for each of a burst', async () => {
    const agent = await createAgent(service, tenant, { channel_config: { burst_seconds: 1 } });
    const sender = uniqueSender();
    await send(
      agent,
      sender,
      saying('Still available?', {
        referral: { headline: 'Red bicycle', body: 'This week', source_id: '12', ctwa_clid: 'x' },
      }),
      saying('And this?', {
        context: { referred_product: { catalog_id: '1', product_retailer_id: 'sku-7' } },
      }),
      saying('Look', { context: { frequently_forwarded: true } }),
    );
    const [burst] = await forwardedCount(service, agent, 1);
    const ad = { headline: 'Red bicycle', body: 'This week', source_id: '12', product_id: null };
    const product = { headline: null, body: null, source_id: null, product_id: 'sku-7' };
    expect(burst).toMatchObject({
      quoted: null,
      referral: product,
      messages: [
        { text: 'Still available?', referral: ad, forwarded: false },
        { text: 'And this?', referral: product },
        { text: 'Look', referral: null, forwarded: true },
      ],
    });
  });

  it('that its writer deletes is erased, and not forwarded where it waits', async () => {
    const { agent, sender, id } = await begin();
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const deleted = uniqueId();
    await send(agent, sender, saying('My PIN is 1234', { id: deleted }), saying('Hello'));
    await send(agent, sender, { type: 'revoke', revoke: { original_message_id: deleted } });
    await messagesBecome(tenant, id, [
      {},
      { text: null, status: 'handled', error: 'Its writer has deleted it' },
      { text: 'Hello' },
      { kind: 'revoke' },
    ]);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await vi.waitFor(() => {
      const texts = forwardedTo(service, agent).map(({ text }) => text);
      expect(texts).toContain('Hello');
      expect(JSON.stringify(texts)).not.toContain('1234');
    }, WAIT);
    expect(forwardedTo(service, agent).at(-1)).toMatchObject({ revoked_message_id: deleted });
  });

  it('without words tells the reaction, and what the channel could not pass on', async () => {
    const { agent, sender, id } = await begin();
    const [first] = forwardedTo(service, agent);
    const reaction = { message_id: first?.message_id };
    const errors = [
      { code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' } },
    ];
    await send(
      agent,
      sender,
      { type: 'reaction', reaction: { ...reaction, emoji: '👍' } },
      { type: 'reaction', reaction },
      { type: 'unsupported', errors },
      saying('And now?'),
    );
    const forwarded = await forwardedCount(service, agent, 5);
    const quoted = { text: 'What does it cost?' };
    expect(forwarded.slice(1)).toMatchObject([
      { kind: 'reaction', text: null, reaction: { emoji: '👍' }, quoted },
      { kind: 'reaction', text: null, reaction: { emoji: null }, quoted },
      { kind: 'unsupported', text: null },
      { history: [{ text: 'What does it cost?' }, { text: '[reaction 👍]' }] },
    ]);
    await messagesBecome(tenant, id, [
      {},
      { kind: 'reaction', reaction: { emoji: '👍' } } as object,
      {},
      { kind: 'unsupported', error: expect.stringContaining('131051 Message type unknown') as string },
      { text: 'And now?' },
    ]);
  });
});

it('what is said in a group is a conversation of people: not forwarded, not done, not answered in private', async () => {
  const { agent, sender, id } = await begin();
  const group_id = `Y2FwaV9ncm91cDo${uniqueSender()}`;
  await send(agent, sender, saying('log 3 hours', { group_id }), saying('STOP', { group_id }));
  const group = await conversationWith(tenant, agent, group_id);
  expect(group).toMatchObject({ kind: 'group', external_id: group_id, identity_id: null, unanswered: 2 });
  expect((await messagesIn(tenant, group.id)).slice(0, 1)).toMatchObject([
    { text: 'log 3 hours', status: 'handled', author: 'sender', said_by: 'Ada' },
  ]);
  const path = `/v1/conversations/${group.id}/messages`;
  expect((await tenant.api.post(path, { text: 'We talk about it.' })).status).toBe(202);
  await vi.waitFor(() => {
    const bodies = sendApi.sent.map(({ body }) => body).filter(({ to }) => to === group_id);
    expect(bodies).toMatchObject([{ recipient_type: 'group', text: { body: 'We talk about it.' } }]);
  }, WAIT);
  await tenant.api.patch(`/v1/conversations/${group.id}`, { mode: 'human' });
  await tenant.api.patch(`/v1/conversations/${group.id}`, { mode: 'agent' });
  await runJobs(service, 'converse');
  await send(agent, sender, saying('In private'));
  const [, own] = await forwardedCount(service, agent, 2);
  expect(own).toMatchObject({
    text: 'In private',
    conversation_id: id,
    history: [{ text: 'What does it cost?' }],
  });
  expect((await answer(service, agent, group.id, { text: 'Hi', in_reply_to: null })).status).toBe(404);
  expect(
    await service.database.query('select from opt_outs where customer_id = $1', [group.customer_id]),
  ).toEqual([]);
});

it('a choice in the channel’s settings counts like STOP, without a window, an answer or a greeting', async () => {
  const agent = await createAgent(service, tenant, { channel_config: { greeting: 'Welcome!' } });
  const sender = uniqueSender();
  const choose = (value: string, detail: string) =>
    tell(agent, 'user_preferences', {
      contacts: [{ profile: { name: 'Ada' }, wa_id: sender }],
      user_preferences: [
        { wa_id: sender, detail, category: 'marketing_messages', value, timestamp: Number(secondsAgo(0)) },
      ],
    });
  const optedOut = async () =>
    (
      await service.database.query('select from opt_outs where customer_id = $1', [
        agent.instance.customer_id,
      ])
    ).length;
  await choose('stop', 'User requested to stop marketing messages');
  const { id } = await conversationWith(tenant, agent, sender);
  expect(await optedOut()).toBe(1);
  expect(await stateOf(id)).toMatchObject({ unanswered: 0, mode: 'agent' });
  await messagesBecome(tenant, id, [
    {
      kind: 'user_preferences',
      author: 'system',
      status: 'handled',
      text: 'User requested to stop marketing messages',
    },
  ]);
  await choose('resume', 'User requested to resume marketing messages');
  expect(await optedOut()).toBe(0);
  await send(agent, sender, saying('Hello'));
  const [hello] = await forwardedCount(service, agent, 1);
  expect(hello).toMatchObject({ text: 'Hello', history: [{ author: 'system', text: 'Welcome!' }] });
});

it('a payment is told as a message, and other statuses are none', async () => {
  const { agent, sender } = await begin();
  const payment = { reference_id: 'order-1', amount: { value: 10050, offset: 100 }, currency: 'INR' };
  const status = { id: 'x', status: 'captured', type: 'payment', recipient_id: sender, payment };
  await tell(agent, 'messages', { statuses: [status, { ...status, type: 'message', payment: undefined }] });
  const [, paid] = await forwardedCount(service, agent, 2);
  expect(paid).toMatchObject({ kind: 'payment', text: 'order-1: captured 100.5 INR' });
});

it('a new user id that comes in a field of its own moves the identity', async () => {
  const agent = await createAgent(service, tenant);
  const [previous, current] = [`US.${uniqueSender()}`, `US.${uniqueSender()}`];
  const path = `/v1/customers/${agent.instance.customer_id}/identities`;
  const identity = await tenant.api.post<{ id: string }>(path, { channel: 'chatapp', external_id: previous });
  await tell(agent, 'user_id_update', {
    user_id_update: [{ detail: 'Changed', user_id: { previous, current }, timestamp: secondsAgo(0) }],
  });
  const query = new URLSearchParams({ channel: 'chatapp', external_id: current }).toString();
  const { body } = await service.operations.get(
    `/internal/v1/instances/${agent.instance.id}/lookup/identity?${query}`,
  );
  expect(body).toMatchObject({ identity_id: identity.body.id });
});

it('history of the time before, notices and calls write nothing', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  const messages = [textMessage(uniqueId(), 'from last year', sender)];
  await tell(agent, 'history', { messages, history: [{ threads: [{ id: sender, messages }] }] });
  await tell(agent, 'calls', { calls: [{ id: 'wacid.1', from: sender, event: 'connect' }] });
  await tell(agent, 'smb_app_state_sync', {
    state_sync: [{ type: 'contact', contact: { phone_number: sender } }],
  });
  const { body } = await tenant.api.get<{ items: unknown[] }>(
    `/v1/conversations?instance_id=${agent.instance.id}`,
  );
  expect(body.items).toEqual([]);
});

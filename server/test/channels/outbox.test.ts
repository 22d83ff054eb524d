import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addToken,
  answer,
  conversationWith,
  createAgent,
  messagesBecome,
  messagesIn,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { runJobs } from '../support/jobs.ts';
import { cutAfterTaking, FakeSendApi, page, refusal } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { deliver, payloadOf, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    pace: { queue: { pollEveryMs: 50, firstPauseMs: 50 } },
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant('Acme');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});
beforeEach(() => {
  sendApi.mood = undefined;
});

interface Talk {
  agent: TestEndpoint;
  sender: string;
  id: string;
}

async function begin(): Promise<Talk> {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  expect((await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender))).status).toBe(200);
  const { id } = await conversationWith(tenant, agent, sender);
  return { agent, sender, id };
}
const say = async ({ agent, id }: Talk, text: string): Promise<string> => {
  const { status, body } = await answer(service, agent, id, { text, in_reply_to: null });
  expect(status).toBe(202);
  return body.id;
};
const textsTo = (sender: string) =>
  sendApi.sent.filter(({ body }) => body.to === sender).map(({ body }) => body.text?.body);
/** Without a receipt. */
const minutePasses = async ({ id }: Talk) => {
  await service.database.query(
    `update channel_messages set sending_at = sending_at - interval '61 seconds' where conversation_id = $1`,
    [id],
  );
  await wake();
};
const wake = () => runJobs(service, 'send_messages');
const sendReceipts = (agent: TestEndpoint, ...statuses: object[]) =>
  deliver(
    service,
    payloadOf({
      field: 'messages',
      value: { metadata: { phone_number_id: agent.phone_number_id }, statuses },
    }),
    agent.app_secret,
  );

const triedOf = ({ sender }: Talk) => sendApi.tried.filter(({ body }) => body.to === sender).length;
const pauseOf = async ({ agent }: Talk) =>
  (
    await service.database.query<{ seconds: number }>(
      'select round(extract(epoch from until - now()))::int as seconds from number_pauses where endpoint_id = $1',
      [agent.id],
    )
  )[0]?.seconds;
const pausePasses = async ({ agent, id }: Talk) => {
  await service.database.query('update number_pauses set until = now() where endpoint_id = $1', [agent.id]);
  await runJobs(service, 'send_messages', { key: id });
};
const others = async ({ agent }: Talk, count: number): Promise<Talk[]> => {
  const talks: Talk[] = [];
  for (let number = 0; number < count; number++) {
    const sender = uniqueSender();
    await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender));
    talks.push({ agent, sender, id: (await conversationWith(tenant, agent, sender)).id });
  }
  return talks;
};

const pairSecondsOf = async ({ id }: Talk) =>
  (
    await service.database.query<{ seconds: number }>(
      `select round(extract(epoch from pair_until - now()))::int as seconds from channel_messages
       where conversation_id = $1 and status = 'queued' and pair_until > now()`,
      [id],
    )
  )[0]?.seconds ?? 0;
const pairPausePasses = async ({ id }: Talk) => {
  await service.database.query(`update channel_messages set pair_until = now() where conversation_id = $1`, [
    id,
  ]);
  await runJobs(service, 'send_messages', { key: id });
};

it('sends in order, with retries', async () => {
  const talk = await begin();
  sendApi.answerTo(
    talk.sender,
    page(502),
    refusal(500, 1, 'Please retry'),
    refusal(429, 130429, 'Rate limit hit', { 'retry-after': '1' }),
  );
  for (const text of ['one', 'two', 'three']) await say(talk, text);
  await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['one', 'two', 'three']), WAIT);
  await messagesBecome(tenant, talk.id, [
    {},
    { status: 'sent' },
    { status: 'sent' },
    { status: 'sent', error: null },
  ]);
});

it('uses the lane of its instance, because a claim looks at every lane', async () => {
  const first = await begin();
  sendApi.mood = refusal(500, 1, 'Please retry');
  const sender = uniqueSender();
  await sendMessages(service, first.agent, textMessage(uniqueId(), 'hi', sender));
  const second = await conversationWith(tenant, first.agent, sender);
  const ids = [first.id, second.id];
  for (const id of ids) await say({ ...first, id }, 'later');
  const lanes = await service.database.query(
    `select distinct lane from jobs where kind = 'send_messages' and key = any($1)`,
    [ids],
  );
  expect(lanes).toEqual([{ lane: first.agent.instance.id }]);
});

it.each([
  ['end. ', `${'word '.repeat(300)}end. `],
  ['畅通。', `${'您的订单已经发货，预计三天内送达，'.repeat(80)}请保持电话畅通。`],
])('splits long texts at ends of sentences: %s', async (end, sentence) => {
  const talk = await begin();
  await say(talk, sentence.repeat(4).trim());
  await vi.waitFor(() => expect(textsTo(talk.sender)).toHaveLength(2), WAIT);
  const parts = textsTo(talk.sender);
  expect(parts.every((part) => part !== undefined && part.length <= 4096 && part.endsWith(end.trim()))).toBe(
    true,
  );
  expect(parts.join(end.endsWith(' ') ? ' ' : '')).toBe(sentence.repeat(4).trim());
});

it('shows the channel’s reason for a final refusal, and sends the next message', async () => {
  const talk = await begin();
  sendApi.answerTo(talk.sender, refusal(400, 131047, 'Re-engagement message'));
  await say(talk, 'too late');
  await say(talk, 'next');
  const [, refused] = await messagesBecome(tenant, talk.id, [{}, { status: 'failed' }, { status: 'sent' }]);
  expect(refused?.error).toContain('131047 Re-engagement message');
});

describe('an error of the send API is judged by its code', () => {
  const isTransient = { is_transient: true };
  it.each([
    ['400 with is_transient', refusal(400, 1, 'Please retry your request later.', {}, isTransient)],
    ['401 with is_transient', refusal(401, 2, 'Service temporarily unavailable', {}, isTransient)],
    ['200 with is_transient', refusal(200, 2, 'Service temporarily unavailable', {}, isTransient)],
    ['503 with a code that is final elsewhere', refusal(503, 131016, 'Service unavailable')],
  ])('%s passes: it is tried again', async (_, mood) => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, mood);
    await say(talk, 'hello');
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent', error: null }]);
    expect(triedOf(talk)).toBe(2);
  });

  it.each([
    ['400 with 130429', refusal(400, 130429, 'Rate limit hit')],
    ['400 with 131048', refusal(400, 131048, 'Spam rate limit hit')],
    ['400 with 80007', refusal(400, 80007, 'Rate limit issues')],
    ['403 with 4', refusal(403, 4, 'Application request limit reached')],
    ['401 with "130429" as a text', refusal(401, '130429', 'Rate limit hit')],
    ['200 with 130429', refusal(200, 130429, 'Rate limit hit')],
    ['429 of a proxy', page(429)],
  ])('%s is a limit of the number', async (_, mood) => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, mood);
    await say(talk, 'hello');
    await vi.waitFor(async () => expect(await pauseOf(talk)).toBeGreaterThan(10), WAIT);
    await pausePasses(talk);
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent', error: null }]);
  });

  it.each([
    ['400 with 131047', refusal(400, 131047, 'Re-engagement message'), '131047 Re-engagement message'],
    ['404 with 100', refusal(404, 100, 'Invalid parameter'), '100 Invalid parameter'],
    ['200 with 131026', refusal(200, 131026, 'Message undeliverable'), '131026 Message undeliverable'],
    ['408 with 131051', refusal(408, 131051, 'Unsupported type'), '131051 Unsupported type'],
    ['400 without a code', refusal(400, undefined, 'No'), 'No'],
  ])('%s is final', async (_, mood, words) => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, mood);
    await say(talk, 'hello');
    const [, failed] = await messagesBecome(tenant, talk.id, [{}, { status: 'failed' }]);
    expect(failed?.error).toContain(words);
    expect(triedOf(talk)).toBe(1);
  });

  it.each([
    ['400 with 190', refusal(400, 190, 'Access token has expired')],
    ['429 with 10', refusal(429, 10, 'Permission denied')],
    ['500 with 200', refusal(500, 200, 'Permissions error')],
    ['400 with 299', refusal(400, 299, 'Permissions error')],
    ['200 with 0', refusal(200, 0, 'AuthException')],
    ['401 without a code', page(401)],
    ['403 with another code', refusal(403, 131005, 'Access denied')],
  ])('%s is the fault of our credential', async (_, mood) => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, mood);
    await say(talk, 'hello');
    await vi.waitFor(async () => {
      const path = `/v1/customers/${talk.agent.instance.customer_id}/connections`;
      const { body } = await tenant.api.get<{ items: object[] }>(path);
      expect(body.items).toMatchObject([{ status: 'expired' }]);
    }, WAIT);
    await messagesBecome(tenant, talk.id, [{}, { status: 'queued' }]);
  });
});

describe('a limit of the number and one recipient', () => {
  const limit = refusal(400, 131056, 'pair rate limit hit');
  it('pauses that conversation alone, longer each time than a number', async () => {
    const talk = await begin();
    const [other = talk] = await others(talk, 1);
    sendApi.answerTo(talk.sender, ...Array.from({ length: 5 }, () => limit));
    await say(talk, 'first');
    await say(talk, 'second');
    for (const [index, seconds] of [60, 120, 240, 480, 600].entries()) {
      await vi.waitFor(
        async () => expect(Math.abs((await pairSecondsOf(talk)) - seconds)).toBeLessThan(25),
        WAIT,
      );
      expect(triedOf(talk)).toBe(index + 1);
      // A further message does not end the pause.
      await runJobs(service, 'send_messages', { key: talk.id });
      expect(triedOf(talk)).toBe(index + 1);
      if (index < 4) await pairPausePasses(talk);
    }
    await say(other, 'hello');
    await messagesBecome(tenant, other.id, [{}, { status: 'sent' }]);
    expect(await pauseOf(talk)).toBeUndefined();
    await pairPausePasses(talk);
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent', error: null }, { status: 'sent' }]);
    expect(textsTo(talk.sender)).toEqual(['first', 'second']);
  });

  it('lasts as long as the channel says', async () => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, refusal(400, 131056, 'pair rate limit hit', { 'retry-after': '7000.5' }));
    await say(talk, 'first');
    await vi.waitFor(async () => expect(await pairSecondsOf(talk)).toBeGreaterThan(6900), WAIT);
  });
});

it('stores a reason without the token and the message’s text', async () => {
  const talk = await begin();
  sendApi.answerTo(
    talk.sender,
    refusal(400, 100, 'Cannot send "the secret \\"words\\"" with Bearer token-1'),
  );
  await say(talk, 'the secret "words"');
  const [, refused] = await messagesBecome(tenant, talk.id, [{}, { status: 'failed' }]);
  expect(refused?.error).toBe('The send API answered 400: 100 Cannot send "…" with Bearer …');
});

describe('a send whose outcome is unknown', () => {
  it('is settled by a delivery receipt', async () => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, cutAfterTaking);
    const message_id = await say(talk, 'once');
    await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['once']), WAIT);
    await sendReceipts(talk.agent, { id: 'wamid.x', status: 'sent', biz_opaque_callback_data: message_id });
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent' }]);
    await say(talk, 'after');
    await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['once', 'after']), WAIT);
  });

  it('is retried once, after a minute without a receipt, and then failed', async () => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, cutAfterTaking, cutAfterTaking);
    await say(talk, 'twice');
    await say(talk, 'next');
    const unknown = { status: 'queued', error: expect.stringContaining('did not answer') as string };
    await messagesBecome(tenant, talk.id, [{}, unknown, {}]);
    await wake();
    expect(textsTo(talk.sender)).toEqual(['twice']);
    await minutePasses(talk);
    // A try is noted before it is made.
    await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['twice', 'twice']), WAIT);
    await wake();
    expect(textsTo(talk.sender)).toEqual(['twice', 'twice']);
    const failed = {
      status: 'failed',
      error: expect.stringMatching(/^Nobody knows if the channel took it/) as string,
    };
    // The second try may still be under way, and its end would take the minute back.
    await vi.waitFor(async () => {
      await minutePasses(talk);
      expect(await messagesIn(tenant, talk.id)).toMatchObject([{}, failed, { status: 'sent' }]);
    }, WAIT);
    expect(textsTo(talk.sender)).toEqual(['twice', 'twice', 'next']);
  });

  it('counts against a part also where a later try was refused for now', async () => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, cutAfterTaking, page(502), cutAfterTaking);
    await say(talk, 'twice');
    const unknown = { status: 'queued', error: expect.stringContaining('did not answer') as string };
    await messagesBecome(tenant, talk.id, [{}, unknown]);
    await minutePasses(talk);
    await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['twice', 'twice']), WAIT);
    await messagesBecome(tenant, talk.id, [{}, unknown]);
    await minutePasses(talk);
    await messagesBecome(tenant, talk.id, [{}, { status: 'failed' }]);
    expect(textsTo(talk.sender)).toEqual(['twice', 'twice']);
  });
});

describe('a number that the channel limits', () => {
  it('is paused as long as the channel says, for all conversations, and goes on oldest first', async () => {
    const talk = await begin();
    const waiting = await others(talk, 12);
    const limit = refusal(429, 130429, 'Rate limit hit', { 'retry-after': '500' });
    sendApi.answerTo(talk.sender, limit);
    await say(talk, 'first');
    await vi.waitFor(async () => expect(await pauseOf(talk)).toBeGreaterThan(440), WAIT);
    expect(await pauseOf(talk)).toBeLessThanOrEqual(500);
    // Younger conversations write in the reverse order of their ids.
    const inOrder = waiting.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    for (const [index, other] of inOrder.entries()) await say(other, `text ${index}`);
    const error = 'The channel limits what is sent from the number';
    for (const { id } of inOrder) await messagesBecome(tenant, id, [{}, { status: 'queued', error }]);
    await pausePasses(talk);
    for (const { id } of [talk, ...inOrder]) await messagesBecome(tenant, id, [{}, { status: 'sent' }]);
    const numbers = new Set([talk, ...inOrder].map(({ sender }) => sender));
    const texts = sendApi.sent
      .filter(({ body }) => numbers.has(body.to ?? ''))
      .map(({ body }) => body.text?.body);
    expect(texts[0]).toBe('first');
    // Eight jobs of an instance run at once.
    for (const index of inOrder.keys()) expect(texts.indexOf(`text ${index}`)).toBeLessThanOrEqual(index + 8);
    expect(await pauseOf(talk)).toBeUndefined();
  });

  it('is paused longer each time without Retry-After', async () => {
    const talk = await begin();
    sendApi.mood = refusal(429, 130429, 'Rate limit hit');
    await say(talk, 'first');
    await vi.waitFor(async () => expect(await pauseOf(talk)).toBeGreaterThan(10), WAIT);
    for (const seconds of [60, 120, 240, 300, 300]) {
      const tried = triedOf(talk);
      await pausePasses(talk);
      await vi.waitFor(() => expect(triedOf(talk)).toBe(tried + 1), WAIT);
      await vi.waitFor(
        async () => expect(Math.abs(((await pauseOf(talk)) ?? 0) - seconds)).toBeLessThan(25),
        WAIT,
      );
    }
    // A failure that tells nothing of the limit ends nothing.
    const tried = triedOf(talk);
    sendApi.answerTo(talk.sender, page(502));
    await pausePasses(talk);
    await vi.waitFor(() => expect(triedOf(talk)).toBe(tried + 2), WAIT);
    await vi.waitFor(async () => expect(await pauseOf(talk)).toBeGreaterThan(275), WAIT);
    sendApi.mood = undefined;
    await pausePasses(talk);
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent', error: null }]);
    expect(await pauseOf(talk)).toBeUndefined();
  });

  it('is paused for hours where the channel says so', async () => {
    const talk = await begin();
    sendApi.answerTo(talk.sender, refusal(429, 130429, 'Rate limit hit', { 'retry-after': '7200' }));
    await say(talk, 'first');
    await vi.waitFor(async () => expect(await pauseOf(talk)).toBeGreaterThan(7100), WAIT);
  });
});

describe('delivery receipts', () => {
  it('advance a status, never set it back, and only for messages of the number', async () => {
    const talk = await begin();
    const id = await say(talk, 'hello');
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent' }]);
    const status = async () => (await messagesIn(tenant, talk.id))[1]?.status;
    const other = await begin();
    await sendReceipts(other.agent, { id: 'w', status: 'read', biz_opaque_callback_data: id });
    expect(await status()).toBe('sent');
    await sendReceipts(talk.agent, { id: 'w', status: 'delivered', biz_opaque_callback_data: id });
    expect(await status()).toBe('delivered');
    await sendReceipts(talk.agent, { id: 'w', status: 'read', biz_opaque_callback_data: id });
    await sendReceipts(talk.agent, { id: 'w', status: 'delivered', biz_opaque_callback_data: id });
    expect(await status()).toBe('read');
  });

  it('of one part leave the other parts to be sent', async () => {
    const talk = await begin();
    const ids: string[] = [];
    const taken = (part: number, response: ServerResponse) => {
      ids.push(`wamid.part.${part}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messages: [{ id: `wamid.part.${part}` }] }));
      return true;
    };
    const receiptTaken = new Promise<void>((resolve) => {
      // The receipt of the first part arrives before the response to its request.
      sendApi.answerTo(talk.sender, (response, { body }) => {
        const first = {
          id: 'wamid.part.1',
          status: 'delivered',
          biz_opaque_callback_data: body.biz_opaque_callback_data,
        };
        const tell = async () => {
          await sendReceipts(talk.agent, first);
          taken(1, response);
          resolve();
        };
        void tell();
        return true;
      });
    });
    sendApi.answerTo(
      talk.sender,
      (response) => taken(2, response),
      (response) => taken(3, response),
    );
    const sentence = `${'word '.repeat(600)}end. `;
    await say(talk, sentence.repeat(3).trim());
    await receiptTaken;
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent' }]);
    expect(textsTo(talk.sender).join(' ')).toBe(sentence.repeat(3).trim());
    expect(ids).toEqual(['wamid.part.1', 'wamid.part.2', 'wamid.part.3']);
  });

  it('have the reason why the channel failed a message', async () => {
    const talk = await begin();
    const id = await say(talk, 'hello');
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent' }]);
    const errors = [{ code: 131_026, title: 'Message undeliverable' }];
    await sendReceipts(talk.agent, { id: 'w', status: 'failed', biz_opaque_callback_data: id, errors });
    await messagesBecome(tenant, talk.id, [{}, { status: 'failed', error: '131026 Message undeliverable' }]);
  });

  it('apply without our id too, by the channel’s id and the recipient', async () => {
    const talk = await begin();
    await say(talk, 'hello');
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent' }]);
    const [row] = await service.database.query<{ channel_ids: string[] }>(
      `select channel_ids from channel_messages where conversation_id = $1 and direction = 'out'`,
      [talk.id],
    );
    const about = { id: row?.channel_ids[0], recipient_id: talk.sender };
    await sendReceipts((await begin()).agent, { ...about, status: 'read' });
    await sendReceipts(talk.agent, { ...about, id: 'wamid.other', status: 'read' });
    await messagesBecome(tenant, talk.id, [{}, { status: 'sent' }]);
    await sendReceipts(talk.agent, { ...about, status: 'delivered' });
    await messagesBecome(tenant, talk.id, [{}, { status: 'delivered' }]);
  });

  it('of one payload apply together', async () => {
    const talk = await begin();
    const status = async (id: string) =>
      (await messagesIn(tenant, talk.id)).find((one) => one.id === id)?.status;
    const statusAfter = async (...statuses: string[]) => {
      const id = await say(talk, statuses.join(' '));
      await vi.waitFor(async () => expect(await status(id)).toBe('sent'), WAIT);
      const about = { id: 'w', biz_opaque_callback_data: id };
      await sendReceipts(talk.agent, ...statuses.map((name) => ({ ...about, status: name })));
      return status(id);
    };
    expect(await statusAfter('sent', 'failed')).toBe('failed');
    expect(await statusAfter('read', 'sent', 'delivered')).toBe('read');
  });
});

it('keeps messages while the channel refuses the credentials, and sends them with new ones', async () => {
  const talk = await begin();
  const { customer_id } = talk.agent.instance;
  const connections = async () =>
    (
      await tenant.api.get<{ items: { status: string; last_error: string | null }[] }>(
        `/v1/customers/${customer_id}/connections`,
      )
    ).body.items;
  sendApi.mood = (response, sent) => {
    if (sent.token !== 'token-1') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"messages":[{"id":"w"}]}');
      return true;
    }
    return refusal(401, 190, 'Access token has expired')(response, sent);
  };
  await say(talk, 'one');
  await say(talk, 'two');
  await vi.waitFor(async () => expect(await connections()).toMatchObject([{ status: 'expired' }]), WAIT);
  expect((await connections())[0]?.last_error).toContain('190 Access token has expired');
  const [, waiting] = await messagesBecome(tenant, talk.id, [{}, { status: 'queued' }, { status: 'queued' }]);
  expect(waiting?.error).toContain('190 Access token has expired');
  const { body: recipe } = await tenant.api.post<{ id: string }>('/v1/recipes', {
    name: 'Needs the channel',
    connection_requirements: ['chatapp'],
  });
  const request = { recipe_id: recipe.id, customer_id, hostname: 'h' };
  const check = () => tenant.api.post('/v1/recipes/deploy-check', request);
  const missing_connections = [{ provider: 'chatapp', name: null, reason: 'expired' }];
  expect((await check()).body).toMatchObject({ ready: false, missing_connections });
  const tried = triedOf(talk);
  await wake();
  await addToken(tenant, customer_id, 'token-2');
  expect((await check()).body).toMatchObject({ ready: true, missing_connections: [] });
  await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['one', 'two']), WAIT);
  expect(triedOf(talk) - tried).toBe(2);
});

it('sends as soon as the number names an existing connection', async () => {
  const talk = await begin();
  const path = `/v1/channel-endpoints/${talk.agent.id}`;
  expect((await tenant.api.patch(path, { connection_name: 'typo' })).status).toBe(200);
  await say(talk, 'hello');
  const error = 'The customer has no chatapp connection to send with';
  await messagesBecome(tenant, talk.id, [{}, { status: 'queued', error }]);
  expect((await tenant.api.patch(path, { connection_name: null })).status).toBe(200);
  await messagesBecome(tenant, talk.id, [{}, { status: 'sent', error: null }]);
});

it('tries refused credentials again every 15 minutes', async () => {
  const talk = await begin();
  sendApi.mood = refusal(403, 10, 'Permission denied');
  await say(talk, 'one');
  await messagesBecome(tenant, talk.id, [
    {},
    { status: 'queued', error: expect.stringContaining('403') as string },
  ]);
  sendApi.mood = undefined;
  await wake();
  expect(textsTo(talk.sender)).toEqual([]);
  service.clock.advance(15 * 60_000 + 1000);
  await wake();
  await vi.waitFor(() => expect(textsTo(talk.sender)).toEqual(['one']), WAIT);
  await vi.waitFor(async () => {
    const { body } = await tenant.api.get<{ items: object[] }>(
      `/v1/customers/${talk.agent.instance.customer_id}/connections`,
    );
    expect(body.items).toMatchObject([{ status: 'active', last_error: null }]);
  }, WAIT);
});

it('gives up after 24 hours and says why', async () => {
  const talk = await begin();
  sendApi.mood = page(503);
  await say(talk, 'one');
  await messagesBecome(tenant, talk.id, [
    {},
    { status: 'queued', error: expect.stringContaining('503') as string },
  ]);
  service.clock.advance(24 * 60 * 60_000 + 1000);
  await wake();
  await messagesBecome(tenant, talk.id, [
    {},
    { status: 'failed', error: expect.stringMatching(/^Given up after 24 hours: .*503/) as string },
  ]);
});

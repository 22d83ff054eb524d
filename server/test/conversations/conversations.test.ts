import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answer,
  answerEach,
  configure,
  conversationWith,
  createAgent,
  forwardedCount,
  forwardedTo,
  messagesBecome,
  messagesIn,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { placeCustomer, setInstanceStatus } from '../support/instances.ts';
import { runJobs, runJobsUntil } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import type { TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let stranger: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant('Acme');
  stranger = await service.createTenant('Stranger');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

const say = (agent: TestEndpoint, sender: string, ...texts: string[]) =>
  write(service, agent, sender, ...texts);
const forwarded = (agent: TestEndpoint) => forwardedTo(service, agent);
const forwardedBecome = (agent: TestEndpoint, count: number) => forwardedCount(service, agent, count);
const textsTo = (sender: string) =>
  sendApi.sent.filter(({ body }) => body.to === sender).map(({ body }) => body.text?.body);

async function readUntil(response: Response, until: string): Promise<string> {
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes(until)) break;
  }
  return text;
}

describe('a conversation', () => {
  it('holds both directions, sends answers, and is the history of the next message', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    answerEach(service, ({ text }) => `You said ${String(text)}`);
    await say(agent, sender, 'one');
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [
      { direction: 'in', author: 'sender', text: 'one', status: 'handled' },
      { direction: 'out', author: 'agent', text: 'You said one', status: 'sent' },
    ]);
    await say(agent, sender, 'two');
    // The answer is sent before the fake runtime has recorded the message.
    await messagesBecome(tenant, id, [
      {},
      {},
      { text: 'two', status: 'handled' },
      { text: 'You said two', status: 'sent' },
    ]);
    expect(textsTo(sender)).toEqual(['You said one', 'You said two']);
    expect(forwarded(agent)[1]).toMatchObject({
      conversation_id: id,
      history: [
        { author: 'sender', text: 'one' },
        { author: 'agent', text: 'You said one' },
      ],
    });
    expect(sendApi.sent.find(({ body }) => body.to === sender)).toMatchObject({
      path: `/${agent.phone_number_id}/messages`,
      token: 'token-1',
      body: { messaging_product: 'whatsapp', recipient_type: 'individual', type: 'text' },
    });
  });

  it('is listed by its latest message, with filters and the number of unanswered messages', async () => {
    const agent = await createAgent(service, tenant);
    const [a, b] = [uniqueSender(), uniqueSender()];
    await say(agent, a, 'first', 'second');
    await say(agent, b, 'third');
    await forwardedBecome(agent, 3);
    const list = async (query: string) => {
      const path = `/v1/conversations?instance_id=${agent.instance.id}&${query}`;
      const { body } = await tenant.api.get<{
        items: { external_id: string; unanswered: number }[];
        total: number;
      }>(path);
      return body;
    };
    const all = await list('');
    expect(all.items).toMatchObject([
      {
        external_id: b,
        unanswered: 1,
        display_name: 'Ada',
        mode: 'agent',
        last_message: { author: 'sender', text: 'third' },
      },
      { external_id: a, unanswered: 2, last_message: { text: 'second' } },
    ]);
    expect(all.total).toBe(2);
    const { id } = await conversationWith(tenant, agent, b);
    const message = forwarded(agent).find(({ external_id }) => external_id === b);
    expect((await answer(service, agent, id, { text: 'Yes', in_reply_to: message?.message_id })).status).toBe(
      202,
    );
    expect((await list('unanswered=true')).items.map(({ external_id }) => external_id)).toEqual([a]);
    expect((await list('mode=human')).items).toEqual([]);
    expect((await list('channel=playground')).items).toEqual([]);
    expect((await list(`customer_id=${randomUUID()}`)).items).toEqual([]);
  });

  it('pages back through its messages', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    await say(agent, sender, 'a', 'b', 'c', 'd', 'e');
    await forwardedBecome(agent, 5);
    const { id } = await conversationWith(tenant, agent, sender);
    const pageOf = async (query: string) =>
      (
        await tenant.api.get<{ items: { id: string; text: string }[]; next_before: string | null }>(
          `/v1/conversations/${id}/messages?per_page=2&${query}`,
        )
      ).body;
    const texts: string[][] = [];
    for (let before = ''; ; ) {
      const page = await pageOf(before);
      texts.push(page.items.map(({ text }) => text));
      if (page.next_before === null) break;
      expect(page.next_before).toBe(page.items[0]?.id);
      before = `before=${page.next_before}`;
    }
    expect(texts).toEqual([['d', 'e'], ['b', 'c'], ['a']]);
  });

  it('is listed once on the pages behind a place, though others move to the front meanwhile', async () => {
    const agent = await createAgent(service, tenant);
    const senders = Array.from({ length: 5 }, uniqueSender);
    for (const sender of senders) await say(agent, sender, 'hi');
    await forwardedBecome(agent, 5);
    const [a, b, c, d, e] = senders;
    const pageOf = async (query: string) => {
      const path = `/v1/conversations?instance_id=${agent.instance.id}&per_page=2${query}`;
      const { status, body } = await tenant.api.get<{
        items: { id: string; external_id: string }[];
        total: number;
        next_before: string | null;
      }>(path);
      expect(status).toBe(200);
      return { ...body, senders: body.items.map(({ external_id }) => external_id) };
    };
    const first = await pageOf('');
    expect(first).toMatchObject({ senders: [e, d], total: 5 });
    // The last conversation of the page moves, too.
    await say(agent, d ?? '', 'again');
    const second = await pageOf(`&before=${first.next_before}`);
    expect(second).toMatchObject({ senders: [c, b], total: 5 });
    await say(agent, e ?? '', 'again');
    const third = await pageOf(`&before=${second.next_before}`);
    expect(third).toMatchObject({ senders: [a], total: 5, next_before: null });
    expect(await pageOf(`&before=${third.items[0]?.id}`)).toMatchObject({ senders: [], next_before: null });
    expect(await pageOf(`&before=${second.items[1]?.id}`)).toMatchObject({ senders: [a], total: 5 });
    const all = await tenant.api.get<{ next_before: string }>('/v1/conversations?per_page=1');
    const behind = await tenant.api.get<{ items: object[] }>(
      `/v1/conversations?per_page=1&before=${all.body.next_before}`,
    );
    expect(behind.body.items).toHaveLength(1);
    expect((await tenant.api.get(`/v1/conversations?before=${randomUUID()}`)).status).toBe(404);
    expect((await tenant.api.get('/v1/conversations?before=yesterday')).status).toBe(422);
  });

  it('shows the sender’s identity before a message is forwarded, and one that is added later', async () => {
    const agent = await createAgent(service, tenant);
    const { id: instance_id, customer_id } = agent.instance;
    await setInstanceStatus(service, instance_id, 'stopped');
    const sender = uniqueSender();
    await say(agent, sender, 'hi');
    const { id } = await conversationWith(tenant, agent, sender);
    const identityOf = async () =>
      (await tenant.api.get<{ identity_id: string | null }>(`/v1/conversations/${id}`)).body.identity_id;
    expect(await identityOf()).toBeNull();
    const added = await tenant.api.post<{ id: string }>(`/v1/customers/${customer_id}/identities`, {
      channel: 'chatapp',
      external_id: `+${sender}`,
    });
    expect(await identityOf()).toBe(added.body.id);
    const other = await createAgent(service, tenant);
    await setInstanceStatus(service, other.instance.id, 'stopped');
    await say(other, sender, 'hi');
    expect(await conversationWith(tenant, other, sender)).toMatchObject({ identity_id: null });
  });

  it('of another tenant is answered like a missing one', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'secret');
    const { id } = await conversationWith(tenant, agent);
    const other = await createAgent(service, stranger);
    const missing = randomUUID();
    const asks = (of: string) => [
      stranger.api.get(`/v1/conversations/${of}`),
      stranger.api.patch(`/v1/conversations/${of}`, { mode: 'human' }),
      stranger.api.delete(`/v1/conversations/${of}`),
      stranger.api.get(`/v1/conversations/${of}/messages`),
      stranger.api.post(`/v1/conversations/${of}/messages`, { text: 'x' }),
      answer(service, other, of, { text: 'x', in_reply_to: null }),
    ];
    const answers = await Promise.all([...asks(id), ...asks(missing)]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['404 {"detail":"Conversation not found"}']),
    );
  });

  it('stores no text in the clear', async () => {
    const agent = await createAgent(service, tenant);
    const planted = `planted-${randomUUID()}`;
    service.runtimes.onMessage = () => {
      throw new Error('not now');
    };
    await say(agent, uniqueSender(), planted);
    await conversationWith(tenant, agent);
    const rows = await service.database.query<{ found: number }>(
      `select count(*)::int as found from channel_messages m where m::text like '%' || $1 || '%'`,
      [planted],
    );
    expect(rows[0]?.found).toBe(0);
  });

  it('is streamed live, and the stream resumes', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    await say(agent, sender, 'one');
    await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [{ status: 'handled' }]);
    const follow = (headers: Record<string, string>) =>
      fetch(`${service.base_url}/v1/conversations/${id}/messages`, {
        headers: { ...tenant.api.headers, accept: 'text/event-stream', ...headers },
      });
    const first = await readUntil(await follow({}), '"text":"one"');
    const seen = /id: (\d+)/.exec(first)?.[1] ?? '';
    const resumed = await follow({ 'last-event-id': seen });
    await answer(service, agent, id, { text: 'live', in_reply_to: null });
    const later = await readUntil(resumed, '"status":"sent"');
    expect(later).not.toContain('"text":"one"');
    expect(later).toContain('"text":"live"');
  });
});

describe('the agent’s answer', () => {
  it('to one message is stored and sent once', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    const [message_id] = await say(agent, sender, 'hi');
    await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, nth) =>
        answer(service, agent, id, { text: `answer ${nth}`, in_reply_to: message_id }),
      ),
    );
    expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 9 }, () => 200),
      202,
    ]);
    expect(new Set(tries.map(({ body }) => body.id)).size).toBe(1);
    await messagesBecome(tenant, id, [{}, { status: 'sent' }]);
    expect(textsTo(sender)).toHaveLength(1);
    const again = { text: 'more', in_reply_to: message_id, idempotency_key: 'second' };
    expect((await answer(service, agent, id, again)).status).toBe(202);
    expect((await answer(service, agent, id, again)).status).toBe(200);
  });

  it('may have the idempotency key of a person’s message', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'hi');
    const { id } = await conversationWith(tenant, agent);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const key = { idempotency_key: 'k' };
    await tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'from a person', ...key });
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    const answered = await answer(service, agent, id, { text: 'from the agent', in_reply_to: null, ...key });
    expect(answered).toMatchObject({ status: 202, body: { author: 'agent', text: 'from the agent' } });
  });

  it('is refused when in_reply_to is no message of the conversation', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'hi');
    const { id } = await conversationWith(tenant, agent);
    const { status, body } = await answer(service, agent, id, { text: 'x', in_reply_to: 'wamid.none' });
    expect([status, body.detail]).toEqual([404, 'Message not found']);
  });
});

describe('a person', () => {
  it('takes a conversation over, and the agent gets the unanswered messages afterwards as one', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    const [message_id] = await say(agent, sender, 'I need help');
    await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    const refused = await tenant.api.post<{ detail: string }>(`/v1/conversations/${id}/messages`, {
      text: 'Hi',
    });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'The agent answers in this conversation: set its mode to human',
    ]);
    expect((await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' })).body).toMatchObject({
      mode: 'human',
    });
    expect((await answer(service, agent, id, { text: 'late', in_reply_to: message_id })).status).toBe(409);
    await say(agent, sender, 'are you there?');
    const answered = await tenant.api.post(`/v1/conversations/${id}/messages`, {
      text: 'I am',
      idempotency_key: 'k',
    });
    expect(answered).toMatchObject({ status: 202, body: { author: 'person', status: 'queued' } });
    await tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'I am', idempotency_key: 'k' });
    await vi.waitFor(() => expect(textsTo(sender)).toEqual(['I am']), WAIT);
    await say(agent, sender, 'thanks', 'one more thing');
    expect(forwarded(agent)).toHaveLength(1);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    const [, joined] = await forwardedBecome(agent, 2);
    expect(joined).toMatchObject({ text: 'thanks\none more thing' });
    expect(joined?.message_ids).toHaveLength(2);
    expect(joined?.history).toMatchObject([
      { author: 'sender', text: 'I need help' },
      { author: 'sender', text: 'are you there?' },
      { author: 'person', text: 'I am' },
    ]);
    await vi.waitFor(async () => {
      const statuses = new Set((await messagesIn(tenant, id)).map(({ status }) => status));
      expect(statuses).toEqual(new Set(['handled', 'sent']));
    }, WAIT);
  });

  it('gets the same message for an idempotency key, also once the agent has the conversation', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'hi');
    const { id } = await conversationWith(tenant, agent);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const send = (key: string) =>
      tenant.api.post<{ id: string }>(`/v1/conversations/${id}/messages`, {
        text: 'Hi',
        idempotency_key: key,
      });
    const first = await send('once');
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    expect(await send('once')).toMatchObject({ status: 202, body: { id: first.body.id } });
    expect((await send('twice')).status).toBe(409);
    expect(await messagesIn(tenant, id)).toHaveLength(2);
  });

  it('leaves messages that the agent gets in order, also when one burst cannot hold them', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    await say(agent, sender, 'first');
    await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const texts = Array.from({ length: 60 }, (_, nth) => `message ${nth}`);
    await say(agent, sender, ...texts);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await vi.waitFor(async () => {
      const [row] = await service.database.query<{ count: number }>(
        `select count(*)::int as count from channel_messages where conversation_id = $1 and status = 'pending'`,
        [id],
      );
      expect(row?.count).toBe(0);
    }, WAIT);
    const joined = forwarded(agent).slice(1);
    expect(joined.flatMap(({ text }) => String(text).split('\n'))).toEqual(texts);
    expect(joined).toHaveLength(2);
  });

  it('gets a conversation for 24 hours when the runtime hands it over', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'talk to a human');
    const { id } = await conversationWith(tenant, agent);
    const path = `/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`;
    const { status, body } = await service.operations.post<{ mode: string; human_until: string }>(path, {});
    expect([status, body.mode]).toEqual([200, 'human']);
    const hours = (Date.parse(body.human_until) - service.clock.now().getTime()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
  });

  it('reads why the agent handed over, unlike the sender and the agent', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    await say(agent, sender, 'I want my money back');
    await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent);
    const path = `/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`;
    const reason = 'Asks for a refund of order 7';
    for (let count = 0; count < 2; count++)
      expect((await service.operations.post(path, { reason })).status).toBe(200);
    await messagesBecome(tenant, id, [
      { author: 'sender' },
      { author: 'system', direction: 'in', kind: 'handover', text: reason, status: 'handled', error: null },
    ]);
    const { last_message, unanswered } = await conversationWith(tenant, agent);
    expect([last_message, unanswered]).toMatchObject([{ author: 'system', text: reason }, 1]);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await say(agent, sender, 'and?');
    const [, next] = await forwardedBecome(agent, 2);
    expect(next?.history).toMatchObject([{ text: 'I want my money back' }]);
    expect(textsTo(sender)).toEqual([]);
  });

  it('keeps a takeover without end when the runtime hands over too', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'hi');
    const { id } = await conversationWith(tenant, agent);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const path = `/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`;
    expect((await service.operations.post(path, {})).body).toMatchObject({
      mode: 'human',
      human_until: null,
    });
  });

  it('prolongs a handover with each message, but not a takeover for minutes', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'hi');
    const { id } = await conversationWith(tenant, agent);
    const endsIn = async () => {
      const { body } = await tenant.api.get<{ human_until: string }>(`/v1/conversations/${id}`);
      return Math.round((Date.parse(body.human_until) - service.clock.now().getTime()) / 60_000);
    };
    const write = () => tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'hello' });
    const path = `/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`;
    await service.operations.post(path, {});
    service.clock.advance(60 * 60_000);
    expect(await endsIn()).toBe(23 * 60);
    await write();
    expect(await endsIn()).toBe(24 * 60);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human', minutes: 30 });
    service.clock.advance(10 * 60_000);
    await write();
    expect(await endsIn()).toBe(20);
    await say(agent, (await conversationWith(tenant, agent)).external_id, 'anybody?');
    service.clock.advance(21 * 60_000);
    await wake(agent);
    await vi.waitFor(() => expect(forwarded(agent).at(-1)).toMatchObject({ text: 'anybody?' }), WAIT);
    expect((await conversationWith(tenant, agent)).mode).toBe('agent');
  });

  it('needs either a text or a template', async () => {
    const agent = await createAgent(service, tenant);
    await say(agent, uniqueSender(), 'hi');
    const { id } = await conversationWith(tenant, agent);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const template = { name: 'hello', language: 'en', parameters: ['Ada'] };
    for (const body of [{}, { text: 'x', template }]) {
      expect((await tenant.api.post(`/v1/conversations/${id}/messages`, body)).status).toBe(422);
    }
    const sent = await tenant.api.post(`/v1/conversations/${id}/messages`, { template });
    expect(sent).toMatchObject({ status: 202, body: { kind: 'template' } });
    const bare = { template: { name: 'opening', language: 'en' } };
    const { body } = await tenant.api.post<{ id: string }>(`/v1/conversations/${id}/messages`, bare);
    const own = () => sendApi.sent.find(({ body: sent }) => sent.biz_opaque_callback_data === body.id);
    await vi.waitFor(() => expect(own()).toBeDefined(), WAIT);
    expect(own()?.body.template).toEqual({ name: 'opening', language: { code: 'en' } });
  });
});

describe('the configuration', () => {
  it('greets first, joins a burst and keeps it together when it is tried again', async () => {
    const agent = await createAgent(service, tenant, {
      channel_config: { greeting: 'Welcome!', burst_seconds: 30 },
    });
    const sender = uniqueSender();
    let tries = 0;
    service.runtimes.onMessage = () => {
      tries++;
      if (tries === 1) throw new Error('not yet');
    };
    await say(agent, sender, 'hi', 'I have a question');
    await say(agent, sender, 'about', 'tomorrow');
    service.clock.advance(31_000);
    await wake(agent);
    const [burst] = await forwardedBecome(agent, 1);
    expect(burst).toMatchObject({ text: 'hi\nI have a question\nabout\ntomorrow' });
    const { message_id, message_ids } = burst ?? expect.unreachable();
    expect(message_id).toBe((message_ids as string[])[0]);
    await vi.waitFor(() => expect(textsTo(sender)).toEqual(['Welcome!']), WAIT);
    await say(agent, sender, 'again');
    service.clock.advance(31_000);
    await wake(agent);
    await forwardedBecome(agent, 2);
    expect(textsTo(sender)).toEqual(['Welcome!']);
  });

  it('says once per closed period that it is closed, and forwards together at opening', async () => {
    const agent = await createAgent(service, tenant, {
      channel_config: { business_hours: { mon: [] }, away_message: 'We are closed' },
    });
    const sender = uniqueSender();
    await say(agent, sender, 'anybody?');
    await vi.waitFor(() => expect(textsTo(sender)).toEqual(['We are closed']), WAIT);
    await say(agent, sender, 'hello?');
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [{ status: 'pending' }, { status: 'sent' }, { status: 'pending' }]);
    expect(forwarded(agent)).toEqual([]);
    const always = [['00:00', '24:00']];
    const open = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, always]),
    );
    await configure(service, agent.instance, { channel_config: { business_hours: open } }, 30);
    await wake(agent);
    expect((await forwardedBecome(agent, 1))[0]).toMatchObject({
      text: 'anybody?\nhello?',
      history: [{ author: 'system', text: 'We are closed' }],
    });
    expect(textsTo(sender)).toEqual(['We are closed']);
  });

  it('forwards at once when a change of the customer’s hours opens it', async () => {
    const agent = await createAgent(service, tenant, { channel_config: { business_hours: { mon: [] } } });
    const sender = uniqueSender();
    await say(agent, sender, 'anybody?');
    const { id } = await conversationWith(tenant, agent, sender);
    await vi.waitFor(async () => {
      const of = 'select away_until is not null as is_closed from conversations where id = $1';
      expect(await service.database.query(of, [id])).toEqual([{ is_closed: true }]);
    }, WAIT);
    const path = `/v1/customers/${agent.instance.customer_id}`;
    await service.database.query(`update jobs set run_at = 'infinity', due_at = 'infinity' where key = $1`, [
      id,
    ]);
    expect((await tenant.api.patch(path, { timezone: 'Asia/Tokyo' })).status).toBe(200);
    await vi.waitFor(async () => {
      const has = `select due_at < 'infinity' as looked from jobs where key = $1`;
      expect(await service.database.query(has, [id])).toEqual([{ looked: true }]);
    }, WAIT);
    const own = { channel_config: { business_hours: null } };
    expect((await tenant.api.put(`${path}/config`, own)).status).toBe(200);
    expect((await forwardedBecome(agent, 1))[0]).toMatchObject({ text: 'anybody?' });
  });

  it('greets also while it is closed, and joins only the messages from then', async () => {
    const closed = { greeting: 'Welcome!', business_hours: { mon: [] } };
    const agent = await createAgent(service, tenant, { channel_config: closed });
    const sender = uniqueSender();
    await say(agent, sender, 'anybody?', 'hello?');
    await vi.waitFor(() => expect(textsTo(sender)).toEqual(['Welcome!']), WAIT);
    const { id } = await conversationWith(tenant, agent, sender);
    await vi.waitFor(async () => {
      const of = 'select away_until is not null as is_closed from conversations where id = $1';
      expect(await service.database.query(of, [id])).toEqual([{ is_closed: true }]);
    }, WAIT);
    await service.database.query(`update conversations set away_until = $2 where id = $1`, [
      id,
      service.clock.now(),
    ]);
    service.clock.advance(1000);
    await configure(service, agent.instance, { channel_config: {} }, 30);
    await say(agent, sender, 'good morning', 'how are you');
    await wake(agent);
    const texts = (await forwardedBecome(agent, 3)).map(({ text }) => text);
    expect(texts).toEqual(['anybody?\nhello?', 'good morning', 'how are you']);
  });
});

describe('erasure', () => {
  it('erases expired contents, and the conversation later', async () => {
    const agent = await createAgent(service, tenant, {}, { retention_days: 1 });
    const sender = uniqueSender();
    answerEach(service, () => 'answer');
    await say(agent, sender, 'question');
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [{ text: 'question' }, { text: 'answer', status: 'sent' }]);
    await service.database.query(
      `update channel_messages set erase_at = '2000-01-01' where conversation_id = $1`,
      [id],
    );
    await runJobsUntil(service, 'purge', async () =>
      expect(await messagesIn(tenant, id)).toMatchObject([{ text: null }, { text: null }]),
    );
    await service.database.query(`update conversations set erased_at = '2000-01-01' where id = $1`, [id]);
    await runJobsUntil(service, 'purge', async () =>
      expect((await tenant.api.get(`/v1/conversations/${id}`)).status).toBe(404),
    );
  });

  it('keeps nothing of an answered message where the retention is 0', async () => {
    const agent = await createAgent(service, tenant, {}, { retention_days: 0 });
    const sender = uniqueSender();
    await say(agent, sender, 'question');
    const [message] = await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [{ text: 'question', status: 'handled' }]);
    await answer(service, agent, id, { text: 'answer', in_reply_to: message?.message_id });
    await messagesBecome(tenant, id, [{ text: null }, { text: null, status: 'sent' }]);
    await say(agent, sender, 'next');
    expect((await forwardedBecome(agent, 2))[1]?.history).toEqual([]);
  });

  it('deletes a conversation with its messages, and the sender begins a new one', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    const [message_id] = await say(agent, sender, 'hi');
    await forwardedBecome(agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    expect((await tenant.api.delete(`/v1/conversations/${id}`)).status).toBe(204);
    expect((await tenant.api.get(`/v1/conversations/${id}`)).status).toBe(404);
    expect((await answer(service, agent, id, { text: 'late', in_reply_to: message_id })).status).toBe(404);
    await say(agent, sender, 'hi again');
    expect((await conversationWith(tenant, agent, sender)).id).not.toBe(id);
  });
});

/** Jobs wait by the database's clock, which a test cannot advance. */
const wake = ({ instance }: TestEndpoint) => runJobs(service, 'converse', { lane: instance.id });

describe('a number that moves to another instance', () => {
  it('moves its waiting messages, and the answer goes to the sender’s phone', async () => {
    const [agent, next] = [await createAgent(service, tenant), await createAgent(service, tenant)];
    const sender = uniqueSender();
    await setInstanceStatus(service, agent.instance.id, 'stopped');
    await say(agent, sender, 'hi');
    await conversationWith(tenant, agent, sender);
    answerEach(service, () => 'Hello');
    const moved = { instance_id: next.instance.id };
    expect((await tenant.api.patch(`/v1/channel-endpoints/${agent.id}`, moved)).status).toBe(200);
    const { id } = await conversationWith(tenant, next, sender);
    await messagesBecome(tenant, id, [
      { text: 'hi', status: 'handled' },
      { text: 'Hello', status: 'sent' },
    ]);
    expect(textsTo(sender)).toEqual(['Hello']);
    expect(await conversationWith(tenant, next, sender)).toMatchObject({ display_name: 'Ada' });
  });
});

describe('a number of a shared instance', () => {
  it('without a customer keeps messages for seven days', async () => {
    const agent = await createAgent(service, tenant);
    const { id } = agent.instance;
    await service.database.query(`update instances set hosting_mode = 'shared' where id = $1`, [id]);
    await say(agent, uniqueSender(), 'hi');
    const rows = await service.database.query(
      `select status, conversation_id, erase_at - received_at = interval '7 days' as is_kept
       from channel_messages where instance_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: 'dead', conversation_id: null, is_kept: true }]);
  });

  it('belongs to one customer, who gets all its messages', async () => {
    const agent = await createAgent(service, tenant);
    const { instance } = agent;
    await service.database.query(`update instances set hosting_mode = 'shared' where id = $1`, [instance.id]);
    const second = await placeCustomer(service, instance.id);
    const path = `/v1/channel-endpoints/${agent.id}`;
    const patch = (customer_id: string | null) => tenant.api.patch(path, { customer_id });
    expect((await patch(null)).status).toBe(422);
    expect((await patch(randomUUID())).status).toBe(422);
    expect((await patch(second)).body).toMatchObject({ customer_id: second });
    const sender = uniqueSender();
    await say(agent, sender, 'hi');
    expect((await forwardedBecome(agent, 1))[0]).toMatchObject({ customer_id: second, identity_id: null });
  });
});

describe('the playground', () => {
  it('works like a channel, without a phone', async () => {
    const agent = await createAgent(service, tenant);
    answerEach(service, ({ text }) => `You said ${String(text)}`);
    const write = (body: object) =>
      tenant.api.post<{ conversation_id: string; message_id: string }>(
        `/v1/instances/${agent.instance.id}/playground`,
        body,
      );
    const { status, body } = await write({ text: 'hello' });
    expect(status).toBe(202);
    const { conversation_id } = body;
    await messagesBecome(tenant, conversation_id, [
      { text: 'hello', status: 'handled' },
      { text: 'You said hello', status: 'delivered' },
    ]);
    expect((await write({ text: 'again', conversation_id })).body.conversation_id).toBe(conversation_id);
    await messagesBecome(tenant, conversation_id, [{}, {}, { text: 'again' }, { text: 'You said again' }]);
    expect((await write({ text: 'x', conversation_id: randomUUID() })).status).toBe(404);
    expect((await write({ text: 'x', identity_id: randomUUID() })).status).toBe(404);
    expect((await tenant.api.post(`/v1/instances/${randomUUID()}/playground`, { text: 'x' })).status).toBe(
      404,
    );
  });
});

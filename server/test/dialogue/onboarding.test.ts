import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answerEach,
  configure,
  conversationWith,
  createAgent,
  forwardedCount,
  forwardedTo,
  messagesBecome,
  sentBecome,
  uniqueId,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { insertInstance } from '../support/instances.ts';
import { runJobs } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, secondsAgo, sendMessages, type TestEndpoint } from '../support/webhook.ts';

const STEPS = [
  { text: 'What is your name?', save_as: 'name' },
  { text: 'We speak English.' },
  { text: 'Where do you work?', save_as: 'site' },
];
const [NAME, LANGUAGE, SITE] = STEPS.map(({ text }) => text);

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

async function createFlow(steps: object[] = STEPS): Promise<string> {
  const { body, status } = await tenant.api.post<{ id: string }>('/v1/onboarding-flows', {
    name: 'Flow',
    steps,
  });
  expect(status).toBe(201);
  return body.id;
}

/** As a step of a deploy does. */
const attach = ({ instance }: TestEndpoint, flow_id: string) =>
  service.database.query('update deployments set onboarding_flow_id = $2 where instance_id = $1', [
    instance.id,
    flow_id,
  ]);

interface Talk {
  agent: TestEndpoint;
  sender: string;
  flow_id: string;
  say: (...texts: string[]) => Promise<string[]>;
  expectSent: (...texts: (string | undefined)[]) => Promise<void>;
}

async function begin(config: object = {}, { steps = STEPS, retention_days = 30 } = {}): Promise<Talk> {
  const agent = await createAgent(service, tenant, config, { retention_days });
  const flow_id = await createFlow(steps);
  await attach(agent, flow_id);
  const sender = uniqueSender();
  return {
    agent,
    sender,
    flow_id,
    say: (...texts) => write(service, agent, sender, ...texts),
    expectSent: (...texts) => sentBecome(sendApi, sender, texts),
  };
}

const attributesOf = async (talk: Talk) => {
  const { id } = await conversationWith(tenant, talk.agent, talk.sender);
  return (await tenant.api.get<{ attributes: object }>(`/v1/conversations/${id}`)).body.attributes;
};

describe('a new sender', () => {
  it('is greeted and asked each step, and the agent gets everything as one burst', async () => {
    const talk = await begin({ channel_config: { greeting: 'Welcome!' } });
    answerEach(service, () => 'Good to know.');
    const [first] = await talk.say('I need a shift');
    await talk.expectSent('Welcome!', NAME);
    await talk.say('Ada');
    await talk.expectSent('Welcome!', NAME, LANGUAGE);
    expect(await attributesOf(talk)).toEqual({ name: 'Ada' });
    await talk.say('fine');
    await talk.expectSent('Welcome!', NAME, LANGUAGE, SITE);
    expect(forwardedTo(service, talk.agent)).toEqual([]);
    await talk.say('Harbour');
    await talk.expectSent('Welcome!', NAME, LANGUAGE, SITE, 'Good to know.');
    // The answer is sent before the fake runtime has recorded the message.
    const [burst] = await forwardedCount(service, talk.agent, 1);
    expect(burst).toMatchObject({ message_id: first, text: 'I need a shift\nAda\nfine\nHarbour' });
    expect(burst?.message_ids).toHaveLength(4);
    expect(await attributesOf(talk)).toEqual({ name: 'Ada', site: 'Harbour' });
    const { id } = await conversationWith(tenant, talk.agent, talk.sender);
    await messagesBecome(tenant, id, [
      { author: 'sender', status: 'handled' },
      { author: 'system', text: 'Welcome!' },
      { author: 'system', text: NAME },
      {},
      { author: 'system' },
      {},
      { author: 'system' },
      {},
      { author: 'agent', status: 'sent' },
    ]);
  });

  it('is not asked again, also not by another instance of the customer', async () => {
    const talk = await begin({}, { steps: [{ text: 'Name?' }] });
    await talk.say('hi');
    await talk.expectSent('Name?');
    await talk.say('Ada');
    await forwardedCount(service, talk.agent, 1);
    await talk.say('and now?');
    await forwardedCount(service, talk.agent, 2);
    const { customer_id } = talk.agent.instance;
    const other = await createEndpoint(
      service,
      tenant,
      await insertInstance(service, tenant.tenant_id, { customer_id }),
    );
    await attach(other, talk.flow_id);
    await write(service, other, talk.sender, 'hi there');
    expect(await forwardedCount(service, other, 1)).toMatchObject([{ text: 'hi there' }]);
    await talk.expectSent('Name?');
  });

  it('is not asked when the agent answered before the flow was attached', async () => {
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    await write(service, agent, sender, 'one');
    await forwardedCount(service, agent, 1);
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [{ status: 'handled' }]);
    await attach(agent, await createFlow());
    await write(service, agent, sender, 'two');
    await forwardedCount(service, agent, 2);
  });

  it('has its replies stored with the identity too, encrypted', async () => {
    const talk = await begin({}, { steps: [{ text: 'Name?', save_as: '__proto__' }] });
    const of = `/v1/customers/${talk.agent.instance.customer_id}/identities`;
    const made = await tenant.api.post(of, { channel: 'chatapp', external_id: `+${talk.sender}` });
    expect(made.body).toMatchObject({ attributes: {} });
    const name = `planted-${randomUUID()}`;
    await talk.say('hi');
    await talk.expectSent('Name?');
    await talk.say(name);
    await forwardedCount(service, talk.agent, 1);
    const { text } = await tenant.api.get(of);
    expect(text).toContain(`"attributes":{"__proto__":"${name}"}`);
    const found = await service.database.query(
      `select from identities i where i::text like '%' || $1 || '%' union all
       select from conversations c where c::text like '%' || $1 || '%'`,
      [name],
    );
    expect(found).toEqual([]);
  });

  it('may reply with several messages within the pause of a burst', async () => {
    const talk = await begin(
      { channel_config: { burst_seconds: 30 } },
      { steps: [{ text: 'Name?', save_as: 'name' }] },
    );
    const pause = async () => {
      service.clock.advance(31_000);
      await runJobs(service, 'converse', { lane: talk.agent.instance.id });
    };
    await talk.say('hi', 'hello');
    await pause();
    await talk.expectSent('Name?');
    await talk.say('Ada');
    await talk.say('Lovelace');
    await pause();
    await forwardedCount(service, talk.agent, 1);
    expect(await attributesOf(talk)).toEqual({ name: 'Ada\nLovelace' });
  });

  it('may reply with a picture, but not with a reaction', async () => {
    const talk = await begin({}, { steps: [{ text: 'Your badge?', save_as: 'badge' }] });
    await talk.say('hi');
    await talk.expectSent('Your badge?');
    const from = { from: talk.sender, timestamp: secondsAgo(0) };
    const reaction = {
      ...from,
      id: uniqueId(),
      type: 'reaction',
      reaction: { emoji: '👍', message_id: 'x' },
    };
    const image = { ...from, id: uniqueId(), type: 'image', image: { id: '77', mime_type: 'image/png' } };
    await sendMessages(service, talk.agent, reaction);
    const { id } = await conversationWith(tenant, talk.agent, talk.sender);
    await messagesBecome(tenant, id, [{}, {}, { kind: 'reaction', status: 'pending' }]);
    await vi.waitFor(async () => {
      const { body } = await tenant.api.get<{ items: { last_error: string }[] }>(
        '/v1/channel-messages?status=pending',
      );
      expect(body.items[0]?.last_error).toBe('Its sender is being asked the onboarding steps');
    }, WAIT);
    expect(forwardedTo(service, talk.agent)).toEqual([]);
    await sendMessages(service, talk.agent, image);
    expect(await forwardedCount(service, talk.agent, 1)).toMatchObject([{ media: [{ id: '77' }] }]);
    expect(await attributesOf(talk)).toEqual({ badge: '[image]' });
  });
});

describe('the questions', () => {
  it('end when the flow is deleted, and the agent gets the messages', async () => {
    const talk = await begin();
    await talk.say('hi');
    await talk.expectSent(NAME);
    await tenant.api.delete(`/v1/onboarding-flows/${talk.flow_id}`);
    await talk.say('Ada');
    expect(await forwardedCount(service, talk.agent, 1)).toMatchObject([{ text: 'hi\nAda' }]);
    await talk.expectSent(NAME);
  });

  it('end when a person has answered, but not when the person only took over', async () => {
    const [answered, looked] = [await begin(), await begin()];
    for (const talk of [answered, looked]) {
      await talk.say('hi');
      await talk.expectSent(NAME);
      const { id } = await conversationWith(tenant, talk.agent, talk.sender);
      await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
      if (talk === answered) await tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'I am here' });
      await talk.say('Ada');
      await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    }
    expect(await forwardedCount(service, answered.agent, 1)).toMatchObject([{ text: 'Ada' }]);
    await answered.expectSent(NAME, 'I am here');
    await looked.expectSent(NAME, LANGUAGE);
    expect(await attributesOf(looked)).toEqual({ name: 'Ada' });
  });

  it('wait longer than a day for a reply, without giving messages up', async () => {
    const talk = await begin({}, { steps: [{ text: 'Name?' }] });
    await talk.say('hi');
    await talk.expectSent('Name?');
    await service.database.query(
      `update channel_messages set give_up_at = now() - interval '1 hour' where external_id = $1`,
      [talk.sender],
    );
    await talk.say('Ada');
    expect(await forwardedCount(service, talk.agent, 1)).toMatchObject([{ text: 'hi\nAda' }]);
  });

  it('are asked without retention too', async () => {
    const talk = await begin({}, { retention_days: 0 });
    for (const [index, text] of ['hi', 'Ada', 'fine', 'Harbour'].entries()) {
      await talk.say(text);
      await talk.expectSent(...STEPS.slice(0, index + 1).map((step) => step.text));
    }
    expect(await forwardedCount(service, talk.agent, 1)).toMatchObject([{ text: 'hi\nAda\nfine\nHarbour' }]);
    expect(await attributesOf(talk)).toEqual({ name: 'Ada', site: 'Harbour' });
  });

  it('are asked outside business hours, before the away message', async () => {
    const closed = { channel_config: { business_hours: { mon: [] }, away_message: 'We are closed' } };
    const talk = await begin(closed, { steps: [{ text: 'Name?' }] });
    await talk.say('hi');
    await talk.expectSent('Name?');
    await talk.say('Ada');
    await talk.expectSent('Name?', 'We are closed');
    expect(forwardedTo(service, talk.agent)).toEqual([]);
    await configure(service, talk.agent.instance, {}, 30);
    await talk.say('open?');
    expect((await forwardedCount(service, talk.agent, 1))[0]).toMatchObject({ text: 'hi\nAda\nopen?' });
  });

  it('are asked in the playground too', async () => {
    const agent = await createAgent(service, tenant);
    await attach(agent, await createFlow([{ text: 'Name?', save_as: 'name' }]));
    const say = async (body: object) =>
      (
        await tenant.api.post<{ conversation_id: string }>(
          `/v1/instances/${agent.instance.id}/playground`,
          body,
        )
      ).body;
    const { conversation_id } = await say({ text: 'hi' });
    await messagesBecome(tenant, conversation_id, [{ text: 'hi' }, { text: 'Name?', status: 'delivered' }]);
    await say({ text: 'Ada', conversation_id });
    expect(await forwardedCount(service, agent, 1)).toMatchObject([
      { channel: 'playground', text: 'hi\nAda' },
    ]);
  });
});

describe('a disclaimer', () => {
  it('stands below the agent’s first answer, and below no other', async () => {
    const agent = await createAgent(service, tenant, {
      compliance_config: { disclaimer: 'I am a machine.' },
    });
    const sender = uniqueSender();
    answerEach(service, ({ text }) => `You said ${String(text)}`);
    await write(service, agent, sender, 'one');
    await sentBecome(sendApi, sender, ['You said one', 'I am a machine.']);
    await write(service, agent, sender, 'two');
    await sentBecome(sendApi, sender, ['You said one', 'I am a machine.', 'You said two']);
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [
      {},
      { author: 'agent' },
      { author: 'system', text: 'I am a machine.' },
      {},
      {},
    ]);
  });

  it('is removed by a customer’s own configuration', async () => {
    const agent = await createAgent(service, tenant, {
      compliance_config: { disclaimer: 'I am a machine.' },
    });
    const sender = uniqueSender();
    await tenant.api.put(`/v1/customers/${agent.instance.customer_id}/config`, {
      compliance_config: { disclaimer: null },
    });
    answerEach(service, ({ text }) => `You said ${String(text)}`);
    await write(service, agent, sender, 'one');
    await sentBecome(sendApi, sender, ['You said one']);
    await write(service, agent, sender, 'two');
    await sentBecome(sendApi, sender, ['You said one', 'You said two']);
  });
});

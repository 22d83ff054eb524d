import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  forwardedCount,
  messagesBecome,
  messagesIn,
  uniqueId,
  uniqueSender,
} from '../support/conversations.ts';
import { setInstanceStatus } from '../support/instances.ts';
import { runJobs } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { secondsAgo, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();
const DAY = 24 * 3600;

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({ settings: { chatapp_api_base_url } });
  tenant = await service.createTenant('Acme');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

const sendAt = async (
  agent: TestEndpoint,
  sender: string,
  ...messages: [text: string, timestamp: unknown][]
) => {
  const whole = messages.map(([text, timestamp]) => ({
    ...textMessage(uniqueId(), text, sender),
    timestamp,
  }));
  expect((await sendMessages(service, agent, ...whole)).status).toBe(200);
};
const secondsBack = (at: unknown) => (Date.now() - Date.parse(String(at))) / 1000;

it('shows a message at the time at which it was written, within bounds', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await sendAt(
    agent,
    sender,
    ['an hour ago', secondsAgo(3600)],
    ['as a number', Number(secondsAgo(7200))],
    ['a month ago', secondsAgo(30 * DAY)],
    ['later', secondsAgo(-600)],
    ['in milliseconds', `${secondsAgo(3600)}000`],
    ['no number', 'yesterday'],
    ['missing', undefined],
  );
  const forwarded = await forwardedCount(service, agent, 1);
  expect(forwarded[0]?.text).toContain('an hour ago');
  const { id } = await conversationWith(tenant, agent, sender);
  const ages = (await messagesIn(tenant, id)).map(({ text, at }) => [text, Math.round(secondsBack(at) / 60)]);
  expect(ages).toEqual([
    ['an hour ago', 60],
    ['as a number', 120],
    ['a month ago', 7 * 24 * 60],
    ['later', 0],
    ['in milliseconds', 0],
    ['no number', 0],
    ['missing', 0],
  ]);
});

it('tells the runtime and the history when a message was written', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await sendAt(agent, sender, ['late', secondsAgo(3600)]);
  const [late] = await forwardedCount(service, agent, 1);
  expect(Math.round(secondsBack(late?.sent_at) / 60)).toBe(60);
  expect(Math.round(secondsBack(late?.received_at) / 60)).toBe(0);
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
  await sendAt(agent, sender, ['now', secondsAgo(0)]);
  const [, now] = await forwardedCount(service, agent, 2);
  const [past] = (now?.history ?? []) as { at: string }[];
  expect(Math.round(secondsBack(past?.at) / 60)).toBe(60);
});

it('orders a burst as it was written, and leaves pages in the order of arrival', async () => {
  const agent = await createAgent(service, tenant, { channel_config: { burst_seconds: 1 } });
  const sender = uniqueSender();
  await sendAt(agent, sender, ['second', secondsAgo(10)], ['first', secondsAgo(20)]);
  const [burst] = await forwardedCount(service, agent, 1);
  expect(burst).toMatchObject({ text: 'first\nsecond' });
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [{ text: 'second' }, { text: 'first' }]);
});

it('tells the older of waiting messages first, without a burst', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await setInstanceStatus(service, agent.instance.id, 'stopped');
  await sendAt(agent, sender, ['second', secondsAgo(10)]);
  await sendAt(agent, sender, ['third', secondsAgo(5)], ['first', secondsAgo(20)], ['fourth', secondsAgo(4)]);
  await setInstanceStatus(service, agent.instance.id, 'running');
  await runJobs(service, 'converse');
  const forwarded = await forwardedCount(service, agent, 2);
  expect(forwarded.map(({ text }) => text)).toEqual(['first\nsecond\nthird', 'fourth']);
});

it('counts the 24 hours from the message: an answer after them is refused, and the template named', async () => {
  const agent = await createAgent(service, tenant, { compliance_config: { disclaimer: 'I am a program.' } });
  const sender = uniqueSender();
  await sendAt(agent, sender, ['late', secondsAgo(25 * 3600)]);
  const { id } = await conversationWith(tenant, agent, sender);
  const text = 'Too late.';
  const answered = await answer(service, agent, id, { text, in_reply_to: null });
  expect(answered).toMatchObject({
    status: 202,
    body: { status: 'failed', error: expect.stringContaining('template') },
  });
  await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
  const path = `/v1/conversations/${id}/messages`;
  const byPerson = await tenant.api.post(path, { text: 'Me too.' });
  expect(byPerson).toMatchObject({ status: 409, body: { detail: expect.stringContaining('template') } });
  const template = { name: 'we_are_back', language: 'en' };
  expect(await tenant.api.post(path, { template })).toMatchObject({
    status: 202,
    body: { status: 'queued' },
  });
  await sendAt(agent, sender, ['again', secondsAgo(60)]);
  expect(await tenant.api.post(path, { text: 'Hello.' })).toMatchObject({
    status: 202,
    body: { status: 'queued' },
  });
  await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
  await answer(service, agent, id, { text: 'Here.', in_reply_to: null });
  await messagesBecome(tenant, id, [
    { text: 'late' },
    { text: 'Too late.', status: 'failed' },
    { kind: 'template' },
    { text: 'again' },
    { text: 'Hello.' },
    { text: 'Here.' },
    { text: 'I am a program.', author: 'system' },
  ]);
});

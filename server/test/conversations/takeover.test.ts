import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import {
  conversationWith,
  createAgent,
  forwardedCount,
  messagesBecome,
  messagesIn,
  threadOf,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { runJobs } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { secondsAgo, sendMessages, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let admin: Client;
let user: { kind: string; id: string; name: string };
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({ settings: { chatapp_api_base_url } });
  tenant = await service.createTenant('Acme');
  admin = await service.login(tenant.admin_email);
  user = { kind: 'user', id: tenant.admin_user_id, name: tenant.admin_email };
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

const begin = async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await write(service, agent, sender, 'Help');
  await forwardedCount(service, agent, 1);
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
  const handOver = (reason?: string) =>
    service.operations.post(`/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`, {
      reason,
    });
  return { agent, sender, id, handOver };
};
const stateOf = async (id: string) =>
  (await tenant.api.get<Record<string, unknown>>(`/v1/conversations/${id}`)).body;
const change = (id: string, body: object, by: Client = admin) =>
  by.patch<Record<string, unknown>>(`/v1/conversations/${id}`, body);
const say = (id: string, body: object, by: Client = admin) =>
  by.post<Record<string, unknown>>(`/v1/conversations/${id}/messages`, body);
const takeovers = async (id: string) =>
  (await threadOf(tenant, id)).filter(({ kind }) => kind === 'takeover');
const KEY = { kind: 'key', id: expect.any(String), name: 'test' };
const AGENT_AGAIN = { mode: 'agent', taken_by: null, human_since: null, handover_reason: null };

it('is noted with whoever asks, in the thread too, until the agent answers again', async () => {
  const { id, sender } = await begin();
  expect(await stateOf(id)).toMatchObject(AGENT_AGAIN);
  const first = await change(id, { mode: 'human' });
  expect(first.body).toMatchObject({ taken_by: user, human_since: expect.any(String) });
  const second = await change(id, { mode: 'human', minutes: 5 }, tenant.api);
  expect(second.body).toMatchObject({ taken_by: KEY, human_since: first.body.human_since });
  await change(id, { mode: 'human' }, tenant.api);
  expect((await change(id, { mode: 'agent' })).body).toMatchObject(AGENT_AGAIN);
  const { id: user_id, name } = user;
  const note = { direction: 'out', author: 'system', text: null, status: 'delivered' };
  expect(await takeovers(id)).toMatchObject([
    { ...note, user_id, user: { id: user_id, name }, key: null },
    { ...note, user_id: null, user: null, key: { id: KEY.id, name: 'test' } },
    { ...note, user: null, key: null },
  ]);
  expect(await stateOf(id)).toMatchObject({ last_message: { author: 'sender', text: 'Help' } });
  expect(sendApi.sent.filter(({ body }) => body.to === sender)).toEqual([]);
});

it('ends by its minutes, and forgets everything', async () => {
  const { id, handOver } = await begin();
  await handOver('wants a person');
  await change(id, { mode: 'human', minutes: 30 });
  expect(await stateOf(id)).toMatchObject({ taken_by: user, handover_reason: 'wants a person' });
  await service.database.query('update conversations set human_until = now() where id = $1', [id]);
  await runJobs(service, 'converse', { key: id });
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject(AGENT_AGAIN), WAIT);
  expect(await takeovers(id)).toMatchObject([{ user: { id: user.id } }, { user: null }]);
});

it('is refused where somebody else was faster', async () => {
  const { id } = await begin();
  expect((await change(id, { mode: 'human', expect_taken_by: user.id })).status).toBe(412);
  expect(await stateOf(id)).toMatchObject(AGENT_AGAIN);
  const takes = Array.from({ length: 4 }, () => change(id, { mode: 'human', expect_taken_by: null }));
  const statuses = (await Promise.all(takes)).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 412, 412, 412]);
  expect((await change(id, { mode: 'human', expect_taken_by: user.id }, tenant.api)).status).toBe(200);
  expect(await stateOf(id)).toMatchObject({ taken_by: KEY });
});

it('is that of the first answer after a handover, whoever answers later', async () => {
  const { id, handOver } = await begin();
  await handOver('is angry');
  const handed = await stateOf(id);
  expect(handed).toMatchObject({
    mode: 'human',
    taken_by: null,
    human_since: expect.any(String),
    handover_reason: 'is angry',
  });
  const answered = await say(id, { text: 'I am here', idempotency_key: 'a' }, tenant.api);
  expect(answered.body).toMatchObject({ user_id: null, user: null, key: { name: 'test' }, author: 'person' });
  expect((await say(id, { text: 'Me too' })).body).toMatchObject({
    user_id: user.id,
    user: { id: user.id, name: user.name },
    key: null,
  });
  expect(await stateOf(id)).toMatchObject({
    taken_by: KEY,
    human_since: handed.human_since,
    handover_reason: 'is angry',
  });
  expect((await threadOf(tenant, id)).map(({ kind }) => kind)).toEqual([
    'text',
    'handover',
    'takeover',
    'text',
    'text',
  ]);
});

it('names nobody who has left', async () => {
  const { id } = await begin();
  await change(id, { mode: 'human' });
  await service.database.query('delete from sessions where user_id = $1', [user.id]);
  await service.database.query('delete from memberships where user_id = $1', [user.id]);
  expect(await stateOf(id)).toMatchObject({ taken_by: { ...user, name: null } });
  expect(await takeovers(id)).toMatchObject([{ user: { id: user.id, name: null } }]);
  await service.database.query(
    `insert into memberships (tenant_id, user_id, role, email) values ($1, $2, 'admin', $3)`,
    [tenant.tenant_id, user.id, user.name],
  );
  admin = await service.login(tenant.admin_email);
});

it('lets people write free text only as long as the channel takes it', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  const hoursAgo = (hours: number, text: string) => ({
    ...textMessage(`wamid.${text}.${sender}`, text, sender),
    timestamp: secondsAgo(hours * 3600),
  });
  await sendMessages(service, agent, hoursAgo(30, 'old'));
  const { id } = await conversationWith(tenant, agent, sender);
  await change(id, { mode: 'human' });
  const state = await stateOf(id);
  const [{ at } = { at: '' }] = await messagesIn(tenant, id);
  expect(Date.parse(String(state.reply_until)) - Date.parse(at)).toBe(24 * 3600_000);
  expect(state).toMatchObject({ waiting_since: at, unanswered: 1 });
  const refused = await say(id, { text: 'Too late' });
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('/templates')]);
  expect((await say(id, { template: { name: 'hello', language: 'en' } })).status).toBe(202);
  await sendMessages(service, agent, hoursAgo(1, 'new'));
  expect((await say(id, { text: 'In time', idempotency_key: 'once' })).status).toBe(202);
  await service.database.query(
    `update conversations set last_in_at = last_in_at - interval '1 day' where id = $1`,
    [id],
  );
  expect((await say(id, { text: 'In time', idempotency_key: 'once' })).status).toBe(202);
  await change(id, { mode: 'agent' });
  expect((await say(id, { text: 'The agent has it' })).body.detail).toContain('set its mode to human');
  expect(await stateOf(id)).toMatchObject({ waiting_since: null });
});

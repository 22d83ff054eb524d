import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  messagesBecome,
  messagesIn,
  uniqueId,
  uniqueSender,
} from '../support/conversations.ts';
import { setInstanceStatus } from '../support/instances.ts';
import { runJobsUntil } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

const HOUR = 3_600_000;
let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant('Acme');
});
afterEach(() => {
  service.runtimes.onMessage = () => {};
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

interface Talk {
  agent: TestEndpoint;
  id: string;
}

async function begin(retention_days: number, config: object = {}): Promise<Talk> {
  const agent = await createAgent(service, tenant, config, { retention_days });
  return { agent, id: await say(agent) };
}
async function say(agent: TestEndpoint, sender = uniqueSender()): Promise<string> {
  expect((await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender))).status).toBe(200);
  return (await conversationWith(tenant, agent, sender)).id;
}
/** Hours from each message's arrival to its erasure. */
async function keptFor(id: string): Promise<(number | null)[]> {
  const rows = await service.database.query<{ erase_at: Date | null; received_at: Date }>(
    'select erase_at, received_at from channel_messages where conversation_id = $1 order by number',
    [id],
  );
  return rows.map(({ erase_at, received_at }) =>
    erase_at === null ? null : Math.round((erase_at.getTime() - received_at.getTime()) / HOUR),
  );
}
async function erase(id: string): Promise<void> {
  await service.database.query(
    `update channel_messages set erase_at = '2000-01-01' where conversation_id = $1`,
    [id],
  );
  await runJobsUntil(service, 'purge', async () =>
    expect((await messagesIn(tenant, id)).filter(({ text }) => text !== null)).toEqual([]),
  );
}

describe('without retention', () => {
  it('keeps an answer for a day after it was sent, and the question until the answer', async () => {
    const { agent, id } = await begin(0);
    await messagesBecome(tenant, id, [{ status: 'handled' }]);
    expect(await keptFor(id)).toEqual([24]);
    const [message] = service.runtimes.messages.slice(-1);
    await answer(service, agent, id, { text: 'yes', in_reply_to: message?.message.message_id });
    await messagesBecome(tenant, id, [{ text: null }, { status: 'sent' }]);
    expect(await keptFor(id)).toEqual([null, 24]);
  });

  it('keeps messages that wait for a person for 7 days, or until the person answers', async () => {
    const { agent, id } = await begin(0);
    await messagesBecome(tenant, id, [{ status: 'handled' }]);
    const { external_id } = await conversationWith(tenant, agent);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    await say(agent, external_id);
    expect(await keptFor(id)).toEqual([24, null, 7 * 24]);
    await tenant.api.post(`/v1/conversations/${id}/messages`, { text: 'I am here' });
    await messagesBecome(tenant, id, [
      { text: null, status: 'handled' },
      { text: null, status: 'handled' },
      { author: 'person' },
    ]);
  });

  it('keeps a dead message for a day, and after a retry up to 7', async () => {
    const agent = await createAgent(service, tenant, {}, { retention_days: 0 });
    await setInstanceStatus(service, agent.instance.id, 'terminated');
    const id = await say(agent);
    const [dead] = await messagesBecome(tenant, id, [{ status: 'dead' }]);
    expect(await keptFor(id)).toEqual([24]);
    await setInstanceStatus(service, agent.instance.id, 'stopped');
    const retry = () => tenant.api.post<{ detail: string }>(`/v1/channel-messages/${dead?.id}/retry`);
    expect((await retry()).status).toBe(202);
    expect(await keptFor(id)).toEqual([7 * 24]);
    await erase(id);
    await messagesBecome(tenant, id, [{ status: 'dead', text: null, error: 'Its content was erased' }]);
    expect((await retry()).body).toEqual({ detail: 'The content of the message was erased' });
  });
});

it('retention_days applies to answered messages', async () => {
  const { agent, id } = await begin(3);
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
  await answer(service, agent, id, { text: 'yes', in_reply_to: null });
  await messagesBecome(tenant, id, [{}, { status: 'sent' }]);
  expect(await keptFor(id)).toEqual([72, 72]);
});

it('a message that is erased while it waits for a person does not become dead', async () => {
  const { agent, id } = await begin(1);
  const { external_id } = await conversationWith(tenant, agent);
  await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
  await say(agent, external_id);
  await erase(id);
  await messagesBecome(tenant, id, [
    { status: 'handled', text: null },
    { status: 'handled', text: null },
  ]);
});

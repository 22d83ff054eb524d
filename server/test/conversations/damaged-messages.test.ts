import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  answer,
  answerEach,
  conversationWith,
  createAgent,
  forwardedTo,
  messagesBecome,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { setInstanceStatus } from '../support/instances.ts';
import { runJobs } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

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
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

/** Flips a bit of the ciphertext of messages in a status. */
const damage = (conversation_id: string, status: string) =>
  service.database.query(
    `update channel_messages
     set sealed_content = set_byte(sealed_content, length(sealed_content) - 1, get_byte(sealed_content, length(sealed_content) - 1) # 1)
     where conversation_id = $1 and status = $2`,
    [conversation_id, status],
  );
const unreadable = { text: null, error: 'unreadable' };

it('shows a damaged message without content, and everything beside it', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  answerEach(service, ({ text }) => `You said ${String(text)}`);
  await write(service, agent, sender, 'one');
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [{ status: 'handled' }, { status: 'sent' }]);
  await damage(id, 'sent');
  await damage(id, 'handled');
  const read = await tenant.api.get(`/v1/conversations/${id}`);
  expect(read).toMatchObject({ status: 200, body: { last_message: { text: null } } });
  await messagesBecome(tenant, id, [
    { ...unreadable, status: 'handled' },
    { ...unreadable, status: 'sent' },
  ]);
  await write(service, agent, sender, 'two');
  await messagesBecome(tenant, id, [{}, {}, { text: 'two', status: 'handled' }, { text: 'You said two' }]);
  expect(forwardedTo(service, agent)[1]).toMatchObject({ text: 'two', history: [] });
});

it('gives up a damaged message that waits for the agent, and forwards the next one', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  service.runtimes.onMessage = () => {};
  await setInstanceStatus(service, agent.instance.id, 'stopped');
  await write(service, agent, sender, 'one');
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [{ status: 'pending', error: 'The instance is stopped' }]);
  await damage(id, 'pending');
  await write(service, agent, sender, 'two');
  await setInstanceStatus(service, agent.instance.id, 'running');
  await runJobs(service, 'converse', { key: id });
  await messagesBecome(tenant, id, [
    { ...unreadable, status: 'dead' },
    { text: 'two', status: 'handled' },
  ]);
  const { body } = await tenant.api.get<{ items: object[] }>('/v1/channel-messages?status=dead');
  expect(body.items).toMatchObject([{ last_error: 'unreadable' }]);
});

it('fails a damaged answer that waits for the channel, and sends the next one', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await write(service, agent, sender, 'hi');
  const { id } = await conversationWith(tenant, agent, sender);
  // Also for a try that has read the message before it is damaged.
  sendApi.mood = (response, { body }) => {
    const isTaken = body.text?.body !== 'one';
    response.writeHead(isTaken ? 200 : 500, { 'content-type': 'application/json' });
    response.end('{"messages":[{"id":"wamid.out"}]}');
    return isTaken;
  };
  await answer(service, agent, id, { text: 'one', in_reply_to: null });
  await messagesBecome(tenant, id, [
    {},
    { status: 'queued', error: expect.stringContaining('500') as string },
  ]);
  await damage(id, 'queued');
  await answer(service, agent, id, { text: 'two', in_reply_to: null });
  await runJobs(service, 'send_messages', { key: id });
  await messagesBecome(tenant, id, [
    {},
    { ...unreadable, status: 'failed' },
    { text: 'two', status: 'sent' },
  ]);
  sendApi.mood = undefined;
});

it('lists other approvals beside one that is damaged', async () => {
  const agent = await createAgent(service, tenant);
  await service.database.query(
    `insert into approvals (id, tenant_id, instance_id, customer_id, tool, call_hash, sealed_content, requested_at, expires_at)
     values (gen_random_uuid(), $1, $2, $3, 'srv__pay', 'x', '\\x0102', now(), now() + interval '1 hour')`,
    [tenant.tenant_id, agent.instance.id, agent.instance.customer_id],
  );
  await vi.waitFor(async () => {
    const { status, body } = await tenant.api.get<{ items: object[] }>('/v1/approvals');
    expect({ status, items: body.items }).toMatchObject({ status: 200, items: [{ arguments: null }] });
  }, WAIT);
});

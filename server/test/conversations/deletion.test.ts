import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  messagesBecome,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { FakeSendApi, page } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
let sender: string;
let id: string;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant('Acme');
});
beforeEach(async () => {
  agent = await createAgent(service, tenant);
  sender = uniqueSender();
});
afterEach(() => {
  service.runtimes.onMessage = () => {};
  sendApi.mood = undefined;
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

async function begin(): Promise<void> {
  expect((await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender))).status).toBe(200);
  ({ id } = await conversationWith(tenant, agent, sender));
}
const remove = async () => expect((await tenant.api.delete(`/v1/conversations/${id}`)).status).toBe(204);
const jobsOf = () => service.database.query('select kind from jobs where key = $1', [id]);
const jobsEnd = () => vi.waitFor(async () => expect(await jobsOf()).toEqual([]), WAIT);
const path = () => `/v1/conversations/${id}/messages`;

it('reports queued answers as failed to followers, and ends their stream', async () => {
  await begin();
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
  sendApi.mood = page(503);
  const { body } = await answer(service, agent, id, { text: 'never sent', in_reply_to: null });
  await messagesBecome(tenant, id, [{}, { status: 'queued', error: expect.any(String) as string }]);
  const following = await fetch(service.base_url + path(), {
    headers: { ...tenant.api.headers, accept: 'text/event-stream' },
  });
  const reader = (following.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let seen = '';
  while (!seen.includes('never sent')) seen += (await reader.read()).value ?? '';
  await remove();
  for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value;
  const last = seen.split('\n').findLast((line) => line.startsWith('data: ')) ?? '';
  expect(JSON.parse(last.slice(6))).toMatchObject({
    id: body.id,
    status: 'failed',
    error: 'The conversation was deleted',
  });
  expect((await tenant.api.get(path(), { accept: 'text/event-stream' })).status).toBe(404);
});

it('while a message is being forwarded refuses the answer, and leaves no job', async () => {
  let answered: number | undefined;
  service.runtimes.onMessage = async ({ conversation_id, message_id }) => {
    id = String(conversation_id);
    await remove();
    answered = (await answer(service, agent, id, { text: 'late', in_reply_to: message_id })).status;
  };
  await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender));
  await vi.waitFor(() => expect(answered).toBe(404), WAIT);
  await jobsEnd();
  expect(
    await service.database.query('select from channel_messages where external_id = $1', [sender]),
  ).toEqual([]);
});

it('while an answer is being sent sends nothing more', async () => {
  await begin();
  const sending = new Promise<() => void>((resolve) => {
    sendApi.mood = (response) => {
      resolve(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"messages":[{"id":"w"}]}'),
      );
      return true;
    };
  });
  await answer(service, agent, id, { text: 'one', in_reply_to: null });
  await answer(service, agent, id, { text: 'two', in_reply_to: null });
  const finish = await sending;
  await remove();
  finish();
  await jobsEnd();
  expect(sendApi.sent.filter(({ body }) => body.to === sender)).toHaveLength(1);
});

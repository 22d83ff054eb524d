import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  conversationWith,
  createAgent,
  messagesIn,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { runJobsUntil } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

const TEN_MINUTES_MS = 10 * 60_000;

let service: TestService;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
  });
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

async function limited(limits: object): Promise<{ tenant: TestTenant; agent: TestEndpoint }> {
  const tenant = await service.createTenant();
  const path = `/internal/v1/tenants/${tenant.tenant_id}`;
  expect((await service.operations.patch(path, { limits })).status).toBe(200);
  return { tenant, agent: await createAgent(service, tenant) };
}
const say = async (agent: TestEndpoint, sender: string, ...texts: string[]) => {
  for (const text of texts) await sendMessages(service, agent, textMessage(uniqueId(), text, sender));
};
const forwarded = ({ instance }: TestEndpoint) =>
  service.runtimes.messages
    .filter(({ address }) => address === instance.runtime_address)
    .map(({ message }) => message.text);

it('a sender’s messages above the limit are stored as handled, with one reply about it', async () => {
  const { tenant, agent } = await limited({ sender_messages: 2 });
  const [sender, other] = [uniqueSender(), uniqueSender()];
  // There is a reply for each ten minutes of the clock, of which the next ones begin now.
  service.clock.advance(TEN_MINUTES_MS - (service.clock.now().getTime() % TEN_MINUTES_MS));
  await say(agent, sender, 'a', 'b', 'c', 'd');
  await say(agent, other, 'e');
  const { id } = await conversationWith(tenant, agent, sender);
  await vi.waitFor(async () => {
    const messages = await messagesIn(tenant, id);
    expect(messages.filter(({ status }) => status === 'handled')).toHaveLength(4);
    expect(messages.filter(({ author }) => author === 'system')).toMatchObject([{ status: 'sent' }]);
  }, WAIT);
  await vi.waitFor(() => expect(new Set(forwarded(agent))).toEqual(new Set(['a', 'b', 'e'])), WAIT);
  const { body } = await tenant.api.get<{ items: { last_error: string | null }[] }>('/v1/channel-messages');
  expect(
    body.items.filter(({ last_error }) => last_error?.startsWith('Not forwarded: more than 2')),
  ).toHaveLength(2);
  service.clock.advance(TEN_MINUTES_MS + 1000);
  await say(agent, sender, 'f');
  await vi.waitFor(() => expect(forwarded(agent)).toContain('f'), WAIT);
});

it('conversations above the limit are deleted, those with the oldest messages first', async () => {
  const { tenant, agent } = await limited({ conversations_stored: 2 });
  const senders = [uniqueSender(), uniqueSender(), uniqueSender(), uniqueSender()];
  for (const sender of senders) {
    await say(agent, sender, 'hi');
    service.clock.advance(1000);
  }
  // Without this message, it would be the oldest.
  await say(agent, senders[0] ?? '', 'again');
  const count = async () => {
    const { body } = await tenant.api.get<{ items: { external_id: string }[]; total: number }>(
      '/v1/conversations',
    );
    return body.items.map(({ external_id }) => external_id);
  };
  expect(await count()).toHaveLength(4);
  await runJobsUntil(service, 'purge', async () => expect(await count()).toEqual([senders[0], senders[3]]));
});

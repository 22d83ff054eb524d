import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  answerEach,
  conversationWith,
  createAgent,
  forwardedCount,
  forwardedTo,
  messagesIn,
  uniqueId,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();
const CLOSED = 'We are closed and will answer tomorrow.';

beforeAll(async () => {
  service = await startTestService({ settings: { chatapp_api_base_url: await sendApi.start() } });
  tenant = await service.createTenant('Acme');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

const statusesOf = async (agent: TestEndpoint, sender: string) => {
  const { id } = await conversationWith(tenant, agent, sender);
  const messages = await messagesIn(tenant, id);
  return messages.filter(({ direction }) => direction === 'in').map(({ status }) => status);
};
const answersTo = (sender: string) => sendApi.sent.filter(({ body }) => body.to === sender).length;
/** Each message comes after the answer to the one before. */
async function inTurns(agent: TestEndpoint, sender: string, ...messages: (string | object)[]): Promise<void> {
  for (const message of messages) {
    const before = answersTo(sender);
    if (typeof message === 'string') await write(service, agent, sender, message);
    else await sendMessages(service, agent, { id: uniqueId(), from: sender, ...message });
    await vi.waitFor(() => expect(answersTo(sender)).toBe(before + 1), WAIT);
  }
}
const suspicions = async ({ instance }: TestEndpoint) => {
  const { body } = await tenant.api.get<{ items: { step: string | null }[] }>(
    `/v1/instances/${instance.id}/events`,
  );
  return body.items.filter(({ step }) => step === 'loop_suspected').length;
};
const tap = {
  type: 'interactive',
  interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Yes' } },
};
const picture = { type: 'image', image: { id: 'no-words', mime_type: 'image/png' } };

it.each([30, 0])(
  'the same text is not forwarded the fifth time after an answer, until another one comes (retention of %i days)',
  async (retention_days) => {
    const agent = await createAgent(service, tenant, {}, { retention_days });
    const sender = uniqueSender();
    answerEach(service, () => 'How may I help?');
    await inTurns(agent, sender, CLOSED, CLOSED, picture, CLOSED, CLOSED);
    await write(service, agent, sender, CLOSED, CLOSED);
    await write(service, agent, sender, CLOSED);
    await vi.waitFor(async () => {
      expect(await statusesOf(agent, sender)).toEqual(Array.from({ length: 8 }, () => 'handled'));
    }, WAIT);
    expect(forwardedTo(service, agent)).toHaveLength(5);
    expect(await suspicions(agent)).toBe(1);
    await inTurns(agent, sender, 'A person now.', CLOSED);
    // The answer is sent before the fake runtime has recorded the message.
    await forwardedCount(service, agent, 7);
    await inTurns(agent, sender, CLOSED, CLOSED, CLOSED);
    await write(service, agent, sender, CLOSED);
    await vi.waitFor(async () => expect(await suspicions(agent)).toBe(2), WAIT);
  },
);

it('what merely arrives together is all forwarded', async () => {
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  answerEach(service, () => 'How may I help?');
  await write(service, agent, sender, ...Array.from({ length: 8 }, () => 'Hello?'));
  await forwardedCount(service, agent, 8);
  // A text without an answer before it is none of a loop, either.
  service.runtimes.onMessage = () => {};
  for (let count = 1; count <= 6; count++) {
    await write(service, agent, sender, 'Anybody?');
    await forwardedCount(service, agent, 8 + count);
  }
  expect(await suspicions(agent)).toBe(0);
});

it('taps, and texts that come slowly, are all forwarded', async () => {
  const agent = await createAgent(service, tenant);
  answerEach(service, () => 'How may I help?');
  await inTurns(agent, uniqueSender(), ...Array.from({ length: 7 }, () => tap));
  const sender = uniqueSender();
  for (let count = 1; count <= 6; count++) {
    await inTurns(agent, sender, CLOSED);
    service.clock.advance(3 * 60_000);
  }
  expect(await suspicions(agent)).toBe(0);
});

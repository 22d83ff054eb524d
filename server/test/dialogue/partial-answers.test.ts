import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  messagesBecome,
  messagesIn,
  uniqueSender,
  write,
} from '../support/conversations.ts';
import { runJobsUntil } from '../support/jobs.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import type { TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
});
afterAll(() => service.stop());
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

/** A runtime that answers in each try as told, and dies in all but the last. @returns the number of tries */
async function inTries(
  agent: TestEndpoint,
  count: number,
  bodyOf: (number: number, in_reply_to: unknown) => object[],
): Promise<{ id: string; tries: () => number }> {
  let tries = 0;
  service.runtimes.onMessage = async ({ conversation_id, message_id }) => {
    tries += 1;
    for (const body of bodyOf(tries, message_id)) await answer(service, agent, String(conversation_id), body);
    if (tries < count) throw new Error('The runtime died');
  };
  const sender = uniqueSender();
  await write(service, agent, sender, 'hi');
  const { id } = await conversationWith(tenant, agent, sender);
  const isHandled = async () =>
    expect((await messagesIn(tenant, id))[0]).toMatchObject({ status: 'handled' });
  await runJobsUntil(service, 'converse', isHandled);
  return { id, tries: () => tries };
}

const parts = (upTo: number, in_reply_to: unknown) =>
  Array.from({ length: upTo }, (_, number) => ({
    text: `part ${number}`,
    in_reply_to,
    idempotency_key: `part ${number}`,
  }));

it('a runtime that dies between two parts of an answer gets the message again', async () => {
  const agent = await createAgent(service, tenant);
  const { id, tries } = await inTries(agent, 2, (number, reply) => parts(number === 1 ? 2 : 4, reply));
  expect(tries()).toBe(2);
  await messagesBecome(tenant, id, [
    {},
    { text: 'part 0' },
    { text: 'part 1' },
    { text: 'part 2' },
    { text: 'part 3' },
  ]);
});

it('it gets the message at most three times more', async () => {
  const agent = await createAgent(service, tenant);
  const { id, tries } = await inTries(agent, 100, (_, in_reply_to) => [
    { text: 'part', in_reply_to, idempotency_key: 'part' },
  ]);
  expect(tries()).toBe(4);
  const [message] = await messagesIn(tenant, id);
  expect(message?.error).toMatch(/^Answered in part; then the runtime failed 4 times/);
});

it('an answer without a key of its own ends the message', async () => {
  const agent = await createAgent(service, tenant);
  const { tries } = await inTries(agent, 100, (_, in_reply_to) => [{ text: randomUUID(), in_reply_to }]);
  expect(tries()).toBe(1);
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { answer, conversationWith, createAgent, uniqueId, uniqueSender } from '../support/conversations.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
let conversation_id: string;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await sendMessages(service, agent, textMessage(uniqueId(), 'hello', sender));
  ({ id: conversation_id } = await conversationWith(tenant, agent, sender));
});

const say = (fields: object) =>
  answer(service, agent, conversation_id, { text: 'x', idempotency_key: randomUUID(), ...fields });

describe('an answer', () => {
  it.each([
    ['text', { text: 'é'.repeat(32 * KIB) }, { text: 'é'.repeat(32 * KIB + 1) }],
    ['tool_calls', { tool_calls: ['x'.repeat(60 * KIB)] }, { tool_calls: ['x'.repeat(64 * KIB)] }],
    [
      'tool_calls',
      { tool_calls: Array.from({ length: 100 }, () => 1) },
      { tool_calls: Array.from({ length: 101 }, () => 1) },
    ],
  ])('has a bound on its %s', async (field, largest, larger) => {
    expect((await say(largest)).status).toBe(202);
    expect(await say(larger)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', field], type: 'too_long' }] },
    });
  });
});

interface Page {
  items: { id: string; tool_calls: unknown[] }[];
  next_before: string | null;
}

const page = async (before: string) => {
  const { body } = await tenant.api.get<Page>(
    `/v1/conversations/${conversation_id}/messages?per_page=100${before}`,
  );
  expect(JSON.stringify(body).length).toBeLessThan(4 * MIB);
  return body;
};

it('a page of messages ends at 4 MiB, and next_before goes on', async () => {
  const large = { text: 'x'.repeat(64 * KIB), tool_calls: ['x'.repeat(63 * KIB)] };
  const sent: string[] = [];
  for (let count = 0; count < 40; count++) sent.push((await say(large)).body.id);
  const newest = await page('');
  expect(newest.next_before).toBe(newest.items[0]?.id);
  const older = await page(`&before=${newest.next_before}`);
  expect(older.next_before).toBeNull();
  const ids = [...older.items, ...newest.items].map(({ id }) => id);
  expect(ids.slice(-40)).toEqual(sent);
});

it('a follower gets all of them, in smaller reads', async () => {
  const { body: all } = await tenant.api.get<Page>(
    `/v1/conversations/${conversation_id}/messages?per_page=1`,
  );
  const last = all.items[0]?.id ?? expect.unreachable();
  const controller = new AbortController();
  const response = await fetch(`${service.base_url}/v1/conversations/${conversation_id}/messages`, {
    headers: { 'x-api-key': tenant.key, accept: 'text/event-stream' },
    signal: controller.signal,
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.includes(last)) break;
  }
  controller.abort();
  expect(text.match(/^event: message$/gm)?.length).toBeGreaterThanOrEqual(40);
});

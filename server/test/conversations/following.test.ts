import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { answer, conversationWith, createAgent, messagesBecome, uniqueId } from '../support/conversations.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
let id: string;

beforeAll(async () => {
  service = await sharedService('working');
});
beforeEach(async () => {
  tenant = await service.createTenant();
  agent = await createAgent(service, tenant);
  await sendMessages(service, agent, textMessage(uniqueId(), 'hi'));
  ({ id } = await conversationWith(tenant, agent));
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
});

const follow = ({ headers }: Client, more: Record<string, string> = {}) =>
  fetch(`${service.base_url}/v1/conversations/${id}/messages`, {
    headers: { ...headers, accept: 'text/event-stream', ...more },
  });
const createKey = async () => {
  const { body } = await tenant.api.post<{ id: string; key: string }>('/v1/api-keys', {
    name: 'Follower',
    scopes: ['conversations:read'],
  });
  return { id: body.id, client: service.anonymous.with({ 'x-api-key': body.key }) };
};

/** Event ids, up to the event with the text. */
async function numbersUntil(response: Response, text: string): Promise<number[]> {
  let seen = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes(text) && seen.endsWith('\n\n')) break;
  }
  return [...seen.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
}

it('resumes after the last event without a gap, also with concurrent messages', async () => {
  const [last = 0] = await numbersUntil(await follow(tenant.api), '"text":"hi"');
  const texts = Array.from({ length: 20 }, (_, number) => `answer ${number}.`);
  await Promise.all(texts.map((text) => answer(service, agent, id, { text, in_reply_to: null })));
  const seen = new Set<string>();
  let [after, isDone] = [last, false];
  // Cut each connection after its first chunk.
  while (!isDone) {
    const response = await follow(tenant.api, { 'last-event-id': String(after) });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    const part = Buffer.from(value ?? []).toString();
    for (const [, number, data] of part.matchAll(/^id: (\d+)\nevent: message\ndata: (.*)\n\n/gm)) {
      expect(Number(number)).toBeGreaterThan(after);
      after = Number(number);
      seen.add((JSON.parse(data ?? '') as { text: string }).text);
    }
    isDone = seen.size >= texts.length;
  }
  expect([...seen].toSorted()).toEqual(texts.toSorted());
});

it('ends with the key that opened it', async () => {
  const key = await createKey();
  const reader = ((await follow(key.client)).body as ReadableStream<Uint8Array>).getReader();
  // The first event shows that the stream is open before the key is deleted.
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('"text":"hi"');
  expect((await tenant.api.delete(`/v1/api-keys/${key.id}`)).status).toBe(204);
  while (!(await reader.read()).done);
});

it('counts towards the tenant’s limit of streams', async () => {
  const path = `/internal/v1/tenants/${tenant.tenant_id}`;
  expect((await service.operations.patch(path, { limits: { streams: 1 } })).status).toBe(200);
  const key = await createKey();
  const first = await follow(key.client);
  const refused = await follow(tenant.api);
  expect([refused.status, await refused.json()]).toEqual([429, { detail: 'Too many event streams at once' }]);
  await tenant.api.delete(`/v1/api-keys/${key.id}`);
  await first.text();
});

it('of another tenant’s conversation is 404', async () => {
  const other = await service.createTenant();
  expect((await follow(other.api)).status).toBe(404);
});

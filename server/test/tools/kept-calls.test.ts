import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { loseCallsOf } from '../../src/tools/kept-calls.db.ts';
import {
  configure,
  conversationWith,
  messagesBecome,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { callTool, connectToGateway } from '../support/gateway.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { purgeAll, runJobs } from '../support/jobs.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { FakeToolServer } from '../support/tool-server.ts';
import { createEndpoint, type TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
const crm = new FakeToolServer();

beforeAll(async () => {
  await crm.start();
  service = await startTestService({ toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }) });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  crm.stop();
});
afterEach(() => {
  crm.instead = undefined;
  crm.annotations = {};
  service.runtimes.onMessage = () => {};
});

interface Forwarded {
  conversation_id: string;
  sender_token: string;
}
type Client = Awaited<ReturnType<typeof connectToGateway>>;

async function createAgent(config: object = {}): Promise<TestEndpoint> {
  const instance: TestInstance = await insertInstance(service, tenant.tenant_id);
  await configure(service, instance, { mcp_servers: [{ name: 'crm', url: crm.url }], ...config }, 30);
  return createEndpoint(service, tenant, instance);
}

/** Forwards one message to a runtime that does `work` in each of its tries, and takes the message in the last one. */
async function inTries(agent: TestEndpoint, ...tries: ((client: Client) => Promise<unknown>)[]) {
  const results: unknown[] = [];
  service.runtimes.onMessage = async (message) => {
    const { conversation_id, sender_token } = message as unknown as Forwarded;
    const headers = { 'x-sender-token': sender_token, 'x-conversation-id': conversation_id };
    const client = await connectToGateway(service, tenant, agent.instance.id, { headers });
    results.push(await tries[results.length]?.(client));
    if (results.length < tries.length) throw new Error('The runtime died');
  };
  const sender = uniqueSender();
  await write(service, agent, sender, 'hi');
  const { id } = await conversationWith(tenant, agent, sender);
  for (let number = 1; number < tries.length; number++) {
    await vi.waitFor(() => expect(results.length).toBeGreaterThanOrEqual(number), WAIT);
    await runJobs(service, 'converse', { key: id });
  }
  await messagesBecome(tenant, id, [{ status: 'handled' }]);
  return results;
}
const pay = (text: string) => (client: Client) => callTool(client, 'crm__book', { text });
const callsWith = (text: string) => crm.calls.filter(({ args }) => args.text === text);

it('answers a repeat in a later try with the result that there is', async () => {
  const text = randomUUID();
  const twice = async (client: Client) => [await pay(text)(client), await pay(text)(client)];
  const results = await inTries(await createAgent(), pay(text), twice, twice, pay(`other ${text}`));
  const result = { isError: false, text: `book: ${text}` };
  expect(results.slice(0, 3)).toEqual([result, [result, result], [result, result]]);
  const keys = callsWith(text).map(({ idempotency_key }) => idempotency_key);
  expect(new Set(keys).size).toBe(2);
  expect(keys).toHaveLength(2);
  expect(callsWith(`other ${text}`)).toHaveLength(1);
});

it('waits for a call that an earlier try has begun and left', async () => {
  const text = randomUUID();
  const end = new AbortController();
  crm.pause = () => once(end.signal, 'abort');
  const isCalled = () => vi.waitFor(() => expect(callsWith(text)).toHaveLength(1), WAIT);
  const leave = async (client: Client) => {
    const left = callTool(client, 'crm__slow', { text }).catch(() => 'left');
    await isCalled();
    await client.close();
    return left;
  };
  const wait = (client: Client) => {
    setImmediate(() => end.abort());
    return callTool(client, 'crm__slow', { text });
  };
  const results = await inTries(await createAgent(), leave, wait);
  expect(results[1]).toEqual({ isError: false, text: `slow: ${text}` });
  expect(callsWith(text)).toHaveLength(1);
});

it('does not repeat a call whose outcome is unknown, unless the tool allows it', async () => {
  const text = randomUUID();
  const id = randomUUID();
  const agent = await createAgent();
  const lose = async (client: Client) => {
    const result = await pay(text)(client);
    await service.database.query(
      `update kept_calls set outcome = null, sealed_result = null, host_id = $1
      where tenant_id = $2 and outcome = 'answered'`,
      [id, tenant.tenant_id],
    );
    await service.service.services.db.system.run(loseCallsOf(id));
    return result;
  };
  const allowed = (client: Client) => {
    crm.annotations = { idempotentHint: true };
    return pay(text)(client);
  };
  const results = await inTries(agent, lose, pay(text), allowed);
  expect(results[1]).toEqual({ isError: true, text: '{"status":"unknown"}' });
  expect(results[2]).toEqual({ isError: false, text: `book: ${text}` });
  const keys = callsWith(text).map(({ idempotency_key }) => idempotency_key);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toEqual(expect.any(String));
});

it('makes a call again that did not reach its server', async () => {
  const text = randomUUID();
  const gone = new FakeToolServer();
  const url = await gone.start();
  gone.stop();
  const agent = await createAgent({ mcp_servers: [{ name: 'crm', url }] });
  const mend = async (client: Client) => {
    await configure(service, agent.instance, { mcp_servers: [{ name: 'crm', url: crm.url }] }, 30);
    return pay(text)(client);
  };
  const results = await inTries(agent, pay(text), mend);
  expect(results).toMatchObject([{ isError: true }, { isError: false }]);
});

it('asks a person once for a message', async () => {
  const agent = await createAgent({ approval_rules: [{ tool: 'crm__book' }] });
  const text = randomUUID();
  const decide = async (client: Client) => {
    const first = await pay(text)(client);
    await service.database.query(
      `update approvals set status = 'rejected', finished_at = now(), told_at = now()
      where instance_id = $1`,
      [agent.instance.id],
    );
    return first;
  };
  const [first, second] = await inTries(agent, decide, pay(text));
  expect(first).toMatchObject({ text: expect.stringContaining('waiting_for_approval') as string });
  expect(second).toEqual(first);
});

it('forgets results once their message does not come again', async () => {
  const text = randomUUID();
  await inTries(await createAgent(), pay(text));
  const count = async () =>
    (await service.database.query('select from kept_calls where tenant_id = $1', [tenant.tenant_id])).length;
  expect(await count()).toBeGreaterThan(0);
  service.clock.advance(16 * 60_000);
  await purgeAll(service, ['kept_calls']);
  expect(await count()).toBe(0);
});

it('makes calls without a sender token each time', async () => {
  const { instance } = await createAgent();
  const client = await connectToGateway(service, tenant, instance.id);
  const text = randomUUID();
  await pay(text)(client);
  await pay(text)(client);
  expect(callsWith(text)).toHaveLength(2);
});

const countedBytes = async () => {
  await purgeAll(service, ['stored_changes']);
  const [row] = await service.database.query<{ counted: number; messages: number; results: number }>(
    `select (select coalesce(max(bytes), 0)::int from stored_bytes where tenant_id = $1) as counted,
            (select coalesce(sum(octet_length(sealed_content)), 0)::int from channel_messages where tenant_id = $1) as messages,
            (select coalesce(sum(octet_length(sealed_result)), 0)::int from kept_calls where tenant_id = $1) as results`,
    [tenant.tenant_id],
  );
  return row ?? expect.unreachable();
};

it('counts kept results among the bytes that a tenant stores', async () => {
  await inTries(await createAgent(), pay(randomUUID()));
  const { counted, messages, results } = await countedBytes();
  expect(results).toBeGreaterThan(0);
  expect(counted).toBe(messages + results);
  await service.database.query('delete from kept_calls where tenant_id = $1', [tenant.tenant_id]);
  expect((await countedBytes()).counted).toBe((await countedBytes()).messages);
});

it.each([
  [
    'the tenant stores as much as it may',
    'update stored_bytes set bytes = bytes + 20000000000 where tenant_id = $1',
    'update stored_bytes set bytes = bytes - 20000000000 where tenant_id = $1',
  ],
  [
    'the message has had 1,000 calls',
    `insert into kept_calls (id, tenant_id, message_id, call_hash, ordinal, tries, host_id, ends_by)
     select gen_random_uuid(), tenant_id, id, 'x', n, '{}', gen_random_uuid(), now()
     from channel_messages, generate_series(1, 1000) n where tenant_id = $1 and status = 'pending'`,
    'delete from kept_calls where tenant_id = $1',
  ],
])('makes no call whose result has no room, because %s', async (_why, fill, empty) => {
  const text = randomUUID();
  await countedBytes();
  const results = await inTries(await createAgent(), async (client) => {
    await service.database.query(fill, [tenant.tenant_id]);
    const result = await pay(text)(client);
    await service.database.query(empty, [tenant.tenant_id]);
    return result;
  });
  expect(results).toEqual([{ isError: true, text: expect.stringContaining('no result can be kept') }]);
  expect(callsWith(text)).toEqual([]);
});

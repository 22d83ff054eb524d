import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { sealApproval } from '../../src/tools/approval-content.ts';
import { insertApproval } from '../../src/tools/approvals.db.ts';
import type { Client } from '../support/client.ts';
import {
  answer,
  type Conversation,
  configure,
  conversationWith,
  createAgent,
  messagesBecome,
  messagesIn,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { callTool, connectToGateway, proxyKeyOf } from '../support/gateway.ts';
import { runJobs, runJobsUntil } from '../support/jobs.ts';
import { PinRoutes } from '../support/pins.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { FakeToolServer } from '../support/tool-server.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

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
  service.runtimes.onMessage = () => {};
  crm.pause = () => Promise.resolve();
});

interface Approval {
  id: string;
  status: string;
  tool: string;
  conversation_id: string | null;
  arguments: object | null;
  result: { content: { text: string }[] } | null;
  comment: string | null;
  decided_by: object | null;
}

const byPerson = { require: [{ tool: 'crm__*', by: 'person' }] };
const servers = () => [{ name: 'crm', url: crm.url }];

/** An agent with a conversation, and a gateway client for it. */
async function talkingAgent(approval_rules: unknown = byPerson, channel_config = {}) {
  const config = { mcp_servers: servers(), approval_rules, channel_config };
  const agent = await createAgent(service, tenant, config);
  const sender = uniqueSender();
  await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender));
  const conversation = await conversationWith(tenant, agent, sender);
  // Forward it first: if it waited when a person takes over, it would join later messages.
  await messagesBecome(tenant, conversation.id, [{ status: 'handled' }]);
  const headers = { 'x-conversation-id': conversation.id };
  const client = await connectToGateway(service, tenant, agent.instance.id, { headers });
  return { agent, sender, conversation, client };
}

const waitingIn = (text: string) => JSON.parse(text) as { status: string; approval_id: string };
async function ask(client: Awaited<ReturnType<typeof connectToGateway>>, name: string, args = {}) {
  const { isError, text } = await callTool(client, name, args);
  expect(isError).toBe(false);
  expect(waitingIn(text).status).toBe('waiting_for_approval');
  return waitingIn(text).approval_id;
}
const decide = (id: string, body: object, api: Client = tenant.api) =>
  api.post<Approval & { detail: string }>(`/v1/approvals/${id}`, body);
const get = async (id: string) => (await tenant.api.get<Approval>(`/v1/approvals/${id}`)).body;
const becomes = (id: string, expected: object) =>
  vi.waitFor(async () => {
    const approval = await get(id);
    expect(approval).toMatchObject(expected);
    return approval;
  }, WAIT);
const outcomeTo = ({ instance }: TestEndpoint, id: string) =>
  vi.waitFor(() => {
    const all = service.runtimes.messages.filter(({ address }) => address === instance.runtime_address);
    const outcomes = all.filter(({ message }) => message.message_id === id);
    expect(outcomes).toHaveLength(1);
    return outcomes[0]?.message;
  }, WAIT);
const callsOf = (text: string) => crm.calls.filter(({ args }) => args.text === text);

describe('a tool under by:"person"', () => {
  it('waits, is called once after the approval, and its outcome reaches the agent', async () => {
    const { agent, conversation, client } = await talkingAgent();
    const text = `book ${randomUUID()}`;
    const id = await ask(client, 'crm__book', { text });
    expect(await ask(client, 'crm__book', { text })).toBe(id);
    expect(await ask(client, 'crm__book', { text: `${text} else` })).not.toBe(id);
    expect(callsOf(text)).toHaveLength(0);
    expect(await get(id)).toMatchObject({
      status: 'waiting',
      tool: 'crm__book',
      conversation_id: conversation.id,
      arguments: { text },
      result: null,
    });
    const decided = await decide(id, { decision: 'approve', comment: 'Go ahead' });
    expect(decided).toMatchObject({ status: 200, body: { status: 'approved', comment: 'Go ahead' } });
    expect(decided.body.decided_by).toMatchObject({ kind: 'api_key' });
    await becomes(id, { status: 'approved', result: { content: [{ text: `book: ${text}` }] } });
    expect(callsOf(text)).toHaveLength(1);
    const outcome = await outcomeTo(agent, id);
    expect(outcome).toMatchObject({
      message_id: id,
      conversation_id: conversation.id,
      kind: 'approval',
      text: null,
      approval: {
        id,
        tool: 'crm__book',
        status: 'approved',
        comment: 'Go ahead',
        result: { content: [{ text: `book: ${text}` }] },
      },
    });
    expect(outcome?.sender_token).toMatch(/^ast_/);
    const answered = await answer(service, agent, conversation.id, { text: 'Booked', in_reply_to: id });
    expect(answered.status).toBe(202);
    const { body } = await tenant.api.get<Conversation>(`/v1/conversations/${conversation.id}`);
    expect(body.unanswered).toBe(1);
    expect((await decide(id, { decision: 'reject' })).status).toBe(409);
  });

  it('is not called where a person rejects', async () => {
    const { agent, client } = await talkingAgent();
    const text = randomUUID();
    const id = await ask(client, 'crm__book', { text });
    expect((await decide(id, { decision: 'reject', comment: 'Not now' })).body.status).toBe('rejected');
    const outcome = await outcomeTo(agent, id);
    expect(outcome).toMatchObject({ approval: { status: 'rejected', result: null, comment: 'Not now' } });
    expect(callsOf(text)).toHaveLength(0);
    // The next call is a new request.
    expect(await ask(client, 'crm__book', { text })).not.toBe(id);
  });

  it('is called once when two people decide at once', async () => {
    const { client } = await talkingAgent();
    const text = randomUUID();
    const id = await ask(client, 'crm__book', { text });
    const decisions = ['approve', 'approve', 'reject', 'approve'];
    const statuses = await Promise.all(
      decisions.map(async (decision) => (await decide(id, { decision })).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const { status } = await get(id);
    if (status === 'approved') await becomes(id, { result: { content: [{ text: `book: ${text}` }] } });
    expect(callsOf(text)).toHaveLength(status === 'approved' ? 1 : 0);
  });

  it('expires', async () => {
    const rules = { require: [{ tool: 'crm__book', by: 'person', expires_minutes: 1 }] };
    const { agent, client } = await talkingAgent(rules);
    const id = await ask(client, 'crm__book', { text: 'late' });
    await service.database.query(
      `update approvals set expires_at = now() - interval '1 second' where id = $1`,
      [id],
    );
    expect((await decide(id, { decision: 'approve' })).status).toBe(409);
    await runJobs(service, 'settle_approval', { key: id });
    await becomes(id, { status: 'expired' });
    expect(await outcomeTo(agent, id)).toMatchObject({ approval: { status: 'expired', result: null } });
  });

  it('cannot be approved once the agent may not call it any more', async () => {
    const { agent, client } = await talkingAgent();
    const id = await ask(client, 'crm__book', { text: 'no more' });
    const mcp_servers = [{ name: 'crm', url: crm.url, allowed_tools: ['echo'] }];
    await configure(service, agent.instance, { mcp_servers, approval_rules: byPerson }, 30);
    expect(await decide(id, { decision: 'approve' })).toMatchObject({
      status: 409,
      text: '{"detail":"The agent may not call this tool any more"}',
    });
    expect((await decide(id, { decision: 'reject' })).status).toBe(200);
  });

  it('is refused while too many wait, and an equal waiting call keeps its id', async () => {
    const { agent, conversation, client } = await talkingAgent();
    const first = await ask(client, 'crm__book', { text: 'first' });
    const wait = (calls: number, conversation_id: string | null, expires_in: string) =>
      service.database.query(
        `insert into approvals (id, tenant_id, instance_id, customer_id, conversation_id, tool, call_hash, requested_at, expires_at)
         select gen_random_uuid(), tenant_id, id, customer_id, $2, 'crm__book', gen_random_uuid(), now(), now() + $4::interval
         from instances, generate_series(1, $3) where id = $1`,
        [agent.instance.id, conversation_id, calls, expires_in],
      );
    await wait(98, conversation.id, '1 day');
    await wait(10, conversation.id, '-1 minute');
    const both = await Promise.all(
      ['a', 'b'].map(async (text) => (await callTool(client, 'crm__book', { text })).isError),
    );
    expect(both.filter(Boolean)).toHaveLength(1);
    const refused = await callTool(client, 'crm__book', { text: 'another' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('at most 100') });
    expect(await ask(client, 'crm__book', { text: 'first' })).toBe(first);
    const outside = await connectToGateway(service, tenant, agent.instance.id);
    await ask(outside, 'crm__book', { text: 'outside of the conversation' });
    await wait(399, null, '1 day');
    await service.database.query(
      `update approvals set status = 'expired', finished_at = now() where conversation_id = $1 and id <> $2`,
      [conversation.id, first],
    );
    expect(await callTool(outside, 'crm__book', { text: 'one more' })).toMatchObject({ isError: true });
    await ask(client, 'crm__book', { text: 'in the conversation' });
    expect((await decide(first, { decision: 'reject' })).status).toBe(200);
  });

  it('is refused when its arguments are too large', async () => {
    const { client } = await talkingAgent();
    await ask(client, 'crm__book', { text: 'x'.repeat(60 * 1024) });
    expect(await callTool(client, 'crm__book', { text: 'x'.repeat(64 * 1024) })).toMatchObject({
      isError: true,
      text: expect.stringContaining('larger than 64 KiB') as string,
    });
  });

  it('fails and is not called again when the outcome is unknown', async () => {
    const { agent, client } = await talkingAgent();
    const text = randomUUID();
    const id = await ask(client, 'crm__slow', { text });
    // The state after a process was killed during the call.
    await service.database.query(
      `update approvals set status = 'approved', decided_at = now(), claimed_at = now() where id = $1`,
      [id],
    );
    await runJobs(service, 'settle_approval', { key: id });
    await becomes(id, { status: 'failed' });
    expect(callsOf(text)).toHaveLength(0);
    expect(await outcomeTo(agent, id)).toMatchObject({ approval: { status: 'failed' } });
  });

  it('fails when its server is down', async () => {
    const down = new FakeToolServer();
    await down.start();
    down.stop();
    const { agent, client } = await talkingAgent();
    const id = await ask(client, 'crm__book', { text: 'down' });
    const mcp_servers = [{ name: 'crm', url: down.url }];
    await configure(service, agent.instance, { mcp_servers, approval_rules: byPerson }, 30);
    expect((await decide(id, { decision: 'approve' })).status).toBe(200);
    await becomes(id, { status: 'failed', result: { isError: true } });
  });
});

describe('the outcome of an approval', () => {
  it('reaches the agent outside business hours, before what the sender wrote', async () => {
    const agent = await createAgent(service, tenant, {
      mcp_servers: servers(),
      approval_rules: byPerson,
      channel_config: { business_hours: {} },
    });
    const sender = uniqueSender();
    const [first] = [uniqueId()];
    await sendMessages(service, agent, textMessage(first, 'anybody there?', sender));
    const { id: conversation_id } = await conversationWith(tenant, agent, sender);
    const headers = { 'x-conversation-id': conversation_id };
    const client = await connectToGateway(service, tenant, agent.instance.id, { headers });
    const id = await ask(client, 'crm__book', { text: 'closed' });
    await decide(id, { decision: 'reject' });
    await outcomeTo(agent, id);
    const answered = await answer(service, agent, conversation_id, { text: 'Refused', in_reply_to: id });
    expect(answered.status).toBe(202);
    const messages = await messagesIn(tenant, conversation_id);
    expect(messages.find(({ text }) => text === 'anybody there?')).toMatchObject({ status: 'pending' });
  });

  it('can be read, also for a call without a conversation', async () => {
    const { agent, conversation, client } = await talkingAgent();
    const { id: instance_id } = agent.instance;
    const runtime = service.anonymous.with({
      authorization: `Bearer ${await proxyKeyOf(service, tenant, instance_id)}`,
    });
    const pathTo = (id: string) => `/internal/v1/instances/${instance_id}/approvals/${id}`;
    const id = await ask(await connectToGateway(service, tenant, instance_id), 'crm__book', {
      text: 'alone',
    });
    expect(await runtime.get(pathTo(id))).toMatchObject({
      status: 200,
      body: { id, tool: 'crm__book', status: 'waiting', result: null, comment: null },
    });
    await decide(id, { decision: 'approve', comment: 'Fine' });
    await vi.waitFor(async () => {
      const { body } = await runtime.get(pathTo(id));
      expect(body).toMatchObject({ status: 'approved', comment: 'Fine', result: { content: [{}] } });
      expect(body).not.toHaveProperty('arguments');
    }, WAIT);
    const inside = await ask(client, 'crm__book', { text: 'inside' });
    const sender = {
      tenant_id: tenant.tenant_id,
      instance_id,
      customer_id: agent.instance.customer_id,
      conversation_id: conversation.id,
      identity_id: null,
      channel: 'chatapp',
      addresses: ['1'],
    };
    const token = service.service.services.senderTokens.mint(sender, new Date());
    const ofSender = runtime.with({ 'x-sender-token': token });
    expect((await ofSender.get(pathTo(inside))).status).toBe(200);
    expect((await ofSender.get(pathTo(id))).status).toBe(404);
    const other = await talkingAgent();
    const elsewhere = await ask(other.client, 'crm__book', { text: 'elsewhere' });
    expect((await runtime.get(pathTo(elsewhere))).text).toBe((await runtime.get(pathTo(randomUUID()))).text);
  });

  it('is only in the history while a person has the conversation', async () => {
    const { agent, sender, conversation, client } = await talkingAgent();
    const id = await ask(client, 'crm__book', { text: 'human' });
    await tenant.api.patch(`/v1/conversations/${conversation.id}`, { mode: 'human' });
    await decide(id, { decision: 'reject', comment: 'Too dear' });
    await vi.waitFor(async () => {
      const outcome = (await messagesIn(tenant, conversation.id)).find(({ kind }) => kind === 'approval');
      expect(outcome).toMatchObject({ author: 'system', direction: 'in', status: 'handled' });
    }, WAIT);
    await tenant.api.patch(`/v1/conversations/${conversation.id}`, { mode: 'agent' });
    const next = uniqueId();
    await sendMessages(service, agent, textMessage(next, 'and now?', sender));
    const message = await outcomeTo(agent, next);
    expect(JSON.stringify(message?.history)).toContain('Approval of crm__book: rejected. Too dear');
    const sent = service.runtimes.messages.filter(({ message: { kind } }) => kind === 'approval');
    expect(sent.some(({ message: { message_id } }) => message_id === id)).toBe(false);
  });
});

it('a rule is compared without case', async () => {
  const { client } = await talkingAgent({ require: [{ tool: 'CRM__Bo*', by: 'person' }] });
  expect((await callTool(client, 'crm__book')).text).toContain('waiting_for_approval');
  expect((await callTool(client, 'crm__BOOK')).text).toContain('waiting_for_approval');
});

describe('a tool under by:"pin"', () => {
  it('needs a PIN session for the tool', async () => {
    const agent = await createAgent(service, tenant, {
      mcp_servers: servers(),
      approval_rules: { require: [{ tool: 'crm__book', by: 'pin' }] },
    });
    const { id, customer_id } = agent.instance;
    await tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: '482913' });
    const call = async (session?: string | null) => {
      const headers: Record<string, string> = session ? { 'x-pin-session': session } : {};
      const client = await connectToGateway(service, tenant, id, { headers });
      return callTool(client, 'crm__book', { text: 'pin' });
    };
    const required = { isError: true, text: '{"status":"pin_required","purpose":"crm__book"}' };
    expect(await call()).toEqual(required);
    expect(await call('wrong')).toEqual(required);
    const pins = new PinRoutes(service.operations, id);
    const sessionFor = async (purpose?: string) =>
      (await pins.verify('482913', { customer_id, purpose })).body.session_token;
    expect(await call(await sessionFor('crm__echo'))).toEqual(required);
    expect(await call(await sessionFor('crm__book'))).toEqual({ isError: false, text: 'book: pin' });
    expect(await call(await sessionFor())).toEqual({ isError: false, text: 'book: pin' });
    const client = await connectToGateway(service, tenant, id);
    expect(await callTool(client, 'crm__echo', { text: 'free' })).toMatchObject({ isError: false });
  });

  it.each([{ require: 'everything' }, { require: [{ tool: 'crm__book', by: 'nobody' }] }, 'all', []])(
    'and every other one waits for a person where the rules are broken: %j',
    async (rules) => {
      const { client } = await talkingAgent(rules);
      await ask(client, 'crm__echo', { text: 'broken' });
    },
  );
});

const ids = async (query: string) => {
  const { body } = await tenant.api.get<{ items: Approval[] }>(`/v1/approvals?${query}`);
  return body.items.map(({ id }) => id);
};

describe('approvals', () => {
  it('are listed by status, for keys with their scopes, and never to another tenant', async () => {
    const { client } = await talkingAgent();
    const id = await ask(client, 'crm__book', { text: 'listed' });
    const list = await tenant.api.get<{ items: Approval[]; total: number }>(
      '/v1/approvals?status=waiting&per_page=1',
    );
    expect(list.body).toMatchObject({ items: [{ id, status: 'waiting' }] });
    const reader = await service.createKey(tenant.tenant_id, { scopes: ['approvals:read'] });
    const readOnly = service.anonymous.with({ 'x-api-key': reader });
    expect((await readOnly.get(`/v1/approvals/${id}`)).status).toBe(200);
    expect((await decide(id, { decision: 'approve' }, readOnly)).status).toBe(403);
    const stranger = await service.createTenant();
    const unknown = await stranger.api.get(`/v1/approvals/${randomUUID()}`);
    expect((await stranger.api.get(`/v1/approvals/${id}`)).text).toBe(unknown.text);
    expect((await decide(id, { decision: 'approve' }, stranger.api)).status).toBe(404);
  });

  it('name the rule that they wait for, their agent and customer, and who decided', async () => {
    const { agent, conversation, client } = await talkingAgent({
      require: [
        { tool: '*', by: 'person' },
        { tool: 'crm__*', by: 'person', expires_minutes: 30 },
      ],
    });
    const { customer_id } = agent.instance;
    await tenant.api.patch(`/v1/customers/${customer_id}`, { company_name: 'Harbour' });
    await service.database.query('update deployments set recipe_revision = 4 where customer_id = $1', [
      customer_id,
    ]);
    const id = await ask(client, 'crm__book', { text: 'named' });
    const named = {
      hostname: 'agent',
      customer_id,
      customer_name: 'Harbour',
      rule: { tool: 'crm__*', expires_minutes: 30, recipe_revision: 4 },
    };
    expect(await get(id)).toMatchObject({ ...named, decided_by: null });
    const key = await service.createKey(tenant.tenant_id, { scopes: ['approvals:*'] });
    const decided = await decide(id, { decision: 'reject' }, service.anonymous.with({ 'x-api-key': key }));
    expect(decided.body).toMatchObject({
      decided_by: { kind: 'api_key', name: 'test' },
      customer_name: 'Harbour',
    });
    const listed = await tenant.api.get<{ items: Approval[] }>(
      `/v1/approvals?customer_id=${customer_id}&conversation_id=${conversation.id}`,
    );
    expect(listed.body.items).toEqual([await get(id)]);
    expect(listed.body.items).toMatchObject([named]);
    const admin = await service.login(tenant.admin_email);
    const other = await ask(client, 'crm__book', { text: 'by a user' });
    const by = { kind: 'user', id: tenant.admin_user_id, name: tenant.admin_email };
    expect((await decide(other, { decision: 'reject' }, admin)).body).toMatchObject({ decided_by: by });
  });

  it('are filtered by customer and conversation, and sorted by when they expire', async () => {
    const { agent, conversation, client } = await talkingAgent({
      require: [
        { tool: 'crm__book', by: 'person', expires_minutes: 60 },
        { tool: 'crm__echo', by: 'person', expires_minutes: 5 },
      ],
    });
    const first = await ask(client, 'crm__echo', { text: 'a' });
    const second = await ask(client, 'crm__book', { text: 'b' });
    const { customer_id } = agent.instance;
    expect(await ids(`customer_id=${customer_id}`)).toEqual([second, first]);
    expect(await ids(`conversation_id=${conversation.id}&sort_by=requested_at`)).toEqual([second, first]);
    expect(await ids(`customer_id=${customer_id}&sort_by=expires_at`)).toEqual([first, second]);
    expect(await ids(`customer_id=${randomUUID()}`)).toEqual([]);
    expect(await ids(`conversation_id=${randomUUID()}`)).toEqual([]);
  });

  it('store arguments sealed, and lose them with their conversation', async () => {
    const { conversation, client } = await talkingAgent();
    const text = `argument-${randomUUID()}`;
    const id = await ask(client, 'crm__book', { text });
    const [row] = await service.database.query<{ row: string }>(
      'select a::text as row from approvals a where id = $1',
      [id],
    );
    expect(Buffer.from(row?.row ?? '').includes(text)).toBe(false);
    expect((await tenant.api.delete(`/v1/conversations/${conversation.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: 'expired', arguments: null, conversation_id: null });
    expect((await decide(id, { decision: 'approve' })).status).toBe(409);
  });

  it('lose their contents and are deleted when they expire', async () => {
    const { client } = await talkingAgent();
    const id = await ask(client, 'crm__book', { text: 'old' });
    await decide(id, { decision: 'reject', comment: 'forgettable' });
    await becomes(id, { status: 'rejected' });
    await service.database.query(
      `update approvals set erase_at = now() - interval '1 second' where id = $1`,
      [id],
    );
    await runJobsUntil(service, 'purge', async () =>
      expect(await get(id)).toMatchObject({ arguments: null, comment: null, status: 'rejected' }),
    );
    await service.database.query(
      `update approvals set finished_at = now() - interval '366 days' where id = $1`,
      [id],
    );
    await runJobsUntil(service, 'purge', async () =>
      expect((await tenant.api.get(`/v1/approvals/${id}`)).status).toBe(404),
    );
  });
});

const RULE = { tool: 'a__*', expires_minutes: 9 };

it('a list ends in bytes: the large parts behind 4 MiB are left out, and the rows stay', async () => {
  const own = await service.createTenant();
  const { instance } = await createAgent(service, own, {});
  const { services } = service.service;
  const q = services.db.tenant(own.tenant_id);
  const result = { content: [{ type: 'text' as const, text: 'x'.repeat(64_000) }] };
  for (let count = 0; count < 70; count++) {
    const id = randomUUID();
    const sealed_content = await sealApproval(services.keyring, q, id, { arguments: { count }, result });
    const of = { instance_id: instance.id, customer_id: instance.customer_id, conversation_id: null };
    await q.run(insertApproval({ id, ...of, tool: 'a__b', call_hash: id, sealed_content, rule: RULE }));
  }
  const listed = await own.api.get<{ items: (Approval & { is_shortened: boolean })[]; total: number }>(
    '/v1/approvals?per_page=100',
  );
  expect(listed.text.length).toBeLessThan(4.5 * 1024 * 1024);
  expect(listed.body.items).toHaveLength(70);
  const [whole, left] = [listed.body.items[0], listed.body.items.at(-1)];
  expect([whole?.is_shortened, whole?.result]).toEqual([false, result]);
  expect([left?.is_shortened, left?.arguments, left?.result]).toEqual([true, null, null]);
  expect((await own.api.get(`/v1/approvals/${left?.id}`)).body).toMatchObject({
    is_shortened: false,
    result,
  });
});

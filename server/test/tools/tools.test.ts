import { json } from 'node:stream/consumers';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { configure } from '../support/conversations.ts';
import { callTool, connectToGateway, proxyKeyOf } from '../support/gateway.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { FakeToolServer, rawMcp } from '../support/tool-server.ts';

let service: TestService;
let tenant: TestTenant;
const crm = new FakeToolServer();
const other = new FakeToolServer();

beforeAll(async () => {
  await Promise.all([crm.start(), other.start()]);
  service = await startTestService({ toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }) });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  crm.stop();
  other.stop();
});
afterEach(() => {
  other.instead = undefined;
});

interface Detail {
  mcp_servers: { name: string; ok: boolean | null; tools: number | null; error: string | null }[];
}

async function agentWith(mcp_servers: object[], config: object = {}): Promise<TestInstance> {
  const instance = await insertInstance(service, tenant.tenant_id);
  await configure(service, instance, { mcp_servers, ...config }, 30);
  return instance;
}
const connect = (instance: TestInstance, options = {}) =>
  connectToGateway(service, tenant, instance.id, options);
const namesOf = async (instance: TestInstance) =>
  (await (await connect(instance)).listTools()).tools.map(({ name }) => name);
const serversOf = async ({ id }: TestInstance) =>
  (await tenant.api.get<Detail>(`/v1/instances/${id}`)).body.mcp_servers;
const connectTo = async (instance: TestInstance, fields: object) => {
  const path = `/v1/customers/${instance.customer_id}/connections`;
  const { status, body } = await tenant.api.post<{ id: string }>(path, { provider: 'crm', ...fields });
  expect(status).toBe(201);
  return `${path}/${body.id}`;
};

describe('the tools of an agent', () => {
  it.each(['2026-07-28', 'with a handshake'])('are listed and called over MCP (%s)', async (revision) => {
    const instance = await agentWith([
      { name: 'crm', url: crm.url },
      { name: 'other', url: other.url, allowed_tools: ['echo'] },
    ]);
    const client = await connect(instance, { revision });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'crm__echo',
      'crm__book',
      'crm__slow',
      'crm__huge',
      'crm__refuse',
      'other__echo',
    ]);
    expect(tools[0]).toMatchObject({ description: 'The tool echo', inputSchema: { type: 'object' } });
    expect(await callTool(client, 'crm__echo', { text: 'hi' })).toEqual({ isError: false, text: 'echo: hi' });
    expect(await callTool(client, 'crm__refuse')).toEqual({ isError: true, text: 'No' });
  });

  it('are refused where the configuration does not allow them', async () => {
    const instance = await agentWith([{ name: 'crm', url: crm.url, allowed_tools: ['echo'] }]);
    const client = await connect(instance);
    const before = crm.calls.length;
    for (const name of ['crm__book', 'none__echo', 'echo', '__echo', 'crm__']) {
      await expect(callTool(client, name), name).rejects.toThrow(`Unknown tool ${name}`);
    }
    expect(crm.calls).toHaveLength(before);
  });

  it('are called only by a name that the server lists', async () => {
    const answers = { Delete_all: () => 'deleted', added: () => 'added' };
    const careless = new FakeToolServer({ Delete_all: answers.Delete_all });
    await careless.start();
    onTestFinished(() => careless.stop());
    const instance = await agentWith([{ name: 'any', url: careless.url }]);
    const client = await connect(instance);
    expect((await callTool(client, 'any__Delete_all')).text).toBe('deleted');
    for (const name of ['any__delete_all', 'any__Delete%5fall', 'any__Delete_all ', 'any__nothing']) {
      await expect(callTool(client, name), name).rejects.toThrow('Unknown tool');
    }
    expect(careless.calls).toHaveLength(1);
  });

  it('of a server that is down, hangs or lies are missing alone, and the instance tells why', async () => {
    const gone = new FakeToolServer();
    await gone.start();
    gone.stop();
    const instance = await agentWith([
      { name: 'crm', url: crm.url },
      { name: 'gone', url: gone.url },
      { name: 'other', url: other.url, timeout_seconds: 1 },
    ]);
    expect(await serversOf(instance)).toMatchObject([
      { name: 'crm', ok: null },
      { name: 'gone', ok: null },
      { name: 'other', ok: null },
    ]);
    other.instead = () => {};
    expect(await namesOf(instance)).toHaveLength(5);
    expect(await serversOf(instance)).toMatchObject([
      { name: 'crm', ok: true, tools: 5, error: null },
      { name: 'gone', ok: false, tools: null, error: 'It cannot be reached: ECONNREFUSED' },
      { name: 'other', ok: false, error: 'It did not answer within 1 s' },
    ]);
    other.instead = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":7}]}}');
    expect(await namesOf(instance)).toHaveLength(5);
    expect((await serversOf(instance))[2]).toMatchObject({ name: 'other', ok: false });
    other.instead = undefined;
    await expect.poll(() => namesOf(instance)).toHaveLength(10);
    expect((await serversOf(instance))[2]).toMatchObject({ name: 'other', ok: true, error: null });
  });

  it('have results that are not validated by their server’s schema', async () => {
    // Its own path, because lists are kept by address.
    const instance = await agentWith([{ name: 'other', url: `${other.url}/strict` }]);
    const client = await connect(instance);
    // The error makes the client read the list, with the schema, before it calls again.
    const outcomes = [
      { error: { code: -32_020, message: 'Header mismatch' } },
      { structuredContent: { a: 'b' } },
    ];
    const result = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private', content: [] };
    const outputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const answers: Record<string, () => object | undefined> = {
      'server/discover': () => ({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        serverInfo: { name: 'other', version: '1' },
      }),
      'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' }, outputSchema }] }),
      'tools/call': () => outcomes.shift(),
    };
    const asked: string[] = [];
    other.instead = async (request, response) => {
      const { id, method } = (await json(request)) as { id: number; method: string };
      asked.push(method);
      const answer = answers[method]?.() ?? {};
      const body = 'error' in answer ? answer : { result: { ...result, ...answer } };
      response
        .writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    };
    expect(await client.callTool({ name: 'other__echo', arguments: {} })).toMatchObject({
      structuredContent: { a: 'b' },
    });
    const call = ['server/discover', 'tools/call', 'tools/list', 'tools/call'];
    expect(asked).toEqual(['server/discover', 'tools/list', ...call]);
  });

  it('are listed up to 1 MiB, and the instance says whose are left out', async () => {
    const description = 'x'.repeat(250_000);
    other.instead = rawMcp({
      'tools/list': () => ({ tools: [{ name: 'large', description, inputSchema: { type: 'object' } }] }),
    });
    // Stored before recipes had at most 20 servers.
    const instance = await agentWith(
      Array.from({ length: 25 }, (_, index) => ({ name: `s${index}`, url: other.url })),
    );
    expect(await namesOf(instance)).toEqual(['s0__large', 's1__large', 's2__large', 's3__large']);
    const servers = await serversOf(instance);
    expect(servers.filter(({ ok }) => ok)).toHaveLength(4);
    expect(servers.find(({ name }) => name === 's4')?.error).toContain('larger than 1 MiB');
    expect(servers.find(({ name }) => name === 's24')).toMatchObject({ ok: null });
  });

  it('have results of at most 256 KiB, and no more is read', async () => {
    const instance = await agentWith([
      { name: 'crm', url: crm.url },
      { name: 'other', url: `${other.url}/results` },
    ]);
    const client = await connect(instance);
    const large = { isError: true, text: 'crm could not be used. Its answer is larger than 256 KiB' };
    expect(await callTool(client, 'crm__huge')).toEqual(large);
    let sent = 0;
    other.instead = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const send = () => {
        while (!response.destroyed && sent < 50e6) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', send);
        }
        return response.end();
      };
      send();
    };
    expect((await callTool(client, 'other__echo')).text).toMatch(/larger than \d+ KiB/);
    // Socket buffers hold a few MiB.
    expect(sent).toBeLessThan(20e6);
  });

  it('leave their server `ok` when it refuses a call or its result is too large', async () => {
    const strict = new FakeToolServer({
      book: () => {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'date is missing');
      },
    });
    await strict.start();
    onTestFinished(() => strict.stop());
    const instance = await agentWith([
      { name: 'crm', url: crm.url },
      { name: 'strict', url: strict.url },
    ]);
    const client = await connect(instance);
    await client.listTools();
    expect(await callTool(client, 'strict__book')).toMatchObject({ isError: true });
    expect(await callTool(client, 'crm__huge')).toMatchObject({ isError: true });
    expect(await serversOf(instance)).toMatchObject([
      { name: 'crm', ok: true, error: null },
      { name: 'strict', ok: true, error: null },
    ]);
    strict.stop();
    await callTool(client, 'strict__book');
    expect((await serversOf(instance))[1]).toMatchObject({ name: 'strict', ok: false });
  });

  it('are recorded once per call, without arguments', async () => {
    const instance = await agentWith([{ name: 'crm', url: crm.url }]);
    const client = await connect(instance);
    await callTool(client, 'crm__echo', { text: 'recorded-argument' });
    await callTool(client, 'crm__unheard').catch(() => {});
    await callTool(client, 'crm__refuse');
    const { body, text } = await tenant.api.get<{ items: object[] }>('/v1/audit/tool-calls?per_page=3');
    expect(text).not.toContain('recorded-argument');
    expect(body.items).toMatchObject([
      { tool: 'crm__refuse', decision: 'allowed', status: 200, client_name: `instance ${instance.id}` },
      { tool: 'unknown', decision: 'denied', status: 404, reason: 'unknown_tool' },
      { tool: 'crm__echo', decision: 'allowed', status: 200 },
    ]);
    const verified = await tenant.api.get('/v1/audit/tool-calls/verification');
    expect(verified.body).toMatchObject({ valid: true });
    const metrics = await service.anonymous.get('/metrics');
    expect(metrics.text).toMatch(/acp_gateway_tool_calls_total\{outcome="ok"\} \d/);
  });
});

describe('the credential of a tool server', () => {
  it('is sent only to the hosts that its connection allows', async () => {
    const instance = await agentWith([
      { name: 'crm', url: crm.url, provider: 'crm' },
      { name: 'other', url: other.url, provider: 'crm' },
    ]);
    const client = await connect(instance);
    expect((await callTool(client, 'crm__echo')).text).toContain('The customer has no active connection crm');
    const connection = await connectTo(instance, { credentials: { token: 'secret-token' } });
    const { host } = new URL(crm.url);
    expect((await callTool(client, 'crm__echo')).text).toContain(`No connection crm names ${host}`);
    expect((await tenant.api.patch(connection, { allowed_hosts: [host] })).body).toMatchObject({
      allowed_hosts: [host],
    });
    expect(await callTool(client, 'crm__echo', { text: 'a' })).toMatchObject({ text: 'echo: a' });
    expect(crm.calls.at(-1)?.authorization).toBe('Bearer secret-token');
    expect((await callTool(client, 'other__echo')).text).toContain('No connection crm names');
    expect(other.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    // The state of the agent's servers has the reason, without a credential.
    expect(JSON.stringify(await serversOf(instance))).not.toContain('secret-token');
  });

  it('may be headers, which are sent unchanged', async () => {
    const instance = await agentWith([{ name: 'crm', url: crm.url, provider: 'crm' }]);
    const credentials = { headers: { 'X-Api-Key': 'k-1', authorization: 'Basic abc' } };
    await connectTo(instance, { credentials, allowed_hosts: ['127.0.0.1'] });
    await callTool(await connect(instance), 'crm__echo');
    expect(crm.calls.at(-1)?.headers).toMatchObject({ 'x-api-key': 'k-1', authorization: 'Basic abc' });
  });

  it('is not given to the runtime, and is required by a deploy', async () => {
    const instance = await agentWith([{ name: 'crm', url: crm.url, provider: 'crm' }]);
    await connectTo(instance, { credentials: { token: 'secret-token' }, allowed_hosts: ['127.0.0.1'] });
    const runtime = service.anonymous.with({
      authorization: `Bearer ${await proxyKeyOf(service, tenant, instance.id)}`,
    });
    const secrets = await runtime.post(`/internal/v1/instances/${instance.id}/secrets/refresh`);
    expect(JSON.stringify(service.runtimes.secrets) + secrets.text).not.toContain('secret-token');
    const { body: recipe } = await tenant.api.post<{ id: string }>('/v1/recipes', {
      name: 'With tools',
      mcp_servers: [{ name: 'crm', url: crm.url, provider: 'hubspot' }],
    });
    const check = await tenant.api.post('/v1/recipes/deploy-check', {
      recipe_id: recipe.id,
      customer_id: instance.customer_id,
      hostname: 'h',
    });
    expect(check.body).toMatchObject({
      ready: false,
      missing_connections: [{ provider: 'hubspot', name: null, reason: 'missing' }],
    });
  });

  it('has hosts in allowed_hosts, and nothing else', async () => {
    const { customer_id } = await agentWith([]);
    const path = `/v1/customers/${customer_id}/connections`;
    const made = await tenant.api.post<{ id: string }>(path, {
      provider: 'crm',
      credentials: {},
      allowed_hosts: ['MCP.Example.com', 'mcp.example.com', '[::1]:8080'],
    });
    expect(made.body).toMatchObject({ allowed_hosts: ['mcp.example.com', '[::1]:8080'] });
    for (const wrong of ['https://mcp.example.com', 'a b', 'user@host', 'host/path', '*', '']) {
      const refused = await tenant.api.patch(`${path}/${made.body.id}`, { allowed_hosts: [wrong] });
      expect(refused.status, wrong).toBe(422);
    }
    expect((await tenant.api.get(path)).body).toMatchObject({
      items: [{ allowed_hosts: ['mcp.example.com', '[::1]:8080'] }],
    });
  });
});

describe('an address of a tool server', () => {
  it.each([
    'http://mcp.example.com/mcp',
    'https://10.0.0.1/mcp',
    'https://[::ffff:10.0.0.1]/mcp',
    'https://169.254.169.254/latest',
    'https://localhost/mcp',
  ])('is refused unless it is public: %s', async (url) => {
    const instance = await agentWith([{ name: 'inside', url }]);
    expect(await namesOf(instance)).toEqual([]);
    expect(await serversOf(instance)).toMatchObject([
      { ok: false, error: expect.stringContaining('is not a public https address') as string },
    ]);
  });

  it('follows no redirect', async () => {
    const instance = await agentWith([{ name: 'other', url: other.url }]);
    const before = crm.requests.length;
    other.instead = (_, response) => response.writeHead(307, { location: crm.url }).end();
    expect(await namesOf(instance)).toEqual([]);
    expect(await serversOf(instance)).toMatchObject([{ ok: false, error: 'It answered with status 307' }]);
    expect(crm.requests).toHaveLength(before);
  });
});

describe('a caller of tools', () => {
  it('of a shared instance has to name the customer', async () => {
    const instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const second = await placeCustomer(service, instance.id);
    await configure(service, instance, { mcp_servers: [{ name: 'crm', url: crm.url }] }, 30);
    const key = await proxyKeyOf(service, tenant, instance.id);
    const runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
    const path = `/internal/v1/instances/${instance.id}/mcp`;
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const unnamed = await runtime.post(path, list);
    expect(unnamed).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'customer_id'], type: 'missing' }] },
    });
    const named = await runtime.post(`${path}?customer_id=${second}`, list);
    expect(named).toMatchObject({
      status: 200,
      body: { result: { tools: [{ name: 'crm__echo' }, {}, {}, {}, {}] } },
    });
    const stranger = `${path}?customer_id=${tenant.tenant_id}`;
    expect((await runtime.post(stranger, list)).text).toBe('{"detail":"Customer not found"}');
    const elsewhere = runtime.with({ 'x-conversation-id': tenant.tenant_id });
    expect((await elsewhere.post(`${path}?customer_id=${second}`, list)).text).toBe(
      '{"detail":"Conversation not found"}',
    );
    expect((await runtime.with({ 'x-sender-token': 'ast_x' }).post(path, list)).status).toBe(401);
  });

  it('gets an error for invalid texts, without internal details', async () => {
    const instance = await agentWith([{ name: 'crm', url: crm.url }], {
      approval_rules: { require: [{ tool: 'crm__b*', by: 'person' }] },
    });
    const key = await proxyKeyOf(service, tenant, instance.id);
    const runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
    const before = crm.calls.length;
    const call = async (name: string, args: string) => {
      const params = `{"name":${JSON.stringify(name)},"arguments":${args}}`;
      const raw = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      const path = `/internal/v1/instances/${instance.id}/mcp`;
      const { body } = await runtime.request<{ error: object }>('POST', path, { raw });
      return body.error;
    };
    const deep = `{"text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    for (const tool of ['crm__echo', 'crm__book']) {
      expect(await call(tool, deep)).toEqual({
        code: -32_602,
        message: 'arguments.text: Input is nested deeper than 100 levels',
      });
      expect(await call(tool, '{"text":"a\\u0000"}')).toMatchObject({ code: -32_602 });
      expect(await call(tool, '{"text":"\\ud800"}')).toMatchObject({ code: -32_602 });
    }
    for (const name of ['crm__b\0', 'crm__b\ud800', 'crm__\ud800', `crm__b${'o'.repeat(400)}`]) {
      expect(await call(name, '{}')).toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/^Unknown tool crm__/) as string,
      });
    }
    expect(crm.calls).toHaveLength(before);
    const { body } = await tenant.api.get(`/v1/approvals?instance_id=${instance.id}`);
    expect(body).toMatchObject({ total: 0 });
  });

  it('gets an error for an invalid protocol message', async () => {
    const instance = await agentWith([]);
    const key = await proxyKeyOf(service, tenant, instance.id);
    const runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
    const path = `/internal/v1/instances/${instance.id}/mcp`;
    const send = (raw: string) => runtime.request('POST', path, { raw });
    expect(await send('{')).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect(await send('[]')).toMatchObject({ status: 400, body: { error: { code: -32_600 } } });
    expect((await runtime.with({ accept: 'text/plain' }).post(path, {})).status).toBe(406);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { configure } from '../support/conversations.ts';
import { callTool, connectToGateway } from '../support/gateway.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { PinRoutes } from '../support/pins.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { FakeToolServer, rawMcp } from '../support/tool-server.ts';

let service: TestService;
let tenant: TestTenant;
const server = new FakeToolServer();

beforeAll(async () => {
  await server.start();
  service = await startTestService({ toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }) });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  server.stop();
});
afterEach(() => {
  server.instead = undefined;
});

interface State {
  ok: boolean;
  tools: number;
  error: string | null;
  problems: { tool: string | null; reason: string }[];
}
interface Detail {
  mcp_servers: State[];
}

/** Names that are longer, have dots, slashes or accents, or begin with a digit. */
const LONG = 'list_all_outstanding_purchase_orders_of_a_supplier_by_delivery_week';
const NAMES = ['get_weather', 'calendar.respondToEvent', 'drive/search', LONG, 'créer_devis', 'über geben'];
const TAKEN = /^[A-Za-z_][\w-]{0,63}$/;

/** Every test has a path of its own, because lists are kept by address. */
let paths = 0;
async function agentWith(config: object = {}, name = 'google-workspace'): Promise<TestInstance> {
  const instance = await insertInstance(service, tenant.tenant_id);
  const url = `${server.url}/${++paths}`;
  await configure(service, instance, { mcp_servers: [{ name, url }], ...config }, 30);
  return instance;
}
const lists = (tools: object[]) => {
  server.instead = rawMcp({
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `called ${String(name)}` }] }),
  });
};
const named = (names: readonly string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }));
const connect = (instance: TestInstance, options = {}) =>
  connectToGateway(service, tenant, instance.id, options);
const offered = async (instance: TestInstance) => (await (await connect(instance)).listTools()).tools;
const stateOf = async ({ id }: TestInstance) =>
  (await tenant.api.get<Detail>(`/v1/instances/${id}`)).body.mcp_servers[0];

describe('a name that models do not take', () => {
  it('has an alias, by which the tool is called under its own name', async () => {
    lists(named(NAMES));
    for (const name of ['google-workspace', '365', 's'.repeat(64)]) {
      const instance = await agentWith({}, name);
      const client = await connect(instance);
      const aliases = (await client.listTools()).tools.map((tool) => tool.name);
      expect(aliases.filter((alias) => TAKEN.test(alias))).toHaveLength(NAMES.length);
      expect(new Set(aliases).size).toBe(NAMES.length);
      for (const [index, alias] of aliases.entries())
        expect((await callTool(client, alias)).text).toBe(`called ${NAMES[index]}`);
      for (const own of NAMES) expect((await callTool(client, `${name}__${own}`)).text).toBe(`called ${own}`);
      expect(await stateOf(instance)).toMatchObject({ ok: true, tools: NAMES.length, problems: [] });
    }
  });

  it('has the same alias whatever else the server lists, and gives way to an own name', async () => {
    lists(named(['a.b']));
    const [alone] = await offered(await agentWith());
    expect(alone?.name).toMatch(/^google-workspace__a_b_[0-9a-f]{8}$/);
    const own = alone?.name.replace('google-workspace__', '') ?? '';
    lists(named(['a_b', 'a/b', own, 'a.b']));
    const instance = await agentWith();
    const client = await connect(instance);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      'google-workspace__a_b',
      expect.stringMatching(/__a_b_[0-9a-f]{8}$/),
      alone?.name,
    ]);
    expect((await callTool(client, alone?.name ?? '')).text).toBe(`called ${own}`);
    expect((await stateOf(instance))?.problems).toEqual([
      { tool: 'a.b', reason: `Another tool of the server is called ${alone?.name}` },
    ]);
  });

  it('opens nothing that the configuration does not allow', async () => {
    lists(named(['a.b', 'c.d']));
    const all = (await offered(await agentWith())).map(({ name }) => name);
    const url = `${server.url}/${++paths}`;
    const mcp_servers = [{ name: 'google-workspace', url, allowed_tools: ['a.b', 'gone'] }];
    const instance = await agentWith({ mcp_servers });
    expect((await offered(instance)).map(({ name }) => name)).toEqual(all.slice(0, 1));
    const client = await connect(instance);
    await expect(callTool(client, all[1] ?? '')).rejects.toThrow('Unknown tool');
    expect((await stateOf(instance))?.problems).toEqual([
      { tool: 'gone', reason: 'The server does not list it' },
    ]);
  });

  it.each(['own name', 'alias'])('is under a rule that says its %s, however it is called', async (by) => {
    lists(named(['bank.pay']));
    const [tool] = await offered(await agentWith());
    const alias = tool?.name ?? '';
    const own = 'google-workspace__bank.pay';
    const rule = { tool: by === 'alias' ? alias.toUpperCase() : own, by: 'person' };
    const instance = await agentWith({ approval_rules: { require: [rule] } });
    const client = await connect(instance);
    const waiting = [await callTool(client, alias), await callTool(client, own)];
    expect(waiting[0]?.text).toContain('waiting_for_approval');
    expect(waiting[1]).toEqual(waiting[0]);
    const { body } = await tenant.api.get<{ items: { id: string; tool: string }[] }>(
      `/v1/approvals?instance_id=${instance.id}`,
    );
    expect(body.items).toMatchObject([{ tool: own }]);
    const path = `/v1/approvals/${body.items[0]?.id}`;
    await tenant.api.post(path, { decision: 'approve' });
    await expect
      .poll(async () => (await tenant.api.get(path)).body)
      .toMatchObject({ status: 'approved', result: { content: [{ text: 'called bank.pay' }] } });
    expect((await tenant.api.get('/v1/audit/tool-calls?per_page=1')).body).toMatchObject({
      items: [{ tool: own }],
    });
  });

  it('is what a PIN’s purpose may say, beside the own name', async () => {
    lists(named(['bank.pay']));
    const instance = await agentWith({ approval_rules: { require: [{ tool: '*', by: 'pin' }] } });
    const [tool] = await offered(instance);
    const client = await connect(instance);
    expect((await callTool(client, tool?.name ?? '')).text).toBe(
      JSON.stringify({ status: 'pin_required', purpose: tool?.name }),
    );
    await tenant.api.post(`/v1/customers/${instance.customer_id}/pin`, { pin: '246810' });
    const pins = new PinRoutes(service.operations, instance.id);
    for (const purpose of [tool?.name, 'google-workspace__bank.pay']) {
      const verified = await pins.verify('246810', { customer_id: instance.customer_id, purpose });
      const headers = { 'x-pin-session': String(verified.body.session_token) };
      const proven = await connect(instance, { headers });
      expect((await callTool(proven, tool?.name ?? '')).text).toBe('called bank.pay');
    }
  });
});

describe('a schema', () => {
  const shared = { type: 'object', properties: { to: { type: 'string' } }, required: ['to', 'lost'] };
  it.each([
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [{}, { type: 'object', properties: {} }],
    [
      { type: 'object', properties: null, required: null },
      { type: 'object', properties: {} },
    ],
    [
      { type: 'object', properties: { tags: { type: ['array', 'null'] } } },
      { type: 'object', properties: { tags: { type: ['array', 'null'], items: {} } } },
    ],
    [
      { type: 'object', allOf: [shared], oneOf: [{ properties: { cc: { type: 'array' } } }] },
      {
        type: 'object',
        properties: { to: { type: 'string' }, cc: { type: 'array', items: {} } },
        required: ['to'],
      },
    ],
    [
      { $ref: '#/$defs/Mail', $defs: { Mail: shared } },
      { type: 'object', $defs: { Mail: shared }, properties: { to: { type: 'string' } }, required: ['to'] },
    ],
  ])('is completed for providers: %j', async (inputSchema, complete) => {
    lists([{ name: 'send', inputSchema }]);
    expect((await offered(await agentWith()))[0]?.inputSchema).toEqual(complete);
  });
});

const nested = (levels: number) => JSON.parse(`${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`) as object;

describe('a tool that cannot be offered', () => {
  it('takes no other away, and the instance says why', async () => {
    const inputSchema = { type: 'object' };
    const bad: [unknown, string | null, string][] = [
      [{ name: 'noschema' }, 'noschema', 'It has no inputSchema'],
      [{ name: 'text', inputSchema: { type: 'string' } }, 'text', 'not of the type object'],
      [{ name: 'odd', inputSchema: { properties: { a: { type: 'int' } } } }, 'odd', 'does not know'],
      [{ name: 'list', inputSchema: { properties: [] } }, 'list', 'no JSON Schema'],
      [{ name: 'deep', inputSchema: nested(150) }, 'deep', 'deeper than 100 levels'],
      [{ name: 'task', inputSchema, execution: { taskSupport: 'required' } }, 'task', 'as a task alone'],
      [{ name: 'big', description: 'x'.repeat(300_000), inputSchema }, 'big', 'larger than 256 KiB'],
      [{ name: 'x'.repeat(301), inputSchema }, 'x'.repeat(300), 'more than 300 characters'],
      [{ name: 'nul\0', inputSchema }, 'nul\uFFFD', 'cannot be stored'],
      [{ name: 'echo', inputSchema }, 'echo', 'Another tool'],
      [{ name: 7, inputSchema }, null, 'It has no name'],
      ['echo', null, 'It is no object'],
    ];
    const annotations = { title: 7, readOnlyHint: true, other: 'x' };
    const good = { name: 'echo', title: 3, description: null, inputSchema, annotations };
    lists([good, ...bad.map(([tool]) => tool as object), ...named(['last'])]);
    const instance = await agentWith();
    expect(await offered(instance)).toMatchObject([
      { name: 'google-workspace__echo', annotations: { readOnlyHint: true } },
      { name: 'google-workspace__last' },
    ]);
    expect(await stateOf(instance)).toMatchObject({ ok: true, tools: 2, error: null });
    expect((await stateOf(instance))?.problems).toEqual(
      bad.map(([, tool, reason]) => ({ tool, reason: expect.stringContaining(reason) as string })),
    );
  });

  it('is one of at most 50 that are told', async () => {
    lists(Array.from({ length: 70 }, (_, at) => ({ name: `t${at}` })));
    const instance = await agentWith();
    expect(await offered(instance)).toEqual([]);
    const { problems = [] } = (await stateOf(instance)) ?? {};
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toEqual({ tool: null, reason: '20 more cannot be offered' });
  });

  it('is beyond the pages that are read', async () => {
    let page = 0;
    server.instead = rawMcp({
      'tools/list': () => ({ tools: named([`t${page}`]), nextCursor: `${++page}` }),
    });
    const instance = await agentWith();
    expect(await offered(instance)).toHaveLength(50);
    expect((await stateOf(instance))?.problems).toEqual([
      { tool: null, reason: 'The server lists more tools than are read' },
    ]);
  });

  it('is behind pages that weigh more than the tools on them', async () => {
    let page = 0;
    server.instead = rawMcp({
      'tools/list': () => ({ tools: [], nextCursor: `${++page}`, more: 'x'.repeat(400 * 1024) }),
    });
    const instance = await agentWith();
    expect(await offered(instance)).toEqual([]);
    expect(page).toBe(3);
    expect((await stateOf(instance))?.problems).toEqual([
      { tool: null, reason: 'The server lists more tools than are read' },
    ]);
  });

  it('is beyond the number that is read', async () => {
    lists(named(Array.from({ length: 1001 }, (_, index) => `t${index}`)));
    const instance = await agentWith();
    expect(await offered(instance)).toHaveLength(1000);
    expect((await stateOf(instance))?.problems).toEqual([
      { tool: null, reason: 'The server lists more tools than are read' },
    ]);
  });

  it('belongs to servers whose lists together are larger than what is read for one list', async () => {
    server.instead = rawMcp({
      'tools/list': () => ({ tools: named(['small']), more: 'x'.repeat(510 * 1024) }),
    });
    const mcp_servers = Array.from({ length: 20 }, (_, index) => ({
      name: `s${index}`,
      url: `${server.url}/${++paths}`,
    }));
    const instance = await agentWith({ mcp_servers });
    const tools = await offered(instance);
    const { body } = await tenant.api.get<Detail>(`/v1/instances/${instance.id}`);
    const errors = body.mcp_servers.flatMap(({ error }) => error ?? []);
    expect(errors).toContain('The lists of all servers together are larger than 8192 KiB');
    expect(tools.length + errors.length).toBe(20);
  });
});

import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import { insertInstance, placeCustomer } from '../support/instances.ts';
import { connectLegacy, connectModern } from '../support/mcp.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createTenantRows } from '../support/tenant-rows.ts';

interface Message {
  jsonrpc: '2.0';
  id: number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

const ACCEPT = 'application/json, text/event-stream';

const logged: string[] = [];
let service: TestService;
let tenant: TestTenant;
let byKey: { 'x-api-key': string };

beforeAll(async () => {
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  service = await startTestService({ runsJobs: false, logger, databaseWaits: PATIENT_WAITS });
  tenant = await service.createTenant();
  byKey = { 'x-api-key': tenant.key };
});
afterAll(() => service.stop());

const newRecipe = async (name = 'Reception') =>
  (await tenant.api.post<{ id: string }>('/v1/recipes', { name })).body.id;

function failureOf({ content, isError }: object & { content?: unknown; isError?: unknown }) {
  expect(isError).toBe(true);
  const [block] = content as { text: string }[];
  return JSON.parse(block?.text ?? '') as { status: number; detail: unknown };
}

describe.each([
  ['the revision 2026-07-28', connectModern],
  ['the handshake of 2025', connectLegacy],
])('a client of %s', (_, connect) => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect(service, { headers: byKey });
  });
  afterAll(() => client.close());

  it('lists the tools in a fixed order, with schemas and hints', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 3)).toEqual([
      'search_operations',
      'call_operation',
      'wait_for_task',
    ]);
    expect(tools.length).toBeGreaterThan(30);
    expect((await client.listTools()).tools).toEqual(tools);
    expect(tools.find(({ name }) => name === 'delete_recipe')).toMatchObject({
      title: 'Delete recipe',
      description: expect.stringMatching(/^Delete a recipe; instances deployed from it go on\./),
      inputSchema: {
        type: 'object',
        properties: { template_id: { type: 'string', format: 'uuid' } },
        required: ['template_id'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    });
  });

  it('gets the responses of REST, structured and as text', async () => {
    const name = `Reception ${randomUUID()}`;
    const made = await client.callTool({ name: 'create_recipe', arguments: { name, skills: ['a'] } });
    const { id } = made.structuredContent as { id: string };
    const { body } = await tenant.api.get(`/v1/recipes/${id}`);
    expect(body).toMatchObject({ name, skills: ['a'] });
    const got = await client.callTool({ name: 'get_recipe', arguments: { template_id: id } });
    expect(got.structuredContent).toEqual(body);
    expect(got.content).toEqual([{ type: 'text', text: JSON.stringify(body) }]);
    const list = await client.callTool({ name: 'list_recipes', arguments: { search: name.toUpperCase() } });
    const { updated_at } = body as unknown as { updated_at: string };
    expect(list.structuredContent).toEqual({
      items: [
        {
          id,
          name,
          description: null,
          revision: 1,
          is_active: true,
          is_platform_template: false,
          hosting_mode: 'dedicated',
          updated_at,
        },
      ],
      page: 1,
      per_page: 20,
      total: 1,
    });
    const gone = await client.callTool({ name: 'delete_recipe', arguments: { template_id: id } });
    expect(gone.structuredContent).toEqual({ done: true });
    expect((await tenant.api.get(`/v1/recipes/${id}`)).status).toBe(404);
  });

  it('gets errors with the status and detail of REST', async () => {
    const template_id = randomUUID();
    const rest = await tenant.api.get<{ detail: string }>(`/v1/recipes/${template_id}`);
    const missing = await client.callTool({ name: 'get_recipe', arguments: { template_id } });
    expect(failureOf(missing)).toEqual({ status: rest.status, detail: rest.body.detail });
    const wrong = await client.callTool({
      name: 'create_recipe',
      arguments: { name: '', shared_node_capacity: 'many' },
    });
    const same = await tenant.api.post<{ detail: unknown }>('/v1/recipes', {
      name: '',
      shared_node_capacity: 'many',
    });
    expect(failureOf(wrong)).toEqual({ status: 422, detail: same.body.detail });
    await expect(client.callTool({ name: 'get_recipes' })).rejects.toThrow(
      'Unknown tool get_recipes; the closest one is get_recipe',
    );
    await expect(client.callTool({ name: 'clone_customer' })).rejects.toThrow('call_operation calls it');
    await expect(client.callTool({ name: 'create_connection' })).rejects.toThrow(
      'A person has to call create_connection (POST /v1/customers/{customer_id}/connections)',
    );
  });

  it('gets the closest known name for each unknown argument, besides other errors', async () => {
    const template_id = await newRecipe();
    const update = { template_id, system_prompt: 'New', is_activ: false, name: '' };
    const refused = failureOf(await client.callTool({ name: 'update_recipe', arguments: update }));
    expect(refused).toEqual({
      status: 422,
      detail: [
        {
          loc: ['body', 'is_activ'],
          msg: 'Unknown argument; the closest known one is is_active',
          type: 'extra_forbidden',
        },
        expect.objectContaining({ loc: ['body', 'name'], type: 'string_too_short' }),
      ],
    });
    const { body } = await tenant.api.get(`/v1/recipes/${template_id}`);
    expect(body).toMatchObject({ system_prompt: null, revision: 1 });
    const list = failureOf(
      await client.callTool({ name: 'list_instances', arguments: { state: 'running', recipe: 'R' } }),
    );
    expect(list.detail).toMatchObject([{ loc: ['query', 'state'] }, { loc: ['query', 'recipe'] }]);
  });

  it('gets a complete long recipe and can write it back', async () => {
    const system_prompt = 'Be kind. '.repeat(20_000);
    const { id } = (await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'Long', system_prompt }))
      .body;
    const got = await client.callTool({ name: 'get_recipe', arguments: { template_id: id } });
    const recipe = got.structuredContent as { system_prompt: string };
    expect(recipe.system_prompt).toBe(system_prompt);
    const back = { template_id: id, system_prompt: recipe.system_prompt };
    const same = await client.callTool({ name: 'update_recipe', arguments: back });
    expect(same.structuredContent).toMatchObject({ revision: 1 });
  });

  const page = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as Record<string, unknown>;

  it('pages and searches lists of summaries', async () => {
    const word = randomUUID();
    for (const nth of [1, 2, 3]) await newRecipe(`${word} ${nth}`);
    expect(await page('list_recipes', { search: word, page: 2, per_page: 2 })).toMatchObject({
      items: [{ name: `${word} 1` }],
      total: 3,
    });
    await tenant.api.post('/v1/customers', { email: `${word}@example.com`, company_name: `Acme ${word}` });
    expect(await page('list_customers', { search: `acme ${word}` })).toEqual({
      customers: [
        {
          id: expect.any(String),
          email: `${word}@example.com`,
          company_name: `Acme ${word}`,
          country_code: null,
          currency: null,
          timezone: 'UTC',
          created_at: expect.any(String),
        },
      ],
      page: 1,
      per_page: 20,
      total: 1,
      total_pages: 1,
    });
    const { body: model } = await service.operations.put('/internal/v1/models', {
      models: [{ model_id: word, display_name: 'Model', is_active: true }],
    });
    expect(model).toEqual({ upserted: 1 });
    expect(await page('list_models', { search: word })).toMatchObject({
      items: [{ model_id: word }],
      page: 1,
      per_page: 20,
      total: 1,
    });
    expect(await page('list_models', { search: word, page: 2 })).toMatchObject({ items: [], total: 1 });
    await tenant.api.post('/v1/primitives', { kind: 'skill', slug: word });
    expect(await page('list_primitives', { search: word, kind: 'skill' })).toMatchObject({ total: 1 });
    expect(await page('list_primitives', { search: word, kind: 'model' })).toMatchObject({ total: 0 });
  });

  it('finds operations and calls them with the checks of their tools', async () => {
    const search = async (query: string) =>
      (await client.callTool({ name: 'search_operations', arguments: { query } })).structuredContent as {
        operations: { operation: string; arguments?: object; person?: string }[];
        names?: string[];
      };
    const found = await search('websites of a customer');
    expect(found.operations.map(({ operation }) => operation)).toContain('create_website');
    const [exact] = (await search('create_website')).operations;
    expect(exact).toMatchObject({
      operation: 'create_website',
      effect: 'changes',
      arguments: { required: ['customer_id', 'hostname'] },
    });
    expect((await search('')).names).toEqual(expect.arrayContaining(['list_websites', 'list_recipes']));
    const { id: customer_id } = (
      await tenant.api.post<{ id: string }>('/v1/customers', { email: `${randomUUID()}@example.com` })
    ).body;
    const call = (operation: string, args: object) =>
      client.callTool({ name: 'call_operation', arguments: { operation, arguments: { ...args } } });
    const hostname = `${randomUUID()}.example.com`;
    const made = await call('create_website', { customer_id, hostname });
    expect(made.structuredContent).toMatchObject({ hostname });
    expect((await call('list_websites', { customer_id })).structuredContent).toMatchObject({
      items: [{ hostname }],
    });
    expect(failureOf(await call('create_website', { customer_id, hostnme: 'x' }))).toMatchObject({
      status: 422,
      detail: [
        { loc: ['body', 'hostnme'], msg: expect.stringContaining('hostname') },
        { loc: ['body', 'hostname'], type: 'missing' },
      ],
    });
    expect(failureOf(await call('creat_website', { customer_id }))).toMatchObject({
      status: 404,
      detail: expect.stringContaining('create_website'),
    });
    // Lists are paged as in their tools.
    expect((await call('list_recipes', { per_page: 1 })).structuredContent).toMatchObject({ per_page: 1 });
    expect(failureOf(await client.callTool({ name: 'call_operation', arguments: {} })).status).toBe(422);
    expect(failureOf(await call('call_operation', { operation: 'list_tiers' })).status).toBe(404);
  });

  it('learns which operation a person must call when a credential is involved', async () => {
    const call = (operation: string) =>
      client.callTool({ name: 'call_operation', arguments: { operation, arguments: {} } });
    for (const operation of ['create_connection', 'set_customer_pin', 'create_api_key', 'create_user'])
      expect(failureOf(await call(operation))).toEqual({
        status: 403,
        detail: expect.stringContaining(`A person has to call ${operation} (POST /v1/`),
      });
    const found = await client.callTool({
      name: 'search_operations',
      arguments: { query: 'create_connection' },
    });
    expect((found.structuredContent as { operations: object[] }).operations[0]).toEqual({
      operation: 'create_connection',
      says: expect.any(String),
      person: expect.stringContaining('takes a credential'),
    });
    const { id: recipe_id } = (
      await tenant.api.post<{ id: string }>('/v1/recipes', {
        name: 'Drive',
        connection_requirements: [{ provider: 'filesystem' }],
      })
    ).body;
    const { id: customer_id } = (
      await tenant.api.post<{ id: string }>('/v1/customers', { email: `${randomUUID()}@example.com` })
    ).body;
    const check = await client.callTool({
      name: 'check_deploy',
      arguments: { customer_id, recipe_id, hostname: 'crew.example.com' },
    });
    expect(check.structuredContent).toMatchObject({
      ready: false,
      note: expect.stringContaining('A person has to call create_connection'),
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['list_tiers', { page: { toString: 1 } }],
    ['list_tiers', { page: [2] }],
    ['list_tiers', { per_page: [[], 5] }],
    ['list_tiers', { page: null }],
    ['list_models', { modality: ['audio', 'text'] }],
    ['get_recipe', { template_id: ['none', randomUUID()] }],
  ])('gets 422 for an argument of a wrong type: %s %j', async (name, args) => {
    const failure = failureOf(await client.callTool({ name, arguments: args }));
    expect(failure).toMatchObject({
      status: 422,
      detail: [{ loc: [expect.any(String), Object.keys(args)[0]] }],
    });
  });

  it('sees and calls only what the key’s scopes and role allow', async () => {
    const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:read', 'customers:read'] });
    const client = await connect(service, { headers: { 'x-api-key': key } });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      'search_operations',
      'call_operation',
      'list_recipes',
      'get_recipe',
      'compose_recipe',
      'check_deploy',
      'list_models',
    ]);
    const unscoped = await client.callTool({ name: 'create_recipe', arguments: { name: 'No' } });
    expect(failureOf(unscoped)).toEqual({ status: 403, detail: 'The API key lacks the scope recipes:write' });
    const notAdmin = failureOf(await client.callTool({ name: 'list_customers' }));
    expect(notAdmin).toMatchObject({ status: 403, detail: expect.stringContaining('role admin') });
    const through = await client.callTool({
      name: 'call_operation',
      arguments: { operation: 'restore_recipe_revision', arguments: { template_id: 'x' } },
    });
    expect(failureOf(through)).toEqual({ status: 403, detail: 'The API key lacks the scope recipes:write' });
    const found = await client.callTool({ name: 'search_operations', arguments: { query: '' } });
    expect((found.structuredContent as { names: string[] }).names).toContain('get_recipe_revision');
    expect((found.structuredContent as { names: string[] }).names).not.toContain('create_recipe');
    await client.close();
  });

  it('finds nothing of another tenant', async () => {
    const other = await service.createTenant();
    const client = await connect(service, { headers: { 'x-api-key': other.key } });
    const theirs = await client.callTool({
      name: 'get_recipe',
      arguments: { template_id: await newRecipe() },
    });
    expect(failureOf(theirs)).toEqual({ status: 404, detail: 'Recipe not found' });
    await client.close();
  });

  it('changes nothing with read_only', async () => {
    const client = await connect(service, { headers: byKey, search: '?read_only=true' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('check_deploy');
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const refused = await client.callTool({ name: 'create_recipe', arguments: { name: 'No' } });
    expect(failureOf(refused).status).toBe(403);
    const call = (operation: string, args: object) =>
      client.callTool({ name: 'call_operation', arguments: { operation, arguments: { ...args } } });
    expect(failureOf(await call('create_recipe', { name: 'No' })).status).toBe(403);
    expect((await call('list_users', {})).isError).toBeFalsy();
    await client.close();
  });

  it('calls operations for signed-in users with a user’s token, not with a key', async () => {
    const { id: customer_id } = (
      await tenant.api.post<{ id: string }>('/v1/customers', { email: `${randomUUID()}@example.com` })
    ).body;
    const called = { operation: 'list_customer_staff', arguments: { customer_id } };
    const byAKey = await client.callTool({ name: 'call_operation', arguments: called });
    expect(failureOf(byAKey).status).toBe(403);
    const { headers } = await service.login(tenant.admin_email);
    const user = await connect(service, { headers: { authorization: headers.authorization ?? '' } });
    const byAUser = await user.callTool({ name: 'call_operation', arguments: called });
    expect(byAUser.isError).toBeFalsy();
    await user.close();
  });

  it('may send the key or a user’s token as bearer token', async () => {
    const { headers } = await service.login(tenant.admin_email);
    for (const authorization of [`Bearer ${tenant.key}`, headers.authorization ?? '']) {
      const client = await connect(service, { headers: { authorization } });
      expect((await client.callTool({ name: 'list_customers' })).isError).toBeFalsy();
      await client.close();
    }
  });
});

describe('a destructive call', () => {
  it('is executed after a yes', async () => {
    const template_id = await newRecipe();
    const asked: string[] = [];
    const client = await connectModern(service, {
      headers: byKey,
      onElicit: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const { structuredContent } = await client.callTool({
      name: 'delete_recipe',
      arguments: { template_id },
    });
    expect(structuredContent).toEqual({ done: true });
    expect(asked).toEqual([`Delete recipe? “Reception”. {"template_id":"${template_id}"}`]);
    await client.callTool({ name: 'list_recipes' });
    expect(asked.length).toBe(1);
    await client.close();
  });

  it.each([{ action: 'decline' as const }, { action: 'accept' as const, content: { confirm: false } }])(
    'is not executed after %j',
    async (answer) => {
      const template_id = await newRecipe();
      const client = await connectModern(service, { headers: byKey, onElicit: () => answer });
      const refused = await client.callTool({ name: 'delete_recipe', arguments: { template_id } });
      expect(failureOf(refused)).toEqual({ status: 403, detail: 'Not confirmed; nothing was done' });
      expect((await tenant.api.get(`/v1/recipes/${template_id}`)).status).toBe(200);
      await client.close();
    },
  );

  it('asks with the agent’s hostname and customer, also through call_operation', async () => {
    const company_name = 'Acme “Ltd”\nconfirm';
    const { body: customer } = await tenant.api.post<{ id: string }>('/v1/customers', {
      email: `${randomUUID()}@example.com`,
      company_name,
    });
    const { id: instance_id } = await insertInstance(service, tenant.tenant_id);
    await placeCustomer(service, instance_id, customer.id);
    const { body: instance } = await tenant.api.get<{ hostname: string }>(`/v1/instances/${instance_id}`);
    const elicits = { elicitation: { form: {} } };
    const direct = await modern('tools/call', { name: 'stop_instance', arguments: { instance_id } }, elicits);
    const args = { operation: 'stop_instance', arguments: { instance_id } };
    const through = await modern('tools/call', { name: 'call_operation', arguments: args }, elicits);
    for (const { body } of [direct, through])
      expect(body.result).toMatchObject({
        resultType: 'input_required',
        inputRequests: {
          confirm: {
            params: {
              message: expect.stringMatching(
                RegExp(
                  `^Stop instance\\? “${instance.hostname}” of customers .*“Acme Ltd confirm”.*${instance_id}`,
                ),
              ),
            },
          },
        },
      });
  });

  it('does not ask about an unknown row', async () => {
    const instance_id = randomUUID();
    const { body } = await modern(
      'tools/call',
      { name: 'stop_instance', arguments: { instance_id } },
      { elicitation: { form: {} } },
    );
    expect(failureOf(body.result ?? {})).toEqual({ status: 404, detail: 'Instance not found' });
  });

  it.each([
    ['a lone surrogate', '"\\ud800"'],
    ['a number out of range', '1e999'],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['a long text', JSON.stringify('x'.repeat(1000))],
  ])('neither asks nor executes with an unknown argument: %s', async (_, junk) => {
    const template_id = await newRecipe();
    const { params, headers } = modernCall(
      'tools/call',
      { name: 'delete_recipe', arguments: { unheard_of: 0, template_id } },
      { elicitation: { form: {} } },
    );
    const json = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const raw = json.replace('"unheard_of":0', `"unheard_of":${junk}`);
    const { body } = await tenant.api.request<Message>('POST', '/v1/mcp', {
      raw,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(failureOf(body.result ?? {})).toMatchObject({ status: 422 });
    expect((await tenant.api.get(`/v1/recipes/${template_id}`)).status).toBe(200);
  });

  it('does not ask with invalid arguments', async () => {
    const template_id = await newRecipe();
    for (const given of [['\ud800', template_id], '\ud800', `${template_id}\ud800`]) {
      const { body } = await modern(
        'tools/call',
        { name: 'delete_recipe', arguments: { template_id: given } },
        { elicitation: { form: {} } },
      );
      expect(failureOf(body.result ?? {}).status).toBe(422);
    }
    expect((await tenant.api.get(`/v1/recipes/${template_id}`)).status).toBe(200);
  });

  it('asks again after an answer for another call or caller, and refuses a forged one', async () => {
    const [first, second] = [await newRecipe(), await newRecipe()];
    const yes = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } };
    const { body } = await deletion(first);
    expect(body.result?.resultType).toBe('input_required');
    const requestState = body.result?.requestState as string;
    expect((await deletion(second, { ...yes, requestState })).body.result?.resultType).toBe('input_required');
    expect((await deletion(first, yes)).body.result?.resultType).toBe('input_required');
    const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:*'] });
    const other = service.anonymous.with({ 'x-api-key': key });
    expect((await deletion(first, { ...yes, requestState }, other)).body.result?.resultType).toBe(
      'input_required',
    );
    const forged = await deletion(first, { ...yes, requestState: `${requestState.slice(0, -4)}AAAA` });
    expect(forged.body.error?.code).toBe(-32_602);
    expect((await tenant.api.get(`/v1/recipes/${first}`)).status).toBe(200);
    const right = await deletion(first, { ...yes, requestState });
    expect(right.body.result?.structuredContent).toEqual({ done: true });
  });
});

function modernCall(method: string, params: Record<string, unknown>, capabilities: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return {
    params: { ...params, _meta: meta },
    headers: {
      accept: ACCEPT,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
  };
}

/** In the revision 2026-07-28. */
async function modern(
  method: string,
  params: Record<string, unknown>,
  capabilities: object = {},
  { headers = {}, client = tenant.api }: { headers?: Record<string, string>; client?: Client } = {},
) {
  const made = modernCall(method, params, capabilities);
  return client.request<Message>('POST', '/v1/mcp', {
    json: { jsonrpc: '2.0', id: 1, method, params: made.params },
    headers: { ...made.headers, ...headers },
  });
}

/** As a client of 2025. */
const post = (json: unknown, headers: Record<string, string> = {}) =>
  tenant.api.request<Message>('POST', '/v1/mcp', { json, headers: { accept: ACCEPT, ...headers } });

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const listing = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'list_tiers' },
});

const calling = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** With a client that offers elicitation. */
const deletion = (template_id: string, more: object = {}, client = tenant.api) =>
  modern(
    'tools/call',
    { name: 'delete_recipe', arguments: { template_id }, ...more },
    { elicitation: { form: {} } },
    { client },
  );

const batch = async (messages: unknown[], headers: Record<string, string> = {}) =>
  (await post(messages, headers)) as unknown as { status: number; body: Message[] & Message; text: string };

const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

const wait = async (task_id: string, timeout_seconds: number) =>
  (await modern('tools/call', { name: 'wait_for_task', arguments: { task_id, timeout_seconds } })).body
    .result ?? {};

describe('a wait for a task', () => {
  it('lasts until the task ends or the timeout', async () => {
    const { task_id = '' } = await createTenantRows(service, tenant);
    expect(await wait(task_id, 1)).toMatchObject({ structuredContent: { task_id, finished_at: null } });
    const waiting = wait(task_id, 50);
    await service.database.query("update tasks set status = 'succeeded', finished_at = now() where id = $1", [
      task_id,
    ]);
    expect(await waiting).toMatchObject({ structuredContent: { task_id, status: 'succeeded' } });
  });

  it('is refused for an unknown task and for more than 50 seconds', async () => {
    expect(failureOf(await wait(randomUUID(), 50)).status).toBe(404);
    expect(failureOf(await wait(randomUUID(), 51)).status).toBe(422);
  });
});

describe('the transport', () => {
  it('allows only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await tenant.api.request(method, '/v1/mcp');
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('needs a credential', async () => {
    const nobody: Record<string, string>[] = [
      {},
      { authorization: 'Bearer acp_nonsense' },
      { 'x-api-key': 'nonsense' },
    ];
    for (const headers of nobody) {
      const { status, headers: answered } = await service.anonymous.with(headers).post('/v1/mcp', ping(1));
      expect([status, answered.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  it('accepts a key as bearer token only here', async () => {
    const bearer = service.anonymous.with({ authorization: `Bearer ${tenant.key}` });
    expect((await bearer.get('/v1/recipes')).status).toBe(401);
  });

  it.each([
    ['an Accept without JSON', { accept: 'text/event-stream' }, 406, -32_000],
    ['an Accept of something like JSON', { accept: 'application/jsonl, text/*' }, 406, -32_000],
    ['an Accept that excludes JSON', { accept: '*/*, application/json;q=0' }, 406, -32_000],
    ['a web page of another host', { origin: 'https://evil.example' }, 403, -32_000],
    ['a web page without an origin', { origin: 'null' }, 403, -32_000],
    ['an unknown revision', { 'mcp-protocol-version': '1999-01-01' }, 400, -32_000],
    ['the newer revision in the header alone', { 'mcp-protocol-version': '2026-07-28' }, 400, -32_602],
  ])('refuses %s', async (_, headers, status, code) => {
    const answer = await post(ping(1), headers);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });

  it.each([
    '*/*',
    'application/json',
    'text/html, application/*;q=0.9',
    'Application/JSON;q=1',
    'application/json; charset=utf-8, text/event-stream',
  ])('answers in JSON for every Accept that includes it: %s', async (accept) => {
    const answers = [await post(ping(1), { accept }), await post(listing(1), { accept })];
    for (const params of [{ name: 'list_tiers' }, { name: 'list_tiers', arguments: { page: 1 } }]) {
      answers.push(await modern('tools/call', params, {}, { headers: { accept } }));
    }
    answers.push(await modern('tools/list', {}, {}, { headers: { accept } }));
    for (const { status, body, headers } of answers) {
      expect([status, body.error, headers.get('content-type')]).toEqual([
        200,
        undefined,
        expect.stringMatching(/^application\/json/),
      ]);
    }
  });

  it('allows web pages of an allowed host', async () => {
    expect((await post(ping(1), { origin: 'http://localhost:5173' })).status).toBe(200);
  });

  it('names the supported revisions', async () => {
    const { status, body } = await modern('tools/list', { _meta: {} }, {}, { headers: {} });
    expect([status, body.error]).toEqual([200, undefined]);
    const unknown = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2031-01-01',
            'io.modelcontextprotocol/clientInfo': { name: 'n', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
    );
    expect(unknown.status).toBe(400);
    expect(unknown.body.error).toMatchObject({ code: -32_022, data: { supported: ['2026-07-28'] } });
  });

  it('logs the truncated reason of a refusal', async () => {
    const name = 'x'.repeat(100_000);
    const before = logged.length;
    const headers = { 'mcp-name': 'list_tiers' };
    const answer = await modern('tools/call', { name, arguments: {} }, {}, { headers });
    expect(answer.body.error?.code).toBe(-32_020);
    const refusals = logged.slice(before).filter((line) => line.includes('an MCP message was refused'));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]?.length).toBeLessThan(1000);
  });

  it('refuses a header that differs from the message', async () => {
    const params = { name: 'list_recipes', arguments: {} };
    const { status, body } = await modern(
      'tools/call',
      params,
      {},
      { headers: { 'mcp-name': 'list_tiers' } },
    );
    expect([status, body.error?.code]).toEqual([400, -32_020]);
  });

  it.each([
    ['no JSON', '{"jsonrpc":'],
    ['nothing', ''],
    ['bytes that are not UTF-8', new Uint8Array([0xff, 0xfe, 0x22])],
    ['no message', '{"hello":"world"}'],
    ['a number', '7'],
    ['null', 'null'],
    ['deeply nested JSON', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('refuses %s', async (_, raw) => {
    const headers = { accept: ACCEPT, 'content-type': 'application/json' };
    const answer = await tenant.api.request<Message>('POST', '/v1/mcp', { raw, headers });
    expect(answer.status).toBe(400);
    expect([-32_700, -32_600]).toContain(answer.body.error?.code);
  });

  it('refuses bodies over 1 MiB and other content types', async () => {
    expect((await post(['x'.repeat(1024 * 1024)])).status).toBe(413);
    const headers = { accept: ACCEPT, 'content-type': 'text/plain' };
    expect((await tenant.api.request('POST', '/v1/mcp', { raw: '{}', headers })).status).toBe(415);
  });

  it.each([
    ['create_recipe', 'x'],
    ['list_tiers', 'page'],
  ])('refuses deeply nested arguments as invalid: %s %s', async (name, argument) => {
    const deep = `{"${argument}":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const raw = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${deep}}}`;
    const headers = { accept: ACCEPT, 'content-type': 'application/json' };
    const { body } = await tenant.api.request<Message>('POST', '/v1/mcp', { raw, headers });
    expect(failureOf(body.result ?? {})).toMatchObject({ status: 422 });
  });

  it.each([
    { id: null, method: 'ping' },
    { id: 1.5, method: 'ping' },
    { id: 1, method: 'ping', params: [] },
    { id: 1, method: 'ping', result: {} },
    { id: 1, result: {} },
    { id: 1, error: { code: 1, message: 'no' } },
    { id: 1, method: 'notifications/cancelled', params: { requestId: 1 } },
    { id: 1, method: 'tools/call' },
    { id: 1, method: 'tools/call', params: { name: 7 } },
    { id: 1, method: 'tools/call', params: { name: 'list_tiers', arguments: [] } },
    { id: 1, method: 'tools/call', params: { name: '__proto__', arguments: null } },
    { id: 1, method: 'tools/list', params: { cursor: 7 } },
    { id: 1, method: 'initialize', params: {} },
    { id: 1, method: 'ping', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } } },
    { id: 1, method: 'ping', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
  ])('answers %j with an error', async (message) => {
    const { status, body } = await post({ jsonrpc: '2.0', ...message });
    expect(status).toBeLessThan(500);
    expect(body.error?.code).toBeLessThan(0);
  });

  it('refuses a notification in an unknown revision', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { status, body } = await post(message, { 'mcp-protocol-version': '1999-01-01' });
    expect([status, body.error?.code]).toEqual([400, -32_000]);
  });

  it('accepts notifications with 202 and no body', async () => {
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
  });

  it('refuses subscriptions and opens no stream', async () => {
    const { status, body } = await modern('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    expect([status, body.id, body.error?.code]).toEqual([404, 1, -32_601]);
  });

  it('answers other methods as not found', async () => {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'resources/list' });
    expect(body.error?.code).toBe(-32_601);
  });
});

describe('a list of tools', () => {
  it('may be cached privately', async () => {
    const { body } = await modern('tools/list', {});
    expect(body.result).toMatchObject({ cacheScope: 'private', ttlMs: 300_000 });
  });
});

describe('a batch', () => {
  it('is answered in the revisions with batches', async () => {
    const messages = [ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, listing(2)];
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }] as Record<string, string>[]) {
      const { status, body } = await batch(messages, headers);
      expect([status, body.map(({ id }) => id)]).toEqual([200, [1, 2]]);
    }
    const { status, body } = await batch(messages, { 'mcp-protocol-version': '2025-11-25' });
    expect([status, body.error?.code]).toEqual([400, -32_600]);
  });

  it('answers each message independently of the others', async () => {
    const { body } = await batch([
      listing(1),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      listing(1),
      'nonsense',
      ping(3),
    ]);
    expect(body.map(({ id }) => id)).toEqual([1, 1, null, 3]);
  });

  it('holds 1 to 50 messages', async () => {
    expect((await batch([])).status).toBe(400);
    expect((await batch(Array.from({ length: 51 }, (_, i) => ping(i)))).status).toBe(400);
    expect((await batch([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
  });

  it('stops when its key is revoked', async () => {
    const template_id = await newRecipe();
    const { id, key } = (
      await tenant.api.post<{ id: string; key: string }>('/v1/api-keys', { name: 'Short', scopes: ['*'] })
    ).body;
    const name = `Too late ${randomUUID()}`;
    const held = await openTransaction(service.database.url, [
      'select from recipes where id = $1 for update',
      [template_id],
    ]);
    const answered = service.anonymous.request<Message[]>('POST', '/v1/mcp', {
      json: [
        calling(1, 'update_recipe', { template_id, description: 'In time' }),
        calling(2, 'create_recipe', { name }),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        ping(4),
      ],
      headers: { accept: ACCEPT, 'x-api-key': key },
    });
    await lockWaits(service.database, 1);
    expect((await tenant.api.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    const byIt = service.anonymous.with({ 'x-api-key': key });
    const ended = async () => expect((await byIt.get('/v1/mcp/api-key-context')).status).toBe(401);
    await vi.waitFor(ended, { timeout: 60_000, interval: 20 });
    await held.end('rollback');
    const { status, body } = await answered;
    expect([status, body.map(({ id, error }) => [id, error?.code])]).toEqual([
      200,
      [
        [1, undefined],
        [2, -32_000],
        [4, -32_000],
      ],
    ]);
    const { body: recipes } = await tenant.api.get<{ name: string }[]>('/v1/recipes');
    expect(recipes.filter((recipe) => recipe.name === name)).toEqual([]);
  });

  it('answers invalid messages one by one', async () => {
    for (const none of ['nonsense', [ping(1)], 7, null, { id: 1, method: 'ping' }]) {
      expect((await batch([none])).body.map(({ error }) => error?.code)).toEqual([-32_600]);
    }
  });

  it('counts each message as a request', async () => {
    // A key of its own, whose window begins now and does not end meanwhile.
    const { body } = await tenant.api.post<{ key: string }>('/v1/api-keys', {
      name: 'counted',
      scopes: ['*'],
      rate_limit: { limit: 100, window_seconds: 3600 },
    });
    const headers = { 'x-api-key': body.key };
    const before = remaining(await post(ping(1), headers));
    expect(before - remaining(await post([ping(1), ping(2), ping(3)], headers))).toBe(3);
  });
});

it('counts each call against the key’s limit', async () => {
  const { body } = await tenant.api.post<{ key: string }>('/v1/api-keys', {
    name: 'slow',
    scopes: ['*'],
    rate_limit: { limit: 2, window_seconds: 3600 },
  });
  const client = service.anonymous.with({ 'x-api-key': body.key });
  const call = () =>
    client.request<Message>('POST', '/v1/mcp', { json: listing(1), headers: { accept: ACCEPT } });
  expect((await call()).headers.get('x-ratelimit-remaining')).toBe('1');
  expect((await call()).status).toBe(200);
  const refused = await call();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

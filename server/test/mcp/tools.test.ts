import type { CallToolResult } from '@modelcontextprotocol/server';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteServices, routes } from '../../src/areas.ts';
import { failure, success } from '../../src/mcp/results.ts';
import { inputSchema, toolsOf } from '../../src/mcp/tools.ts';
import { operation } from '../../src/platform/contract/operation.ts';
import { params, Uuid } from '../../src/platform/contract/shapes.ts';
import { compileRoute, type Runtime } from '../../src/platform/http/compiled-route.ts';
import { JsonList } from '../../src/platform/json/json-list.ts';
import { connectModern } from '../support/mcp.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createTenantRows, type TenantRows } from '../support/tenant-rows.ts';

const runtime = {} as Runtime<RouteServices>;
const tools = [...toolsOf(routes.map((route) => compileRoute(route, runtime))).values()];
const named = tools.map((tool) => [tool.definition.name, tool] as const);

/** A tool's hints in words. */
function hintsOf({ annotations = {} }: (typeof tools)[number]['definition']) {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    readOnlyHint && 'reads',
    destructiveHint && 'destroys',
    idempotentHint && 'repeatable',
    openWorldHint && 'outside',
  ];
  return words.filter(Boolean).join();
}

/** All property names at any depth of a schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

/** All descriptions at any depth of a schema. */
function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { description } = schema as { description?: unknown };
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...Object.values(schema).flatMap(descriptionsIn),
  ];
}

const operationOf = (name: string) =>
  tools.find(({ definition }) => definition.name === name)?.route.operation ??
  expect.unreachable(`No tool is called ${name}`);

const textOf = ({ content }: CallToolResult) =>
  content.map((block) => (block.type === 'text' ? block.text : ''));

describe('the tools', () => {
  it('are at most 35, with names of the form verb_noun', () => {
    expect(tools.length).toBeLessThanOrEqual(35);
    expect(
      tools.map(({ definition }) => definition.name).filter((name) => !/^[a-z]+_[a-z_]+$/.test(name)),
    ).toEqual([]);
  });

  it('describe each argument that has no enum', () => {
    const undescribed = tools.flatMap(({ definition: { name, inputSchema } }) =>
      Object.entries(
        (inputSchema.properties ?? {}) as Record<string, { description?: string; enum?: unknown }>,
      )
        .filter(([, argument]) => argument.description === undefined && argument.enum === undefined)
        .map(([argument]) => `${name}: ${argument}`),
    );
    expect(undescribed, 'Describe it in the contract: about(shape, …)').toEqual([]);
  });

  it('do not mention HTTP, which a model does not see', () => {
    const http = /\b(?:[2-5]\d\d|HTTP|Accept|JSON,|If-None-Match|Last-Event-ID)\b/;
    const told = tools.flatMap(({ definition: { description, inputSchema } }) => [
      description ?? '',
      ...descriptionsIn(inputSchema),
    ]);
    expect(told.filter((text) => http.test(text))).toEqual([]);
  });

  it('have correct hints', () => {
    expect(Object.fromEntries(tools.map(({ definition }) => [definition.name, hintsOf(definition)]))).toEqual(
      {
        list_primitives: 'reads,repeatable',
        list_recipes: 'reads,repeatable',
        create_recipe: '',
        get_recipe: 'reads,repeatable',
        update_recipe: 'repeatable',
        delete_recipe: 'destroys,repeatable',
        list_recipe_revisions: 'reads,repeatable',
        restore_recipe_revision: '',
        save_recipe_from_instance: '',
        assist_recipe: 'reads,repeatable,outside',
        compose_recipe: 'reads,repeatable',
        check_deploy: 'reads,repeatable',
        deploy_recipe: 'outside',
        list_instances: 'reads,repeatable',
        get_instance: 'reads,repeatable',
        list_instance_events: 'reads,repeatable',
        get_instance_drift: 'reads,repeatable',
        stop_instance: 'destroys',
        start_instance: '',
        retry_instance: 'outside',
        delete_instance: 'destroys,repeatable',
        get_task: 'reads,repeatable',
        cancel_task: 'destroys',
        list_tiers: 'reads,repeatable',
        list_regions: 'reads,repeatable',
        list_customers: 'reads,repeatable',
        create_customer: '',
        get_customer: 'reads,repeatable',
        list_shifts: 'reads,repeatable',
        list_assignments: 'reads,repeatable',
        list_connections: 'reads,repeatable',
        list_channel_endpoints: 'reads,repeatable',
        list_channel_messages: 'reads,repeatable',
        retry_channel_message: 'outside',
        list_models: 'reads,repeatable',
      },
    );
  });

  it.each(named)('%s neither takes nor returns a secret', (_, { definition }) => {
    const names = [...namesIn(definition.inputSchema), ...namesIn(definition.outputSchema)];
    const secret = /(^|_)(pin|password|credentials?|secret|token|key)(_|$)/;
    // An idempotency key gives no access.
    expect(names.filter((name) => secret.test(name) && name !== 'idempotency_key')).toEqual([]);
  });

  it.each(named)('%s needs the operation’s scope', (_, { route }) => {
    const { credential, scope } = route.operation;
    expect(['tenant', 'admin', 'none']).toContain(credential);
    expect(scope === null).toBe(credential === 'none');
  });

  it.each(named)('%s has schemas for any client', (_, { definition }) => {
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
    for (const name of ['uuid', 'date', 'date-time', 'email'] as const)
      ajv.addFormat(name, fullFormats[name]);
    expect(() => ajv.compile(definition.inputSchema)).not.toThrow();
    expect(() => ajv.compile(definition.outputSchema ?? {})).not.toThrow();
    expect([definition.inputSchema.type, definition.outputSchema?.type]).toEqual(['object', 'object']);
    // Some clients do not follow references.
    expect(JSON.stringify(definition)).not.toContain('$ref');
  });

  it('split their arguments into path, query and body', () => {
    const update = tools.find(({ definition }) => definition.name === 'update_recipe');
    const parts = update?.partsOf({ template_id: 'id', name: 'New', unheard_of: 1 });
    expect(parts).toEqual({ params: { template_id: 'id' }, query: {}, body: { name: 'New', unheard_of: 1 } });
    const list = tools.find(({ definition }) => definition.name === 'list_connections');
    expect(list?.partsOf({ customer_id: 'id', page: 2, hasOwnProperty: 1 })).toEqual({
      params: { customer_id: 'id' },
      query: { page: 2 },
      body: undefined,
    });
  });

  it('are refused where two arguments share a name', () => {
    const twice = operation({
      id: 'twice',
      method: 'PUT',
      path: '/v1/twice/{id}',
      tag: 'Recipes',
      summary: 'Twice',
      credential: 'tenant',
      scope: null,
      params: params({ id: Uuid }),
      query: params({ id: Uuid }),
      responses: { 204: null },
    });
    expect(() => inputSchema(twice)).toThrow('twice: two arguments have the name id');
  });
});

const endless = (item: object) =>
  JsonList.reading(async function* () {
    for (;;) yield JSON.stringify(item);
  });

describe('a result', () => {
  const list = operationOf('list_instances');
  const customerList = operationOf('list_customers');
  const get = operationOf('get_recipe');

  it('is complete up to 64 KiB', async () => {
    const whole = { text: 'x'.repeat(64 * 1024 - '{"text":""}'.length) };
    expect((await success(get, whole)).structuredContent).toEqual(whole);
    expect(textOf(await success(get, { text: `${whole.text}x` }))).toHaveLength(2);
  });

  it('is cut behind the last item that fits, with a note on how to get the rest', async () => {
    const items = Array.from({ length: 100 }, (_, id) => ({ id, text: 'ü'.repeat(1000) }));
    const cut = await success(list, { items, page: 1, per_page: 100, total: 100 });
    const kept = (cut.structuredContent as { items: unknown[] }).items.length;
    expect(cut.structuredContent).toEqual({
      items: items.slice(0, kept),
      page: 1,
      per_page: 100,
      total: 100,
    });
    const [text = '', note] = textOf(cut);
    expect(JSON.parse(text)).toEqual(cut.structuredContent);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.byteLength(text) + 2100).toBeGreaterThan(64 * 1024);
    expect(note).toBe(`Cut: the first ${kept} of 100 items. Ask with per_page=${kept}, and go on with page.`);
  });

  it('is cut also where the list is not called items', async () => {
    const customer = { company_name: '株'.repeat(200), email: `${'a'.repeat(50)}@example.com` };
    const customers = Array.from({ length: 100 }, (_, id) => ({ id, ...customer }));
    const cut = await success(customerList, {
      page: 1,
      per_page: 100,
      total: 100,
      total_pages: 1,
      customers,
    });
    const kept = (cut.structuredContent as { customers: unknown[] }).customers.length;
    expect(kept).toBeGreaterThan(50);
    expect(kept).toBeLessThan(100);
    expect(cut.structuredContent).toMatchObject({ customers: customers.slice(0, kept), total_pages: 1 });
    expect(textOf(cut)[1]).toBe(
      `Cut: the first ${kept} of 100 items. Ask with per_page=${kept}, and go on with page.`,
    );
  });

  it('has its texts cut where it is not a list', async () => {
    const cut = await success(get, {
      id: 'a',
      system_prompt: `${'x'.repeat(4095)}😀`.repeat(100),
      at: new Date(0),
    });
    expect(cut.structuredContent).toEqual({
      id: 'a',
      system_prompt: `${'x'.repeat(4095)}\uFFFD…`,
      at: '1970-01-01T00:00:00.000Z',
    });
    expect(textOf(cut)[1]).toBe(
      'Cut: texts after 4096 characters. GET /v1/recipes/{template_id} answers in full.',
    );
  });

  it('of a long list is read only as far as it fits, with texts cut where no item fits', async () => {
    const short = await success(list, endless({ id: 1 }));
    expect((short.structuredContent as { items: unknown[] }).items).toHaveLength(
      Math.floor((64 * 1024 - '{"items":[]}'.length + 1) / '{"id":1},'.length),
    );
    const long = await success(list, endless({ text: 'x'.repeat(70_000) }));
    const kept = Array.from({ length: 15 }, () => ({ text: `${'x'.repeat(4096)}…` }));
    expect(long.structuredContent).toEqual({ items: kept });
    expect(textOf(long)[1]).toMatch(/^Cut: the first 15 items, texts after 4096 characters\. /);
  });

  it('of a short list of written JSON is complete', async () => {
    const written = JsonList.of(['{"id":1}', '{"id":"ü"}']);
    expect(await success(list, written)).toMatchObject({
      structuredContent: { items: [{ id: 1 }, { id: 'ü' }] },
    });
    expect(await success(list, JsonList.of([]))).toMatchObject({ structuredContent: { items: [] } });
  });

  it('is refused where cutting is not enough', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key_${i}`, i]));
    const detail = 'The result is larger than 64 KiB. GET /v1/recipes/{template_id} answers in full.';
    expect(await success(get, many)).toEqual(failure(413, detail));
  });
});

describe('every tool', () => {
  let service: TestService;
  let rows: TenantRows;
  /** Knows the tools, so it checks results against their output schemas. */
  let client: Awaited<ReturnType<typeof connectModern>>;
  beforeAll(async () => {
    service = await startTestService({ runsJobs: false });
    const tenant = await service.createTenant();
    rows = await createTenantRows(service, tenant);
    client = await connectModern(service, { headers: { 'x-api-key': tenant.key } });
    await client.listTools();
  });
  afterAll(async () => {
    await client.close();
    await service.stop();
  });

  /** Ids of existing rows, so that a call reaches the handler. */
  const argumentsOf = (schema: { properties?: object; required?: string[] }) =>
    Object.fromEntries(
      Object.keys(schema.properties ?? {}).flatMap((name) => (rows[name] ? [[name, rows[name]]] : [])),
    );

  it.each(named)('%s works outside of an HTTP request', async (name, { definition }) => {
    const { isError, content } = await client.callTool({
      name,
      arguments: { name: 'Name', revision: 1, ...argumentsOf(definition.inputSchema) },
    });
    if (isError) {
      const [block] = content as { text: string }[];
      expect(JSON.parse(block?.text ?? '')).not.toMatchObject({ status: 500 });
    }
  });
});

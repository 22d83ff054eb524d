import type { CallToolResult } from '@modelcontextprotocol/server';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/areas.ts';
import * as results from '../../src/mcp/results.ts';
import { inputSchema } from '../../src/mcp/tool-schemas.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { operation } from '../../src/platform/contract/operation.ts';
import { params, Uuid } from '../../src/platform/contract/shapes.ts';
import { compileRoute, type Runtime } from '../../src/platform/http/compiled-route.ts';
import { JsonList } from '../../src/platform/json/json-list.ts';
import type { Services } from '../../src/services.ts';
import { connectModern } from '../support/mcp.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createTenantRows, type TenantRows } from '../support/tenant-rows.ts';

const runtime = {} as Runtime<Services>;
const tools = [...toolsOf(routes.map((route) => compileRoute(route, runtime))).values()];
const named = tools.map((tool) => [tool.definition.name, tool] as const);

/** What a model is told of a tool beyond its words. */
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

/** Every name of a property, however deep in a schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

/** Every description in a schema, however deep. */
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

const parse = (json: string) => JSON.parse(json) as CallToolResult;
const success = async (...given: Parameters<typeof results.success>) =>
  parse(await results.success(...given));
const textOf = ({ content }: CallToolResult) =>
  content.map((block) => (block.type === 'text' ? block.text : ''));

describe('the tools', () => {
  it('are few enough to choose from, each with a name of its own', () => {
    expect(tools.length).toBeLessThanOrEqual(35);
    expect(
      tools.map(({ definition }) => definition.name).filter((name) => !/^[a-z]+_[a-z_]+$/.test(name)),
    ).toEqual([]);
  });

  it('say what each argument is for, where its values do not', () => {
    const silent = tools.flatMap(({ definition: { name, inputSchema } }) =>
      Object.entries(
        (inputSchema.properties ?? {}) as Record<string, { description?: string; enum?: unknown }>,
      )
        .filter(([, argument]) => argument.description === undefined && argument.enum === undefined)
        .map(([argument]) => `${name}: ${argument}`),
    );
    expect(silent, 'Say it in the contract: about(shape, …)').toEqual([]);
  });

  it('tell nothing of HTTP, which a model does not see', () => {
    const http = /\b(?:[2-5]\d\d|HTTP|Accept|JSON,|If-None-Match|Last-Event-ID)\b/;
    const told = tools.flatMap(({ definition: { description, inputSchema } }) => [
      description ?? '',
      ...descriptionsIn(inputSchema),
    ]);
    expect(told.filter((text) => http.test(text))).toEqual([]);
  });

  it('do what their hints say', () => {
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

  it.each(named)('%s takes and gives no secret', (_, { definition }) => {
    const names = [...namesIn(definition.inputSchema), ...namesIn(definition.outputSchema)];
    const secret = /(^|_)(pin|password|credentials?|secret|token|key)(_|$)/;
    // Not what opens anything: which deploy of the same request this is.
    expect(names.filter((name) => secret.test(name) && name !== 'idempotency_key')).toEqual([]);
  });

  it.each(named)('%s is reached with an API key, by the scope of the operation', (_, { route }) => {
    const { credential, scope } = route.operation;
    expect(['tenant', 'admin', 'none']).toContain(credential);
    expect(scope === null).toBe(credential === 'none');
  });

  it.each(named)('%s has schemas that any client understands', (_, { definition }) => {
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
    for (const name of ['uuid', 'date', 'date-time', 'email'] as const)
      ajv.addFormat(name, fullFormats[name]);
    expect(() => ajv.compile(definition.inputSchema)).not.toThrow();
    expect(() => ajv.compile(definition.outputSchema ?? {})).not.toThrow();
    expect([definition.inputSchema.type, definition.outputSchema?.type]).toEqual(['object', 'object']);
    // Not every client follows references.
    expect(JSON.stringify(definition)).not.toContain('$ref');
  });

  it('keep path, query and body apart under one roof', () => {
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

  it('cannot be made where two arguments share a name', () => {
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

const forEver = (item: object) =>
  JsonList.reading(async function* () {
    for (;;) yield JSON.stringify(item);
  });

describe('a result', () => {
  const list = operationOf('list_instances');
  const customerList = operationOf('list_customers');
  const get = operationOf('get_recipe');

  it('is told whole up to 64 KiB', async () => {
    const whole = { text: 'x'.repeat(64 * 1024 - '{"text":""}'.length) };
    expect((await success(get, whole)).structuredContent).toEqual(whole);
    expect(textOf(await success(get, { text: `${whole.text}x` }))).toHaveLength(2);
  });

  it('loses items behind the last that fits, and says how to get them', async () => {
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

  it('loses them also where the list has a name of its own', async () => {
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

  it('has its texts cut where it is one thing', async () => {
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

  it('is read of a long list as far as it fits, its texts cut where no item does', async () => {
    const short = await success(list, forEver({ id: 1 }));
    expect((short.structuredContent as { items: unknown[] }).items).toHaveLength(
      Math.floor((64 * 1024 - '{"items":[]}'.length + 1) / '{"id":1},'.length),
    );
    const long = await success(list, forEver({ text: 'x'.repeat(70_000) }));
    const kept = Array.from({ length: 15 }, () => ({ text: `${'x'.repeat(4096)}…` }));
    expect(long.structuredContent).toEqual({ items: kept });
    expect(textOf(long)[1]).toMatch(/^Cut: the first 15 items, texts after 4096 characters\. /);
  });

  it('is told whole of a short list that was written before', async () => {
    const written = JsonList.of(['{"id":1}', '{"id":"ü"}']);
    expect(await success(list, written)).toMatchObject({
      structuredContent: { items: [{ id: 1 }, { id: 'ü' }] },
    });
    expect(await success(list, JsonList.of([]))).toMatchObject({ structuredContent: { items: [] } });
  });

  it('is refused where nothing helps', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key_${i}`, i]));
    const detail = 'The result is larger than 64 KiB. GET /v1/recipes/{template_id} answers in full.';
    expect(await success(get, many)).toEqual(parse(results.failure(413, detail)));
  });
});

describe('every tool', () => {
  let service: TestService;
  let key: string;
  let rows: TenantRows;
  beforeAll(async () => {
    service = await startTestService({ runsJobs: false });
    const tenant = await service.createTenant();
    ({ key } = tenant);
    rows = await createTenantRows(service, tenant);
  });
  afterAll(() => service.stop());

  /** Ids of rows that are there, so that a call comes as far as the handler. */
  const argumentsOf = (schema: { properties?: object; required?: string[] }) =>
    Object.fromEntries(
      Object.keys(schema.properties ?? {}).flatMap((name) => (rows[name] ? [[name, rows[name]]] : [])),
    );

  it.each(named)('%s works without HTTP around it', async (name, { definition }) => {
    const client = await connectModern(service, { headers: { 'x-api-key': key } });
    await client.listTools();
    const { isError, content } = await client.callTool({
      name,
      arguments: { name: 'Name', revision: 1, ...argumentsOf(definition.inputSchema) },
    });
    if (isError) {
      const [block] = content as { text: string }[];
      expect(JSON.parse(block?.text ?? '')).not.toMatchObject({ status: 500 });
    }
    await client.close();
  });
});

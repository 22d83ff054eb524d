import type { CallToolResult } from '@modelcontextprotocol/server';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type RouteServices, routes, toolRoutes } from '../../src/areas.ts';
import { inputSchema } from '../../src/mcp/input-schema.ts';
import { callOperation, searchOperations } from '../../src/mcp/operations.contract.ts';
import { failure, resultOf } from '../../src/mcp/results.ts';
import { TARGETS } from '../../src/mcp/targets.db.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { operation } from '../../src/platform/contract/operation.ts';
import { params, Uuid } from '../../src/platform/contract/shapes.ts';
import { compileRoute, type Runtime } from '../../src/platform/http/compiled-route.ts';
import type { Route } from '../../src/platform/http/handler.ts';
import { JsonList } from '../../src/platform/json/json-list.ts';
import { connectModern } from '../support/mcp.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { createTenantRows, type TenantRows } from '../support/tenant-rows.ts';

const runtime = {} as Runtime<RouteServices>;
const compile = (route: Route<RouteServices>) => compileRoute(route, runtime);
const known = [...toolsOf(routes.map(compile), toolRoutes.map(compile)).values()];
const tools = known.filter(({ listed }) => listed);
const callable = known.filter(({ forModels }) => forModels);
const named = tools.map((tool) => [tool.name, tool] as const);
const META: readonly string[] = [searchOperations.id, callOperation.id];
const SECRET = /(^|_)(pin|password|credentials?|secret|token|key)(_|$)/;

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

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { description } = schema as { description?: unknown };
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...Object.values(schema).flatMap(descriptionsIn),
  ];
}

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

function rowOf(answer: unknown): object {
  const { items, properties = {} } = (answer ?? {}) as Shape;
  const rows = items ?? Object.values(properties).find((property) => property.items)?.items;
  return (rows?.anyOf?.[0] ?? rows)?.properties ?? {};
}

const operationOf = (name: string) =>
  known.find((tool) => tool.name === name)?.route.operation ??
  expect.unreachable(`No tool is called ${name}`);

const textOf = ({ content }: CallToolResult) =>
  content.map((block) => (block.type === 'text' ? block.text : ''));

const decides = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && /^\/v1\/approvals\/\{\w+\}$/.test(path);

const notesOf = ({ structuredContent }: CallToolResult) =>
  (structuredContent as { note?: string } | undefined)?.note;

describe('the tools', () => {
  it('are at most 35, with names of the form verb_noun', () => {
    expect(tools.length).toBeLessThanOrEqual(35);
    expect(
      tools.map(({ definition }) => definition.name).filter((name) => !/^[a-z]+_[a-z_]+$/.test(name)),
    ).toEqual([]);
  });

  it('take at most 6,000 tokens together', () => {
    const list = JSON.stringify({ tools: tools.map(({ definition }) => definition) });
    expect(encode(list).length).toBeLessThanOrEqual(6000);
  });

  it('describe each argument without an enum, brief tools only in search_operations', () => {
    const undescribed = callable.flatMap(({ name, listed, schema, definition, route }) =>
      Object.entries(
        (listed && !route.operation.mcp?.brief
          ? definition.inputSchema.properties
          : schema.properties) as Record<string, { description?: string; enum?: unknown }>,
      )
        .filter(() => listed)
        .filter(([, argument]) => argument.description === undefined && argument.enum === undefined)
        .map(([argument]) => `${name}: ${argument}`),
    );
    expect(undescribed, 'Describe it in the contract: about(shape, …)').toEqual([]);
  });

  it('do not mention HTTP, which models do not see', () => {
    const http = /\b(?:[2-5]\d\d|HTTP|Accept|JSON,|If-None-Match|Last-Event-ID)\b/;
    const descriptions = tools.flatMap(({ definition: { description, inputSchema } }) => [
      description ?? '',
      ...descriptionsIn(inputSchema),
    ]);
    expect(descriptions.filter((text) => http.test(text))).toEqual([]);
  });

  it('that list have pages, and a search unless they list events or fixed rows', () => {
    const lists = tools.filter(({ name }) => name.startsWith('list_'));
    const without = (argument: string) =>
      lists.filter(({ schema }) => !Object.hasOwn(schema.properties, argument)).map(({ name }) => name);
    expect(without('per_page')).toEqual([]);
    // Paged by the id of the previous message.
    expect(without('page')).toEqual(['list_messages']);
    expect(without('search')).toEqual([
      'list_instance_events',
      'list_tiers',
      'list_regions',
      'list_messages',
      'list_channel_messages',
    ]);
  });

  it('show and search existing fields of lists', () => {
    const unknown = operations.flatMap(({ id, mcp, query, responses }) => {
      const { shows = [], searchesBy } = mcp ?? {};
      const row = rowOf(responses[200]);
      const parameters = Object.keys(query?.properties ?? {});
      return [
        ...shows.filter((name) => !Object.hasOwn(row, name)).map((name) => `${id}: ${name}`),
        ...(searchesBy === undefined || parameters.includes(searchesBy) ? [] : [`${id}: ${searchesBy}`]),
      ];
    });
    expect(unknown).toEqual([]);
    expect(rowOf(operationOf('list_customers').responses[200])).toHaveProperty('email');
  });

  it('have correct hints', () => {
    expect(Object.fromEntries(tools.map(({ definition }) => [definition.name, hintsOf(definition)]))).toEqual(
      {
        search_operations: 'reads,repeatable',
        call_operation: 'destroys,outside',
        wait_for_task: 'reads,repeatable',
        list_primitives: 'reads,repeatable',
        list_recipes: 'reads,repeatable',
        create_recipe: '',
        get_recipe: 'reads,repeatable',
        update_recipe: 'repeatable',
        delete_recipe: 'destroys,repeatable',
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
        explain_eligibility: 'reads,repeatable',
        list_connections: 'reads,repeatable',
        list_messages: 'reads,repeatable',
        write_in_playground: '',
        list_channel_endpoints: 'reads,repeatable',
        list_channel_messages: 'reads,repeatable',
        list_models: 'reads,repeatable',
      },
    );
  });

  it.each(callable.map((tool) => [tool.name, tool] as const))(
    '%s neither accepts nor returns a secret',
    (_, { route }) => {
      const { params, query, body, responses } = route.operation;
      const names = [params, query, body, ...Object.values(responses)].flatMap(namesIn);
      // Not secrets: an idempotency key grants no access, `has_pin` is a boolean, and ids and `key` only name keys.
      const harmless =
        /^(idempotency_key|key|has_pin|require_sender_token|pin_(applies_to|required_skills|session_ttl_minutes)|(api_)?key_id)$/;
      expect(
        names.filter((name) => SECRET.test(name) && !harmless.test(name)),
        'Mark the field: secret(…)',
      ).toEqual([]);
    },
  );

  it('leave credentials and decisions to people', () => {
    const left = known.filter(({ forModels }) => !forModels).map(({ name }) => name);
    expect(left).toEqual(
      expect.arrayContaining([
        'create_user',
        'update_user',
        'create_invitation',
        'create_password_reset',
        'create_api_key',
        'rotate_api_key',
        'create_proxy_key',
        'create_enrollment_token',
        'set_customer_pin',
        'create_connection',
        'update_connection',
        'create_channel_endpoint',
        'update_channel_endpoint',
      ]),
    );
    expect(callable.filter(({ route }) => decides(route.operation)).map(({ name }) => name)).toEqual([]);
  });

  it('reach every operation of a tenant’s scopes except those for people', () => {
    const names = new Set(known.map(({ name }) => name));
    const ofScopes = operations.filter(({ credential, scope }) => {
      return ['tenant', 'admin', 'admin_user'].includes(credential) && scope !== null;
    });
    // Files, not JSON.
    const left = ofScopes.filter(({ id }) => !names.has(id)).map(({ id }) => id);
    expect(left.toSorted()).toEqual(['get_conversation_media', 'upload_media']);
  });

  it('that delete can name the row in the question', () => {
    const unnamed = callable
      .filter(({ destructive, name }) => destructive && !META.includes(name))
      .filter(({ route }) => {
        const names = [...route.operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        return !names.every((name) => Object.hasOwn(TARGETS, name));
      });
    expect(
      unnamed.map(({ name }) => name),
      'Add it to TARGETS',
    ).toEqual([]);
  });

  it.each(named.filter(([name]) => !META.includes(name)))(
    '%s needs the operation’s scope',
    (_, { route }) => {
      const { credential, scope } = route.operation;
      expect(['tenant', 'admin', 'none']).toContain(credential);
      expect(scope === null).toBe(credential === 'none');
    },
  );

  it.each(callable.map((tool) => [tool.name, tool] as const))(
    '%s has schemas for any client',
    (_, { definition, schema }) => {
      const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
      for (const name of ['uuid', 'date', 'date-time', 'email'] as const)
        ajv.addFormat(name, fullFormats[name]);
      expect(() => ajv.compile(definition.inputSchema)).not.toThrow();
      expect(() => ajv.compile(schema)).not.toThrow();
      expect([definition.inputSchema.type, definition.inputSchema.additionalProperties]).toEqual([
        'object',
        false,
      ]);
      // Some clients do not resolve references.
      expect(JSON.stringify([definition, schema])).not.toContain('$ref');
    },
  );

  it('split their arguments into path, query and body', () => {
    const update = tools.find(({ name }) => name === 'update_recipe');
    const parts = update?.partsOf({ template_id: 'id', name: 'New', unheard_of: 1 });
    expect(parts).toEqual({ params: { template_id: 'id' }, query: {}, body: { name: 'New', unheard_of: 1 } });
    const list = tools.find(({ name }) => name === 'list_connections');
    expect(list?.partsOf({ customer_id: 'id', page: 2, hasOwnProperty: 1 })).toEqual({
      params: { customer_id: 'id' },
      query: { page: 2 },
      body: undefined,
    });
  });

  it('are refused when two arguments share a name', () => {
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
  JsonList.reading(1_000_000, async function* () {
    for (;;) yield JSON.stringify(item);
  });

describe('a result', () => {
  const list = operationOf('list_instance_events');
  const get = operationOf('get_recipe');

  it('contains a row in full', async () => {
    const whole = { system_prompt: 'x'.repeat(600_000), at: new Date(0) };
    const result = await resultOf(get, whole);
    expect(result.structuredContent).toEqual({ ...whole, at: '1970-01-01T00:00:00.000Z' });
    expect(textOf(result)).toEqual([JSON.stringify(whole)]);
  });

  it('of a list ends after the last item that fits into 64 KiB, with a note on how to continue', async () => {
    const items = Array.from({ length: 100 }, (_, id) => ({ id, text: 'ü'.repeat(1000) }));
    const cut = await resultOf(list, { items, page: 1, per_page: 100, total: 100 });
    const kept = (cut.structuredContent as { items: unknown[] }).items.length;
    expect(kept).toBeLessThan(40);
    expect(cut.structuredContent).toEqual({
      items: items.slice(0, kept),
      page: 1,
      per_page: 100,
      total: 100,
      note: `Only the first ${kept} of 100 items fit. Ask with per_page=${kept}, and go on with page.`,
    });
    const [text = ''] = textOf(cut);
    expect(JSON.parse(text)).toEqual(cut.structuredContent);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65 * 1024);
    expect(Buffer.byteLength(text) + 2100).toBeGreaterThan(64 * 1024);
  });

  it('ends the same way when the list is not called items', async () => {
    const customers = Array.from({ length: 100 }, (_, id) => ({ id, company_name: '株'.repeat(400) }));
    const page = { page: 1, per_page: 100, total: 100, total_pages: 1 };
    const cut = await resultOf(operationOf('list_customers'), { ...page, customers });
    const kept = (cut.structuredContent as { customers: unknown[] }).customers.length;
    expect(kept).toBeGreaterThan(50);
    expect(kept).toBeLessThan(100);
    expect(cut.structuredContent).toMatchObject({ customers: customers.slice(0, kept), total_pages: 1 });
    expect(notesOf(cut)).toMatch(`Ask with per_page=${kept}`);
  });

  it('of a long list reads only what fits, and always has the first item', async () => {
    const short = await resultOf(list, endless({ id: 1 }));
    expect((short.structuredContent as { items: unknown[] }).items).toHaveLength(
      Math.floor((64 * 1024 - '{"items":[]}'.length + 1) / '{"id":1},'.length),
    );
    const item = { text: 'x'.repeat(70_000) };
    const long = await resultOf(list, endless(item));
    expect(long.structuredContent).toMatchObject({
      items: [item],
      note: expect.stringContaining('per_page=1'),
    });
  });

  it('of a short list of written JSON is complete', async () => {
    const written = JsonList.of(['{"id":1}', '{"id":"ü"}']);
    expect((await resultOf(list, written)).structuredContent).toEqual({ items: [{ id: 1 }, { id: 'ü' }] });
    expect((await resultOf(list, JsonList.of([]))).structuredContent).toEqual({ items: [] });
  });

  it('of a long list is a page and reads no further items', async () => {
    const whole = JsonList.of(['1', '2', '3', '4', '5'].map((id) => `{"id":${id}}`));
    const pageOf = async (page: number, from = whole) =>
      (await resultOf(list, from.window(page, 2))).structuredContent;
    expect(await pageOf(2)).toEqual({ items: [{ id: 3 }, { id: 4 }], page: 2, per_page: 2, total: 5 });
    expect(await pageOf(3)).toEqual({ items: [{ id: 5 }], page: 3, per_page: 2, total: 5 });
    expect(await pageOf(4)).toEqual({ items: [], page: 4, per_page: 2, total: 5 });
    expect(await pageOf(2, endless({ id: 1 }))).toMatchObject({ items: [{ id: 1 }, { id: 1 }], page: 2 });
  });

  it('of a list of summaries has the shown fields from at most 4 MiB of rows', async () => {
    const recipe = { id: '1', name: 'Crew desk', system_prompt: 'x'.repeat(1024 * 1024) };
    const rows = JsonList.of(Array.from({ length: 10 }, () => JSON.stringify(recipe)));
    const { structuredContent } = await resultOf(operationOf('list_recipes'), rows.window(1, 10));
    const summary = { id: '1', name: 'Crew desk' };
    expect(structuredContent).toEqual({
      items: [summary, summary, summary],
      page: 1,
      per_page: 10,
      total: 10,
      note: 'Only the first 3 of 10 items fit. Ask with per_page=3, and go on with page.',
    });
  });

  it('is refused when a row is too large to parse', async () => {
    const detail = 'The result is larger than 4 MiB; GET /v1/recipes/{template_id} answers in full';
    expect(await resultOf(get, { text: 'x'.repeat(4 * 1024 * 1024) })).toEqual(failure(413, detail));
  });
});

describe('every tool', () => {
  let service: TestService;
  let rows: TenantRows;
  let tenant: TestTenant;
  /** Has listed the tools, so it validates results. */
  let client: Awaited<ReturnType<typeof connectModern>>;
  beforeAll(async () => {
    service = await sharedService('idle');
    tenant = await service.createTenant();
    rows = await createTenantRows(service, tenant);
    client = await connectModern(service, { headers: { 'x-api-key': tenant.key } });
    await client.listTools();
  });
  afterAll(async () => {
    await client.close();
  });

  /** Ids of existing rows, so that calls reach the handler. */
  const argumentsOf = (schema: { properties?: object; required?: string[] }) =>
    Object.fromEntries(
      Object.keys(schema.properties ?? {}).flatMap((name) => (rows[name] ? [[name, rows[name]]] : [])),
    );

  it('that deletes asks about the row by its name', async () => {
    const asked: string[] = [];
    const asking = await connectModern(service, {
      headers: { 'x-api-key': tenant.key },
      onElicit: ({ message }) => {
        asked.push(message);
        return { action: 'decline' };
      },
    });
    const takes = callable.filter(
      ({ destructive, route }) => destructive && !['call_operation'].includes(route.operation.id),
    );
    for (const { name, schema } of takes) {
      const args = { operation: name, arguments: argumentsOf(schema) };
      const { content } = await asking.callTool({ name: callOperation.id, arguments: args });
      const [block] = content as { text: string }[];
      expect(JSON.parse(block?.text ?? ''), name).toEqual({
        status: 403,
        detail: 'Not confirmed; nothing was done',
      });
    }
    expect(asked.length).toBe(takes.length);
    expect(asked.filter((message) => !/^[A-Z][a-z_ ]+\? .*“.+”\. \{/.test(message))).toEqual([]);
    await asking.close();
  });

  it.each(callable.map(({ name, schema }) => [name, schema] as const))(
    '%s works outside of an HTTP request',
    async (name, schema) => {
      const given = Object.entries({
        name: 'Name',
        revision: 1,
        query: 'x',
        text: 'Hello',
        timeout_seconds: 1,
      });
      const fitting = given.filter(([argument]) => Object.hasOwn(schema.properties, argument));
      const args = { ...Object.fromEntries(fitting), ...argumentsOf(schema) };
      const { isError, content } = await (META.includes(name)
        ? client.callTool({ name, arguments: args })
        : client.callTool({ name: callOperation.id, arguments: { operation: name, arguments: args } }));
      if (isError) {
        const [block] = content as { text: string }[];
        expect(JSON.parse(block?.text ?? '')).not.toMatchObject({ status: 500 });
      }
    },
  );
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Described, type Document, entriesOf } from '../generator/document.ts';
import { generate } from '../generator/generate.ts';
import { methodsOf } from '../generator/methods.ts';
import { nameOf } from '../generator/names.ts';
import { factsOf } from '../generator/operations.ts';
import { resourcesText } from '../generator/resources.ts';
import { importOfShapes } from '../generator/shapes.ts';
import { operations } from '../src/generated/operations.ts';
import { ControlPlane } from '../src/index.ts';

const ROOT = join(import.meta.dirname, '../..');

const document = JSON.parse(await readFile(join(ROOT, 'server/openapi.json'), 'utf8')) as Document;
const files = Object.entries(await generate(document));

const described = (operationId: string, tag: string, fields: Partial<Described> = {}): Described => ({
  operationId,
  tags: [tag],
  summary: 'Something',
  security: [],
  parameters: [],
  responses: {},
  ...fields,
});
const entry = (operation: Described) => ({ method: 'GET', path: '/v1/things', operation });

const page = (properties: object) =>
  described('list_things', 'Things', {
    parameters: [
      { name: 'page', in: 'query', required: false, schema: {} },
      { name: 'per_page', in: 'query', required: false, schema: { maximum: 100 } },
    ],
    responses: {
      200: { content: { 'application/json': { schema: { properties: { ...properties } } } } },
    },
  });

describe('the generated files', () => {
  it.each(files)('%s matches server/openapi.json', async (name, text) => {
    const committed = await readFile(join(ROOT, 'sdk/src/generated', name), 'utf8').catch(() => '');
    expect(committed === text, `sdk/src/generated/${name} is stale: npm run openapi`).toBe(true);
  });

  it('are deterministic', async () => {
    expect(Object.entries(await generate(document))).toEqual(files);
  });

  it('have every operation except those of other protocols', () => {
    const without = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).some(({ operationId }) => !(operationId in operations)) ? [path] : [],
    );
    expect(without.toSorted()).toEqual([
      '/hooks/chatapp',
      '/internal/v1/instances/{instance_id}/mcp',
      '/v1/mcp',
    ]);
  });

  it('give each operation its own method', () => {
    const acp = new ControlPlane({ baseUrl: 'http://127.0.0.1:1' }) as unknown as Record<string, object>;
    const names = entriesOf(document).map(({ operation }) => nameOf(operation));
    expect(new Set(names.map(({ group, method }) => `${group}.${method}`)).size).toBe(names.length);
    for (const { group, method } of names) expect(acp[group]).toHaveProperty(method);
  });
});

describe('a shape', () => {
  it('has a name that the client uses for nothing else', async () => {
    const index = await readFile(join(ROOT, 'sdk/src/index.ts'), 'utf8');
    const own = [...index.matchAll(/\{([^}]+)\}/g)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
    expect(own).toContain('ControlPlane');
    // An explicit export silently hides one of the same name in `export *`.
    expect(own.filter((name) => name in document.components.schemas)).toEqual([]);
  });

  it('is referred to by its name, if it has one', () => {
    const content = { 'application/json': { schema: { name: 'ThingCreate' } } };
    const operation = described('create_thing', 'Things', {
      requestBody: { required: true, content },
      responses: { 201: { content: { 'application/json': { schema: { items: { name: 'Thing' } } } } } },
    });
    const [method] = methodsOf('/v1/things', operation, 'create');
    expect(method?.text).toContain('create(body: ThingCreate, options?: CallOptions): Promise<Thing[]>');
    const touching = described('touch_things', 'Things', { requestBody: { required: false, content } });
    const [touch] = methodsOf('/v1/things', touching, 'touch');
    expect(touch?.text).toContain('touch(body?: ThingCreate, options?: CallOptions)');
    const [other] = methodsOf('/v1/things', described('get_thing', 'Things'), 'get');
    expect(other?.text).toContain("get(options?: CallOptions): Promise<Result<'get_thing'>>");
  });

  it('is imported where a type names it, not where a comment does', () => {
    const text = '/** Makes a Recipe. */\ncreate(): Promise<Task>;';
    expect(importOfShapes(text, ['Recipe', 'Task'])).toBe("import type {\n  Task,\n} from './shapes.ts';\n");
    expect(importOfShapes(text, ['Recipe'])).toBe('');
  });
});

describe('a name', () => {
  it.each([
    ['list_recipes', 'Recipes', 'recipes.list'],
    ['list_recipe_revisions', 'Recipes', 'recipes.listRevisions'],
    ['save_recipe_from_instance', 'Recipes', 'recipes.saveFromInstance'],
    ['rotate_api_key', 'API keys', 'apiKeys.rotate'],
    ['create_identity', 'Identities', 'identities.create'],
    ['list_regions', 'Tiers and regions', 'regions.list'],
    ['put_tier', 'Tiers and regions', 'tiers.put'],
    ['check_deploy', 'Deployment', 'deployment.checkDeploy'],
    ['login', 'Authentication', 'authentication.login'],
    ['list_staffing', 'Staff', 'staff.listStaffing'],
  ])('of %s in "%s" is %s', (id, tag, name) => {
    const { group, method } = nameOf(described(id, tag));
    expect(`${group}.${method}`).toBe(name);
  });

  it('stops the generator when it fits no group or exists twice', () => {
    expect(() => nameOf(described('list_zones', 'Tiers and regions'))).toThrow('names neither noun');
    const twice = [described('list_recipe', 'Recipes'), described('list_recipes', 'Recipes')];
    expect(() => resourcesText(twice.map(entry))).toThrow('second method list');
  });
});

const posting = (properties: Record<string, object>) =>
  described('post_thing', 'Things', {
    requestBody: { required: true, content: { 'application/json': { schema: { properties } } } },
  });

describe('the facts of an operation', () => {
  it('stop the generator at an unknown credential', () => {
    const strange = described('list_things', 'Things', { security: [{ cookie: [] }] });
    expect(() => factsOf(entry(strange))).toThrow('needs cookie');
  });

  it('stop the generator at a page without rows, or with two kinds', () => {
    expect(factsOf(entry(page({ page: {}, items: {} })))).toMatchObject({
      items: 'items',
      most_per_page: 100,
    });
    expect(() => factsOf(entry(page({ page: {} })))).toThrow('not as others do');
    expect(() => factsOf(entry(page({ items: {}, things: {} })))).toThrow('items, things');
  });

  it('have no key for an answer, whose key is the message', () => {
    expect(factsOf(entry(posting({ idempotency_key: {} })))).toMatchObject({ keyed: true });
    expect(factsOf(entry(posting({ idempotency_key: {}, in_reply_to: {} })))).not.toHaveProperty('keyed');
  });
});

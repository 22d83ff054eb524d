import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertInstance, setInstanceStatus } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

type Recipe = Record<string, unknown> & { id: string; name: string; revision: number; skills: unknown[] };
interface Revisions {
  items: (Record<string, unknown> & { revision: number; name: string })[];
  total: number;
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

const create = async (fields: object): Promise<Recipe> => {
  const { status, body } = await tenant.api.post<Recipe>('/v1/recipes', fields);
  expect(status).toBe(201);
  return body;
};
const read = async (id: string) => (await tenant.api.get<Recipe>(`/v1/recipes/${id}`)).body;
const change = async (id: string, fields: object): Promise<Recipe> => {
  const { status, body } = await tenant.api.put<Recipe>(`/v1/recipes/${id}`, fields);
  expect(status).toBe(200);
  return body;
};
const revisions = async (id: string, query = '') =>
  (await tenant.api.get<Revisions>(`/v1/recipes/${id}/revisions${query}`)).body;

const EVERYTHING = {
  name: 'Front desk',
  description: 'Says hello — “quoted”, \\ and 😀',
  system_prompt: 'Be\nbrief.',
  manifest_id: 'm-1',
  hosting_mode: 'shared',
  shared_node_capacity: 20,
  onboarding_flow_id: randomUUID(),
  rules_template_id: randomUUID(),
  approval_rules: { over: 100 },
  channel_config: { greeting: 'Hi' },
  compliance_config: {},
  data_access: { folders: ['a'] },
  model_policy: { model: 'm', temperature: 0.1 },
  module_config: { deep: { deeper: [1, null, { 'a"b': false }] } },
  voice_config: { speed: 1e3 },
  channel_types: ['chatapp', { type: 'voice' }],
  connection_requirements: [{ provider: 'drive', optional: true }],
  mcp_servers: [{ name: 'search' }],
  skills: ['staff_query', { slug: 'timesheet', pin_required: true }],
  trigger_templates: [],
  workflow_slugs: ['w'],
  idle_minutes: 43_200,
  sidecars: [{ name: 's', port: 8080, path: '/', health: '/health', runtime: 'node' }],
};
const UNSET = {
  description: null,
  system_prompt: null,
  manifest_id: null,
  hosting_mode: 'dedicated',
  shared_node_capacity: 50,
  is_active: true,
  is_platform_template: false,
  source_instance_id: null,
  approval_rules: null,
  model_policy: null,
  idle_minutes: null,
  trigger_templates: [],
  channel_types: [],
  skills: [],
  sidecars: [],
  revision: 1,
};

describe('a new recipe', () => {
  it('needs only a name; all other fields are unset', async () => {
    const recipe = await create({ name: 'R' });
    expect(recipe).toMatchObject({ ...UNSET, name: 'R', tenant_id: tenant.tenant_id });
    expect(Object.keys(recipe)).toHaveLength(31);
    for (const time of [recipe.created_at, recipe.updated_at]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  it('without triggers has an empty array, also when stored as null', async () => {
    const { id } = await create({ name: 'R', trigger_templates: null });
    await service.database.query('update recipes set trigger_templates = null where id = $1', [id]);
    await service.database.query(
      `update recipe_revisions set content = content || '{"trigger_templates": null}' where recipe_id = $1`,
      [id],
    );
    expect(await read(id)).toMatchObject({ trigger_templates: [] });
    expect((await revisions(id)).items).toMatchObject([{ trigger_templates: [] }]);
  });

  it('stores every field as sent', async () => {
    const recipe = await create(EVERYTHING);
    expect(recipe).toMatchObject(EVERYTHING);
    expect(await read(recipe.id)).toEqual(recipe);
    const { body } = await tenant.api.get<Recipe[]>('/v1/recipes');
    expect(body.find(({ id }) => id === recipe.id)).toEqual(recipe);
  });

  it('is JSON whatever the Accept header', async () => {
    const { id } = await create({ name: 'R' });
    for (const path of ['/v1/recipes', `/v1/recipes/${id}`]) {
      const { headers } = await tenant.api.get(path);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('ignores read-only fields', async () => {
    const sent = { name: 'R', is_active: false, is_platform_template: true, id: randomUUID(), revision: 9 };
    expect(await create(sent)).toMatchObject({ is_active: true, is_platform_template: false, revision: 1 });
  });

  it.each([randomUUID(), 'no id', 7])(
    'has no source instance, even if the request names one: %s',
    async (said) => {
      const { id, source_instance_id } = await create({ name: 'R', source_instance_id: said });
      expect(source_instance_id).toBeNull();
      expect(await change(id, { source_instance_id: said })).toMatchObject({ source_instance_id: null });
    },
  );
});

/** Unique per field. */
const valueOf = (field: string) => (/policy|config/.test(field) ? { field } : field);

describe('a change', () => {
  it('sets its fields, null clears them, and only changed values make a revision', async () => {
    const { id } = await create(EVERYTHING);
    const changed = await change(id, { name: 'Other', is_active: false, skills: null, voice_config: null });
    expect(changed).toMatchObject({
      ...EVERYTHING,
      name: 'Other',
      is_active: false,
      skills: [],
      voice_config: null,
      revision: 2,
    });
    expect(await change(id, { name: 'Other' })).toEqual(changed);
    expect(await read(id)).toEqual(changed);
  });

  it('of one field keeps a concurrent change of another field', async () => {
    const { id } = await create({ name: 'R' });
    const fields = ['description', 'system_prompt', 'manifest_id', 'model_policy', 'voice_config'];
    await Promise.all(fields.map((field) => change(id, { [field]: valueOf(field) })));
    const expected = Object.fromEntries(fields.map((field) => [field, valueOf(field)]));
    expect(await read(id)).toMatchObject({ ...expected, revision: 1 + fields.length });
    expect((await revisions(id)).items.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2, 1]);
  });
});

describe('revisions', () => {
  it('are listed newest first, in pages, and read one by one', async () => {
    const { id } = await create({ name: 'One' });
    await change(id, { name: 'Two', skills: ['s'] });
    await change(id, { name: 'Three' });
    const page = await revisions(id, '?page=1&per_page=2');
    expect(page.total).toBe(3);
    expect(page.items.map(({ revision, name }) => [revision, name])).toEqual([
      [3, 'Three'],
      [2, 'Two'],
    ]);
    const { status, body } = await tenant.api.get(`/v1/recipes/${id}/revisions/2`);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ recipe_id: id, revision: 2, name: 'Two', skills: ['s'] }),
    ]);
    expect((await tenant.api.get(`/v1/recipes/${id}/revisions/4`)).status).toBe(404);
  });

  it('are kept up to the limit, besides those of instances', async () => {
    const other = await service.createTenant();
    const { id } = (await other.api.post<{ id: string }>('/v1/recipes', { name: '1' })).body;
    const instance = await insertInstance(service, other.tenant_id);
    await service.database.query('update instances set recipe_id = $2, recipe_revision = 2 where id = $1', [
      instance.id,
      id,
    ]);
    const rename = async (...names: string[]) => {
      for (const name of names) expect((await other.api.put(`/v1/recipes/${id}`, { name })).status).toBe(200);
      const { items } = (await other.api.get<Revisions>(`/v1/recipes/${id}/revisions`)).body;
      return items.map(({ revision }) => revision);
    };
    const limits = { revisions_kept: 2 };
    await service.operations.patch(`/internal/v1/tenants/${other.tenant_id}`, { limits });
    expect(await rename('2', '3')).toEqual([3, 2]);
    expect(await rename('4', '5')).toEqual([5, 4, 2]);
    await setInstanceStatus(service, instance.id, 'terminated');
    expect(await rename('5')).toEqual([5, 4, 2]);
    expect(await rename('6')).toEqual([6, 5]);
  });

  it('are streamed', async () => {
    // More than the buffers between database and client.
    const count = 100;
    const { id } = await create({ name: 'Large', system_prompt: 'x'.repeat(250_000) });
    await service.database.query(
      `insert into recipe_revisions (tenant_id, recipe_id, revision, created_at, content)
       select tenant_id, recipe_id, n, created_at, content from recipe_revisions, generate_series(2, $2) as n
       where recipe_id = $1 and revision = 1`,
      [id, count],
    );
    const url = `${service.base_url}/v1/recipes/${id}/revisions?per_page=${count}`;
    const request = get(url, { headers: tenant.api.headers, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await service.database.query(
      `update recipe_revisions set content = jsonb_set(content, '{name}', '"Changed"')
       where recipe_id = $1 and revision = 1`,
      [id],
    );
    const { items, total } = (await json(answer)) as Revisions;
    expect(items.map(({ revision }) => revision)).toEqual(
      Array.from({ length: count }, (_, index) => count - index),
    );
    expect([total, items[0]?.name, items.at(-1)?.name]).toEqual([count, 'Large', 'Changed']);
  });

  it('are restored as a new revision', async () => {
    const before = await create(EVERYTHING);
    await change(before.id, { name: 'Wrong', skills: [], model_policy: null });
    const { status, body } = await tenant.api.post<Recipe>(`/v1/recipes/${before.id}/revisions/1/restore`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...EVERYTHING, revision: 3 });
    expect((await revisions(before.id)).total).toBe(3);
    expect((await tenant.api.post(`/v1/recipes/${before.id}/revisions/9/restore`)).status).toBe(404);
  });
});

describe('a deleted recipe', () => {
  it('is gone from every route', async () => {
    const { id } = await create({ name: 'R' });
    expect(await tenant.api.delete(`/v1/recipes/${id}`)).toMatchObject({ status: 204, text: '' });
    const path = `/v1/recipes/${id}`;
    const answers = [
      await tenant.api.get(path),
      await tenant.api.put(path, { name: 'X' }),
      await tenant.api.delete(path),
      await tenant.api.get(`${path}/revisions`),
      await tenant.api.get(`${path}/revisions/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const { body } = await tenant.api.get<Recipe[]>('/v1/recipes');
    expect(body.map((recipe) => recipe.id)).not.toContain(id);
  });
});

describe('the platform’s templates', () => {
  it('end every tenant’s list and are read-only', async () => {
    const other = await service.createTenant();
    const { body } = await other.api.get<Recipe[]>('/v1/recipes');
    expect(body.map(({ is_platform_template }) => is_platform_template)).toEqual(Array(5).fill(true));
    const [template] = body;
    const path = `/v1/recipes/${template?.id}`;
    expect((await other.api.get(path)).body).toEqual(template);
    expect((await other.api.put(path, { name: 'Mine' })).status).toBe(403);
    expect((await other.api.delete(path)).status).toBe(403);
    const own = await other.api.post<Recipe>('/v1/recipes', { name: 'Own' });
    const { body: both } = await other.api.get<Recipe[]>('/v1/recipes');
    expect(both.map(({ id }) => id)).toEqual([own.body.id, ...body.map(({ id }) => id)]);
  });
});

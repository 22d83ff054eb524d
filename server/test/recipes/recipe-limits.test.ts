import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Recipe {
  id: string;
  name: string;
  revision: number;
  [field: string]: unknown;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const TIER = randomUUID();
/** A string with this many bytes of JSON. */
const text = (bytes: number) => 'x'.repeat(bytes - 2);
/** A list with this many values, including itself. */
const list = (values: number) => Array.from({ length: values - 1 }, () => 0);
/** An object with this many levels. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

let service: TestService;
let tenant: TestTenant;
let customer_id: string;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  customer_id = await createCustomer(tenant);
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});

/** The locations in a 422 with only `too_long` errors. */
function tooLongAt({ status, body }: Answer<unknown>): string[] {
  const { detail } = body as { detail: { loc: string[]; type: string }[] };
  expect([status, new Set(detail.map(({ type }) => type))]).toEqual([422, new Set(['too_long'])]);
  return detail.map(({ loc }) => loc.join('.'));
}

const post = (fields: object) => tenant.api.post<Recipe>('/v1/recipes', { name: 'R', ...fields });
const put = (id: string, fields: object) => tenant.api.put<Recipe>(`/v1/recipes/${id}`, fields);
const read = async (id: string) => (await tenant.api.get<Recipe>(`/v1/recipes/${id}`)).body;
const revisionsOf = async (id: string) =>
  (await tenant.api.get<{ total: number }>(`/v1/recipes/${id}/revisions`)).body.total;
const create = async (fields: object = {}): Promise<string> => {
  const { status, body } = await post(fields);
  expect(status).toBe(201);
  return body.id;
};

/** A recipe from before the limits. */
async function insertRecipe(fields: Record<string, unknown>): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(
    `insert into recipes (tenant_id, name, system_prompt, data_access, skills)
     values ($1, 'Old', $2, $3, $4) returning id`,
    [
      tenant.tenant_id,
      fields.system_prompt ?? null,
      JSON.stringify(fields.data_access ?? null),
      JSON.stringify(fields.skills ?? []),
    ],
  );
  return row?.id ?? expect.unreachable();
}

const compose = (recipe_id: string, instance_overrides?: object) =>
  tenant.api.post<{ plan_hash: string; resolved_config: Record<string, unknown> }>('/v1/recipes/compose', {
    recipe_id,
    instance_overrides,
  });
const deploy = (recipe_id: string, fields: object = {}) =>
  tenant.api.post<{ instance_id: string }>('/v1/recipes/deploy', {
    recipe_id,
    customer_id,
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'agent.example.com',
    ...fields,
  });

describe('a recipe', () => {
  it('may have at most 256 KiB as JSON', async () => {
    const { id: _id, tenant_id: _tenant, revision: _revision, ...recipe } = await read(await create());
    const { is_platform_template: _template, created_at: _at, updated_at: _then, ...content } = recipe;
    const room = 256 * KIB - (JSON.stringify(content).length - 'null'.length);
    expect((await post({ system_prompt: text(room) })).status).toBe(201);
    expect(tooLongAt(await post({ system_prompt: text(room + 1) }))).toEqual(['body']);
    expect(tooLongAt(await post({ system_prompt: text(256 * KIB + 1) }))).toEqual(['body.system_prompt']);
    // Each is two bytes in UTF-8.
    expect(tooLongAt(await post({ system_prompt: 'ü'.repeat(128 * KIB) }))).toEqual(['body.system_prompt']);
  });

  it('may have at most 10,000 values', async () => {
    // 25 values: 24 single-valued fields and the recipe itself.
    const room = 10_000 - 25;
    expect((await post({ data_access: { list: list(room - 1) } })).status).toBe(201);
    expect(tooLongAt(await post({ data_access: { list: list(room) } }))).toEqual(['body']);
    expect(tooLongAt(await post({ data_access: { list: list(10_000) } }))).toEqual(['body.data_access']);
    expect(tooLongAt(await post({ data_access: { list: list(60_000) } }))).toEqual(['body.data_access']);
  });

  it('may have lists as long as that', async () => {
    const lists = { workflow_slugs: 'staff_query', sidecars: { name: 'a' } };
    for (const [field, element] of Object.entries(lists)) {
      expect((await post({ [field]: Array.from({ length: 4000 }, () => element) })).status).toBe(201);
      expect(tooLongAt(await post({ [field]: Array.from({ length: 10_001 }, () => element) }))).toEqual([
        `body.${field}`,
      ]);
    }
  });

  it('may have at most 32 levels', async () => {
    expect((await post({ data_access: nested(31) })).status).toBe(201);
    for (const levels of [32, 200]) {
      expect(tooLongAt(await post({ data_access: nested(levels) }))).toEqual(['body.data_access']);
    }
  });

  it('is refused with each field that is too large by itself', async () => {
    const fields = {
      name: 'Unstored',
      system_prompt: text(300 * KIB),
      data_access: nested(40),
      skills: ['a'],
    };
    expect(tooLongAt(await post(fields))).toEqual(['body.system_prompt', 'body.data_access']);
    const { body } = await tenant.api.get<Recipe[]>('/v1/recipes');
    expect(body.map(({ name }) => name)).not.toContain('Unstored');
  });

  it('is unchanged by an update that would make it too large', async () => {
    const id = await create({ description: text(200 * KIB) });
    const before = await read(id);
    expect(tooLongAt(await put(id, { system_prompt: text(100 * KIB) }))).toEqual(['body']);
    expect(await read(id)).toEqual(before);
    expect(await revisionsOf(id)).toBe(1);
    expect((await put(id, { system_prompt: text(100 * KIB), description: null })).status).toBe(200);
  });

  it('is measured including concurrent changes', async () => {
    const id = await create();
    const fields = ['description', 'system_prompt', 'data_access', 'voice_config'];
    const answers = await Promise.all(
      fields.map((field) =>
        put(id, { [field]: /_(?:access|config)/.test(field) ? { a: text(100 * KIB) } : text(100 * KIB) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 422, 422]);
    expect(await revisionsOf(id)).toBe(3);
  });
});

describe('a larger recipe from before the limits', () => {
  it('can be read and changed without growing', async () => {
    const id = await insertRecipe({ system_prompt: text(MIB), data_access: nested(50) });
    expect((await read(id)).system_prompt).toHaveLength(MIB - 2);
    expect((await put(id, { name: 'New' })).body).toMatchObject({ name: 'New', revision: 2 });
    expect(tooLongAt(await put(id, { skills: ['a'] }))).toEqual(['body']);
    expect(tooLongAt(await put(id, { data_access: nested(51) }))).toEqual(['body.data_access']);
    expect((await put(id, { system_prompt: text(900 * KIB), skills: ['a'] })).status).toBe(200);
    // The recipe has shrunk meanwhile.
    expect(tooLongAt(await put(id, { system_prompt: text(950 * KIB) }))).toEqual(['body.system_prompt']);
    expect((await put(id, { system_prompt: null, data_access: nested(31) })).status).toBe(200);
  });

  it('is restored only over a recipe of at least its size', async () => {
    const id = await insertRecipe({ system_prompt: text(MIB) });
    const restore = () => tenant.api.post<Recipe>(`/v1/recipes/${id}/revisions/1/restore`);
    await put(id, { name: 'New' });
    expect((await restore()).body).toMatchObject({ name: 'Old', revision: 3 });
    await put(id, { system_prompt: null });
    expect(tooLongAt(await restore())).toEqual(['body.system_prompt']);
    expect(await read(id)).toMatchObject({ system_prompt: null, revision: 4 });
  });

  it('of 2 MiB still composes and keeps its instance running', async () => {
    const data_access = { list: Array.from({ length: 400_000 }, (_, index) => index % 1000) };
    const id = await insertRecipe({ system_prompt: text(500 * KIB), data_access });
    const composed = await compose(id, { voice_config: { pace: 1 } });
    expect([composed.status, composed.body.resolved_config.data_access]).toEqual([200, data_access]);
    const instance = await insertInstance(service, tenant.tenant_id);
    await service.database.query('update instances set recipe_id = $2, resolved_config = $3 where id = $1', [
      instance.id,
      id,
      JSON.stringify({ ...composed.body.resolved_config, voice_config: null }),
    ]);
    const path = `/v1/instances/${instance.id}`;
    expect((await tenant.api.get(path)).body).toMatchObject({ resolved_config: { data_access } });
    expect((await tenant.api.get(`${path}/drift`)).body).toMatchObject({ drifted: false, changes: [] });
  });
});

const save = async (config: object) => {
  const instance = await insertInstance(service, tenant.tenant_id);
  await service.database.query('update instances set resolved_config = $2 where id = $1', [
    instance.id,
    JSON.stringify(config),
  ]);
  return tenant.api.post(`/v1/recipes/save-from-instance/${instance.id}`, { name: 'Saved' });
};

const of = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

describe('a list of a recipe', () => {
  it.each([
    ['mcp_servers', 20, (count: number) => ({ mcp_servers: of(count) })],
    [
      'mcp_servers.1.allowed_tools',
      500,
      (count: number) => ({ mcp_servers: ['crm', { name: 'shop', allowed_tools: of(count) }] }),
    ],
    ['trigger_templates', 100, (count: number) => ({ trigger_templates: of(count) })],
    ['skills', 200, (count: number) => ({ skills: of(count) })],
    ['approval_rules.require', 200, (count: number) => ({ approval_rules: { require: of(count) } })],
    [
      'model_policy.fallback_models',
      10,
      (count: number) => ({ model_policy: { fallback_models: of(count) } }),
    ],
  ])('%s has %i elements at most', async (path, most, fields) => {
    const id = await create(fields(most));
    expect(tooLongAt(await post(fields(most + 1)))).toEqual([`body.${path}`]);
    expect(tooLongAt(await put(id, fields(most + 1)))).toEqual([`body.${path}`]);
    const target = { recipe_id: id, customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
    for (const route of ['compose', 'deploy-check', 'deploy']) {
      const instance_overrides = fields(most + 1);
      const refused = await tenant.api.post(`/v1/recipes/${route}`, { ...target, instance_overrides });
      expect(tooLongAt(refused)).toEqual([`body.instance_overrides.${path}`]);
    }
  });

  it('from before the bounds stays, and may change where it does not grow', async () => {
    const id = await insertRecipe({ skills: of(210) });
    expect((await put(id, { name: 'New' })).status).toBe(200);
    expect((await put(id, { skills: of(205) })).status).toBe(200);
    expect(tooLongAt(await put(id, { skills: of(206) }))).toEqual(['body.skills']);
  });
});

describe('a recipe that is saved from an instance', () => {
  it('has the same limits, after the redaction', async () => {
    expect(tooLongAt(await save({ system_prompt: text(300 * KIB) }))).toEqual(['body.system_prompt']);
    const halves = { system_prompt: text(150 * KIB), data_access: { a: text(150 * KIB) } };
    expect(tooLongAt(await save(halves))).toEqual(['body']);
    expect((await save({ ...halves, data_access: { password: text(150 * KIB) } })).status).toBe(201);
  });
});

describe('overrides', () => {
  it.each(['compose', 'deploy-check', 'deploy'])('of %s have the same limits', async (route) => {
    const recipe_id = await create();
    const target = { recipe_id, customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
    const send = (instance_overrides: object) =>
      tenant.api.post(`/v1/recipes/${route}`, { ...target, instance_overrides });
    const at = ['body.instance_overrides'];
    expect(tooLongAt(await send({ system_prompt: text(256 * KIB) }))).toEqual(at);
    expect(tooLongAt(await send({ data_access: { list: list(9_999) } }))).toEqual(at);
    expect(tooLongAt(await send({ data_access: nested(32) }))).toEqual(at);
    const largest = { system_prompt: text(256 * KIB - '{"system_prompt":}'.length) };
    expect([200, 202]).toContain((await send(largest)).status);
    const deepest = { data_access: nested(31), workflow_slugs: list(9_966 - 1000).slice(0, 1000) };
    expect([200, 202]).toContain((await send(deepest)).status);
  });

  it('too large for a deploy are refused before the idempotency key is looked up', async () => {
    const idempotency_key = randomUUID();
    expect((await deploy(await create(), { idempotency_key })).status).toBe(202);
    const instance_overrides = { system_prompt: text(257 * KIB) };
    const answer = await deploy(randomUUID(), { idempotency_key, instance_overrides });
    expect(tooLongAt(answer)).toEqual(['body.instance_overrides']);
  });
});

describe('a deployed configuration', () => {
  it('has at most 512 KiB; a repeated idempotency key still gets its response', async () => {
    const idempotency_key = randomUUID();
    const id = await insertRecipe({ system_prompt: text(500 * KIB) });
    expect((await deploy(id, { idempotency_key })).status).toBe(202);
    const overrides = { voice_config: { a: text(20 * KIB) } };
    const overridden = await deploy(id, { instance_overrides: overrides });
    expect(tooLongAt(overridden)).toEqual(['body.instance_overrides']);
    expect((await compose(id, overrides)).status).toBe(200);
    const large = await insertRecipe({ system_prompt: text(600 * KIB) });
    expect(tooLongAt(await deploy(large))).toEqual(['body.recipe_id']);
    expect((await deploy(large, { instance_overrides: { system_prompt: 'short' } })).status).toBe(202);
    await service.database.query('update recipes set system_prompt = $2 where id = $1', [
      id,
      text(600 * KIB),
    ]);
    expect((await deploy(id, { idempotency_key })).status).toBe(200);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Recipe {
  id: string;
  revision: number;
  name: string;
}

interface Revision {
  revision: number;
  created_by: object | null;
}

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
});

async function create(fields: object = {}): Promise<Recipe> {
  const { status, body } = await tenant.api.post<Recipe>('/v1/recipes', { name: 'Crew', ...fields });
  expect(status).toBe(201);
  return body;
}

describe('a change with expect_revision', () => {
  it('is made at that revision, and refused at another', async () => {
    const { id } = await create();
    const put = (fields: object) => tenant.api.put<Recipe>(`/v1/recipes/${id}`, fields);
    const changed = await put({ name: 'Second', expect_revision: 1 });
    expect(changed).toMatchObject({ status: 200, body: { revision: 2 } });
    const late = await put({ name: 'Lost', expect_revision: 1 });
    expect(late.status).toBe(412);
    expect(late.body).toEqual({ detail: 'The recipe is at revision 2, not 1' });
    expect(await put({ name: 'Third', expect_revision: null })).toMatchObject({ status: 200 });
    expect((await put({ expect_revision: 0 })).status).toBe(422);
    const unknown = await tenant.api.put(`/v1/recipes/${randomUUID()}`, { name: 'x', expect_revision: 1 });
    expect(unknown.status).toBe(404);
  });

  it('restores at that revision alone', async () => {
    const { id } = await create();
    await tenant.api.put(`/v1/recipes/${id}`, { name: 'Second' });
    const restore = (json?: object) =>
      tenant.api.request<Recipe>('POST', `/v1/recipes/${id}/revisions/1/restore`, json && { json });
    expect((await restore({ expect_revision: 1 })).status).toBe(412);
    expect(await restore({ expect_revision: 2 })).toMatchObject({
      status: 200,
      body: { name: 'Crew', revision: 3 },
    });
    expect((await restore()).status).toBe(200);
  });

  it('is made once of two at the same time', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => tenant.api.put(`/v1/recipes/${id}`, { name, expect_revision: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
  });
});

it('a revision names who made it, until they are gone', async () => {
  const { id } = await create();
  const user = await service.login(tenant.admin_email);
  await user.put(`/v1/recipes/${id}`, { name: 'By a person' });
  await user.post(`/v1/recipes/${id}/revisions/1/restore`);
  const { body } = await tenant.api.get<{ items: Revision[] }>(`/v1/recipes/${id}/revisions`);
  const person = { kind: 'user', id: tenant.admin_user_id, name: tenant.admin_email };
  const program = { kind: 'api_key', id: expect.any(String), name: 'test' };
  expect(body.items.map(({ created_by }) => created_by)).toEqual([person, person, program]);
  const first = await tenant.api.get<Revision>(`/v1/recipes/${id}/revisions/1`);
  expect(first.body.created_by).toEqual(program);
  await service.database.query('update recipe_revisions set created_by = null where recipe_id = $1', [id]);
  const before = await tenant.api.get<Revision>(`/v1/recipes/${id}/revisions/1`);
  expect(before.body.created_by).toBeNull();
});

it('a summary of recipes counts their instances', async () => {
  const own = await service.createTenant();
  const made = await own.api.post<Recipe>('/v1/recipes', { name: 'Crew', description: 'Shifts' });
  const { id } = made.body;
  for (const [status, revision] of [
    ['running', 1],
    ['failed', 2],
    ['terminated', 1],
  ] as const) {
    const instance = await insertInstance(service, own.tenant_id, { status });
    await service.database.query('update instances set recipe_id = $2, recipe_revision = $3 where id = $1', [
      instance.id,
      id,
      revision,
    ]);
  }
  await own.api.put(`/v1/recipes/${id}`, { system_prompt: 'Be brief' });
  const whole = (await own.api.get<Recipe[]>('/v1/recipes')).body;
  const { body } = await own.api.get<(Recipe & { updated_at: string })[]>('/v1/recipes?view=summary');
  expect(body.map((recipe) => recipe.id)).toEqual(whole.map((recipe) => recipe.id));
  expect(body.find((recipe) => recipe.id === id)).toEqual({
    id,
    name: 'Crew',
    description: 'Shifts',
    revision: 2,
    is_active: true,
    is_platform_template: false,
    hosting_mode: 'dedicated',
    live_instances: 2,
    outdated_instances: 1,
    updated_at: expect.stringMatching(/Z$/),
  });
  const found = await own.api.get<Recipe[]>('/v1/recipes?view=summary&search=shifts');
  expect(found.body.map((recipe) => recipe.id)).toEqual([id]);
  const wrong = await own.api.get('/v1/recipes?view=all');
  expect(wrong.body).toMatchObject({ detail: [{ loc: ['query', 'view'], type: 'literal_error' }] });
});

const compose = (json: object) => tenant.api.post<Record<string, unknown>>('/v1/recipes/compose', json);

describe('composing a recipe that is not stored', () => {
  it('answers as if it were stored', async () => {
    const fields = { name: 'Draft', system_prompt: 'Be brief', channel_config: { greeting: 'Hi', x: 1 } };
    const overrides = { instance_overrides: { channel_config: { greeting: 'Hello' } } };
    const draft = await compose({ recipe: fields, ...overrides });
    expect(draft.status).toBe(200);
    const { id } = await create(fields);
    const stored = await compose({ recipe_id: id, ...overrides });
    expect(draft.body).toEqual({ ...stored.body, plan_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(draft.body).toMatchObject({
      template_name: 'Draft',
      resolved_config: { channel_config: { greeting: 'Hello', x: 1 } },
    });
    expect((await compose({ recipe_id: id, recipe: fields, ...overrides })).body).toEqual(draft.body);
  });

  it.each([
    [{}, ['body', 'recipe_id'], 'missing'],
    [{ recipe: {} }, ['body', 'recipe', 'name'], 'missing'],
    [{ recipe: { name: 'x', skills: 'all' } }, ['body', 'recipe', 'skills'], 'list_type'],
    [{ recipe: { name: 'x', system_prompt: 'x'.repeat(300_000) } }, ['body', 'recipe'], 'too_long'],
  ])('refuses %j', async (body, loc, type) => {
    const answer = await compose(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: [{ loc, type }] });
  });
});

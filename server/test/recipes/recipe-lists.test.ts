import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { TenantQueryable } from '../../src/platform/db/queryable.ts';
import { LIST_START, type ListBounds, listRecipes } from '../../src/recipes/recipe-lists.db.ts';
import { RecipeLists } from '../../src/recipes/recipe-lists.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

type Recipe = Record<string, unknown> & { id: string; name: string };

let service: TestService;
let tenant: TestTenant;
let recipe: Recipe;

const path = '/v1/recipes';
const BOUNDS: ListBounds = { limit: 100, bytes: 1024 * 1024 };
const list = async (of: TestTenant) => (await of.api.get<Recipe[]>(path)).body;
const names = async () =>
  (await list(tenant)).filter(({ is_platform_template }) => !is_platform_template).map(({ name }) => name);
const templates = async (of: TestTenant) =>
  (await list(of))
    .filter(({ is_platform_template }) => is_platform_template)
    .map(({ description }) => description);

beforeAll(async () => {
  service = await sharedService('working');
});
beforeEach(async () => {
  tenant = await service.createTenant();
  recipe = (await tenant.api.post<Recipe>(path, { name: 'First' })).body;
  expect(await names()).toEqual(['First']);
});

it('shows every change at once, also direct ones', async () => {
  const { body: second } = await tenant.api.post<Recipe>(path, { name: 'Second' });
  expect(await names()).toEqual(['Second', 'First']);
  await tenant.api.put(`${path}/${recipe.id}`, { name: 'Other' });
  expect(await names()).toEqual(['Second', 'Other']);
  await tenant.api.post(`${path}/${recipe.id}/revisions/1/restore`);
  expect(await names()).toEqual(['Second', 'First']);
  await tenant.api.delete(`${path}/${second.id}`);
  expect(await names()).toEqual(['First']);
  // Directly in the database, without a new revision.
  await service.database.query(`update recipes set name = 'By hand' where id = $1`, [recipe.id]);
  expect(await names()).toEqual(['By hand']);
  await service.database.query('update recipes set deleted_at = now() where id = $1', [recipe.id]);
  expect(await names()).toEqual([]);
});

it('shows a changed platform template to all tenants', async () => {
  const other = await service.createTenant();
  expect(await templates(tenant)).toEqual(await templates(other));
  await service.database.query(`update recipes set description = 'New words' where is_platform_template`);
  for (const of of [tenant, other]) expect(new Set(await templates(of))).toEqual(new Set(['New words']));
});

it('repeats the same text, equal to each single recipe', async () => {
  const [first, again] = [await tenant.api.get<Recipe[]>(path), await tenant.api.get<Recipe[]>(path)];
  expect(again.text).toBe(first.text);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(first.body.find(({ id }) => id === recipe.id)).toEqual(recipe);
  expect((await tenant.api.get(`${path}/${recipe.id}`)).body).toEqual(recipe);
});

it('is not sent by the database when its version is known', async () => {
  const q = service.service.services.db.tenant(tenant.tenant_id);
  const { version, recipes, isLast } = await q.run(listRecipes(LIST_START, BOUNDS));
  expect(recipes.map((listed) => JSON.parse(listed.recipe) as unknown)).toContainEqual(recipe);
  expect(isLast).toBe(true);
  expect(await q.run(listRecipes(LIST_START, BOUNDS, version))).toMatchObject({ version, recipes: [] });
  const stranger = service.service.services.db.tenant((await service.createTenant()).tenant_id);
  const theirs = await stranger.run(listRecipes(LIST_START, BOUNDS, version));
  expect(theirs.recipes.map(({ id }) => id)).not.toContain(recipe.id);
});

it('reads at most the requested rows and bytes', async () => {
  for (const name of ['Second', 'Third']) await tenant.api.post(path, { name });
  const q = service.service.services.db.tenant(tenant.tenant_id);
  const read = async (bounds: ListBounds) => {
    const { recipes, isLast } = await q.run(listRecipes(LIST_START, bounds));
    return { ids: recipes.map(({ id }) => id), isLast };
  };
  const { ids } = await read(BOUNDS);
  expect(ids.length).toBeGreaterThan(3);
  expect(await read({ ...BOUNDS, limit: ids.length + 1 })).toEqual({ ids, isLast: true });
  expect(await read({ ...BOUNDS, limit: ids.length })).toEqual({ ids, isLast: false });
  const [first] = (await q.run(listRecipes(LIST_START, BOUNDS))).recipes;
  const length = Buffer.byteLength(first?.recipe ?? '');
  const [one, two] = [ids.slice(0, 1), ids.slice(0, 2)];
  expect(await read({ ...BOUNDS, limit: 2 })).toEqual({ ids: two, isLast: false });
  expect(await read({ ...BOUNDS, bytes: length + 1 })).toEqual({ ids: two, isLast: false });
  expect(await read({ ...BOUNDS, bytes: length })).toEqual({ ids: one, isLast: false });
});

it('is read in pages, each recipe once and in order, even with equal creation times', async () => {
  await service.database.query(
    `insert into recipes (tenant_id, name, description, created_at)
     select $1, 'R' || n, repeat('x', case when n % 7 = 0 then 1400000 else 0 end), now() - (n / 3) * interval '1 hour'
     from generate_series(1, 180) n`,
    [tenant.tenant_id],
  );
  const expected = await service.database.query<{ id: string }>(
    `select id from recipes where (tenant_id = $1 or is_platform_template) and deleted_at is null
     order by is_platform_template, created_at desc, id`,
    [tenant.tenant_id],
  );
  expect(expected.length).toBeGreaterThan(180);
  const whole = await list(tenant);
  expect(whole.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect(whole.filter(({ description }) => description !== '').length).toBeGreaterThanOrEqual(25);
  expect(await list(tenant)).toEqual(whole);
  const searched = (await tenant.api.get<Recipe[]>(`${path}?search=r1`)).body;
  expect(searched).toEqual(whole.filter(({ name }) => name.startsWith('R1')));
  expect(searched.length).toBeGreaterThan(90);
  const { q, count } = counted(service.service.services.db.tenant(tenant.tenant_id));
  const long = await service.service.services.recipeLists.list(q);
  const before = count();
  for await (const item of long) {
    expect(JSON.parse(item)).toEqual(whole[0]);
    break;
  }
  expect(count() - before).toBe(1);
});

/** Counts round trips. */
function counted(inner: TenantQueryable) {
  let trips = 0;
  const run = (query: Parameters<TenantQueryable['run']>[0]) => {
    trips++;
    return inner.run(query);
  };
  const q = { tenant_id: inner.tenant_id, run } as unknown as TenantQueryable;
  return { q, count: () => trips };
}

it('is read once for concurrent requests', async () => {
  const lists = new RecipeLists();
  const q = service.service.services.db.tenant(tenant.tenant_id);
  const ask = () => lists.list(q);
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, ask));
  for (const other of others) expect(other).toBe(first);
  await tenant.api.post(path, { name: 'Second' });
  const [changed, ...more] = await Promise.all(Array.from({ length: 20 }, ask));
  expect(changed).not.toBe(first);
  for (const other of more) expect(other).toBe(changed);
});

it('is cached while requested every minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const lists = new RecipeLists();
  const ask = () => lists.list(service.service.services.db.tenant(tenant.tenant_id));
  const kept = await ask();
  for (let minute = 0; minute < 3; minute++) {
    vi.advanceTimersByTime(60_000);
    expect(await ask()).toBe(kept);
  }
  vi.advanceTimersByTime(120_000);
  expect(vi.getTimerCount()).toBe(0);
  const anew = await ask();
  expect(anew).not.toBe(kept);
  expect(anew).toEqual(kept);
  expect(await ask()).toBe(anew);
});

it('may be empty', async () => {
  await service.database.query('update recipes set deleted_at = now()');
  for (let time = 0; time < 2; time++) expect((await tenant.api.get(path)).text).toBe('[]');
});

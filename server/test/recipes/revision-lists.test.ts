import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

/** A page of them is more than the buffers on the way hold. */
const REVISIONS = 60;
const LENGTH = 1_000_000;

let service: TestService;
let tenant: TestTenant;
let id: string;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const recipe = { name: 'Large', system_prompt: 'x'.repeat(LENGTH) };
  ({
    body: { id },
  } = await tenant.api.post<{ id: string }>('/v1/recipes', recipe));
  await service.database.query(
    `insert into recipe_revisions (tenant_id, recipe_id, revision, created_at, content)
     select tenant_id, recipe_id, n, created_at, content from recipe_revisions, generate_series(2, $2) as n
     where recipe_id = $1 and revision = 1`,
    [id, REVISIONS],
  );
});

const path = () => `/v1/recipes/${id}/revisions?per_page=${REVISIONS}`;

it('revisions are read when they are taken', async () => {
  const request = get(service.base_url + path(), { headers: tenant.api.headers, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await service.database.query(
    `update recipe_revisions set content = jsonb_set(content, '{name}', '"Changed"')
     where recipe_id = $1 and revision = 1`,
    [id],
  );
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const { items, ...rest } = JSON.parse(Buffer.concat(chunks).toString()) as {
    items: { revision: number; name: string }[];
  };
  expect(items.map(({ revision }) => revision)).toEqual(
    Array.from({ length: REVISIONS }, (_, index) => REVISIONS - index),
  );
  expect(rest).toEqual({ page: 1, per_page: REVISIONS, total: REVISIONS });
  expect(items.at(-1)?.name).toBe('Changed');
});

it('revisions are not read for HEAD, which takes none', async () => {
  const { db } = service.service.services;
  const tenantOf = db.tenant.bind(db);
  const read: string[] = [];
  vi.spyOn(db, 'tenant').mockImplementation((tenant_id) => {
    const q = tenantOf(tenant_id);
    const rows = q.rows.bind(q);
    q.rows = (statement) => {
      if (statement.text.includes('content')) read.push(statement.text);
      return rows(statement);
    };
    return q;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect((await tenant.api.request('HEAD', path())).status).toBe(200);
  expect(read).toEqual([]);
  expect((await tenant.api.get(path())).status).toBe(200);
  expect(read).not.toEqual([]);
});

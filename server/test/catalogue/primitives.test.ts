import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
  [tenant, other] = await Promise.all([service.createTenant(), service.createTenant()]);
});

interface Primitive {
  id: string;
  kind: string;
  slug: string;
}

const PATH = '/v1/primitives';
const newSkill = () => ({ kind: 'skill', slug: `skill-${randomUUID()}` });

async function slugsOf({ api }: TestTenant, kind: string): Promise<string[]> {
  const { body } = await api.get<{ items: Primitive[] }>(`${PATH}?per_page=100&kind=${kind}`);
  expect(new Set(body.items.map((item) => item.kind))).toEqual(new Set([kind]));
  return body.items.map(({ slug }) => slug);
}

describe('a primitive', () => {
  it('is listed newest first', async () => {
    const skill = { ...newSkill(), display_name: 'A skill' };
    const answer = await tenant.api.post<Primitive>(PATH, skill);
    const row = {
      ...skill,
      id: expect.any(String) as string,
      tenant_id: tenant.tenant_id,
      created_at: expect.any(String) as string,
    };
    expect(answer).toMatchObject({ status: 201, body: row });
    const { body } = await tenant.api.get<{ items: Primitive[] }>(`${PATH}?per_page=1`);
    expect(body.items).toEqual([answer.body]);
  });

  it('is listed by kind, only in its own tenant', async () => {
    const { slug } = newSkill();
    await tenant.api.post(PATH, { kind: 'skill', slug });
    expect(await slugsOf(tenant, 'skill')).toContain(slug);
    expect(await slugsOf(tenant, 'channel')).not.toContain(slug);
    expect(await slugsOf(other, 'skill')).not.toContain(slug);
  });

  it('is shown to every member', async () => {
    const key = await service.createKey(tenant.tenant_id, { role: 'member', scopes: ['primitives:*'] });
    const member = service.anonymous.with({ 'x-api-key': key });
    expect((await member.get(PATH)).status).toBe(200);
    expect((await member.post(PATH, newSkill())).status).toBe(403);
  });

  it('is approved once per kind', async () => {
    const skill = newSkill();
    expect((await tenant.api.post(PATH, skill)).status).toBe(201);
    expect(await tenant.api.post(PATH, skill)).toMatchObject({
      status: 409,
      body: { detail: `The skill ${skill.slug} is approved already` },
    });
    expect((await tenant.api.post(PATH, { ...skill, kind: 'workflow' })).status).toBe(201);
    expect((await other.api.post(PATH, skill)).status).toBe(201);
  });

  it('can be withdrawn by its tenant', async () => {
    const skill = newSkill();
    const { body } = await tenant.api.post<Primitive>(PATH, skill);
    expect((await other.api.delete(`${PATH}/${body.id}`)).status).toBe(404);
    expect((await tenant.api.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expect(await slugsOf(tenant, 'skill')).not.toContain(skill.slug);
    expect((await tenant.api.delete(`${PATH}/${body.id}`)).status).toBe(404);
  });

  it('is approved for new tenants when it is a default', async () => {
    const defaults = await service.database.query<{ slug: string }>(
      `select slug from default_primitives where kind = 'skill'`,
    );
    const fresh = await service.createTenant();
    expect((await slugsOf(fresh, 'skill')).toSorted()).toEqual(defaults.map(({ slug }) => slug).toSorted());
  });
});

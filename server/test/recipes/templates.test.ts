import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();
const RULES = { instructions: ['Be brief'] };

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});

interface Made {
  id: string;
  name: string;
}

async function make(path: string, body: object): Promise<string> {
  const answer = await tenant.api.post<Made>(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

const deploy = (customer_id: string, recipe_id: string, fields: object = {}) =>
  tenant.api.post<{ violations: object[] }>('/v1/recipes/deploy', {
    recipe_id,
    customer_id,
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'agent.example.com',
    ...fields,
  });

describe.each([
  [
    '/v1/rules-templates',
    { name: 'House rules', rules: RULES },
    { rules: { instructions: [] } },
    'Rules template',
  ],
  [
    '/v1/onboarding-flows',
    { name: 'Welcome', steps: [{ text: 'Your name?', save_as: 'name' }, { text: 'Thank you!' }] },
    { steps: [{ text: 'Who are you?', save_as: null }] },
    'Onboarding flow',
  ],
])('%s', (path, body, change, what) => {
  it('are created, changed in supplied fields, listed and deleted', async () => {
    const { body: made } = await tenant.api.post<Made>(path, body);
    expect(made).toMatchObject({ ...body, tenant_id: tenant.tenant_id });
    const own = `${path}/${made.id}`;
    expect((await tenant.api.put<Made>(own, change)).body).toMatchObject({ name: body.name, ...change });
    expect((await tenant.api.put<Made>(own, { name: 'Other' })).body).toMatchObject({
      name: 'Other',
      ...change,
    });
    const listed = await tenant.api.get<{ items: Made[]; total: number }>(`${path}?per_page=1`);
    expect(listed.body).toMatchObject({ items: [{ id: made.id, name: 'Other' }], total: 1 });
    expect((await tenant.api.delete(own)).status).toBe(204);
    const gone = await Promise.all([tenant.api.get(own), tenant.api.put(own, {}), tenant.api.delete(own)]);
    for (const { status, text } of gone)
      expect([status, text]).toEqual([404, `{"detail":"${what} not found"}`]);
  });

  it('are read by every member, and changed by admins', async () => {
    const own = `${path}/${await make(path, body)}`;
    const key = await service.createKey(tenant.tenant_id, { role: 'member', scopes: ['recipes:*'] });
    const member = service.anonymous.with({ 'x-api-key': key });
    expect((await member.get(path)).status).toBe(200);
    expect((await member.get(own)).body).toMatchObject(body);
    const refused = await Promise.all([member.put(own, change), member.post(path, body), member.delete(own)]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('are invisible to other tenants', async () => {
    const id = await make(path, body);
    const stranger = await service.createTenant();
    for (const of of [id, randomUUID()]) {
      const { status, text } = await stranger.api.get(`${path}/${of}`);
      expect([status, text]).toEqual([404, `{"detail":"${what} not found"}`]);
    }
    expect((await stranger.api.get<{ total: number }>(path)).body.total).toBe(0);
  });

  it('refuse invalid values at their fields', async () => {
    const { status, body: refused } = await tenant.api.post<{ detail: { loc: string[] }[] }>(path, {});
    expect(status).toBe(422);
    expect(refused.detail.map(({ loc }) => loc.join('.'))).toEqual(
      Object.keys(body).map((field) => `body.${field}`),
    );
  });
});

it('rules of a template have the same size limit as a customer’s', async () => {
  const rules = { text: 'x'.repeat(256 * 1024) };
  const answer = await tenant.api.post<object>('/v1/rules-templates', { name: 'Large', rules });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'rules'], type: 'too_long' }] });
});

describe('a recipe that names a rules template', () => {
  it('gives its rules to a customer who has none', async () => {
    const rules_template_id = await make('/v1/rules-templates', { name: 'House rules', rules: RULES });
    const recipe_id = await make('/v1/recipes', { name: 'R', rules_template_id });
    const customer_id = await createCustomer(tenant);
    const { status, body } = await deploy(customer_id, recipe_id);
    expect([status, body.violations]).toEqual([202, []]);
    expect((await tenant.api.get(`/v1/customers/${customer_id}/rules`)).body).toEqual(RULES);
  });

  it('does not change existing rules of a customer', async () => {
    const rules_template_id = await make('/v1/rules-templates', { name: 'House rules', rules: RULES });
    const recipe_id = await make('/v1/recipes', { name: 'R', rules_template_id });
    const customer_id = await createCustomer(tenant);
    await tenant.api.put(`/v1/customers/${customer_id}/rules`, { own: true });
    expect((await deploy(customer_id, recipe_id)).status).toBe(202);
    expect((await tenant.api.get(`/v1/customers/${customer_id}/rules`)).body).toEqual({ own: true });
  });
});

it('ids that the tenant does not have are violations, which block nothing', async () => {
  const stranger = await service.createTenant();
  const { body: theirs } = await stranger.api.post<Made>('/v1/rules-templates', {
    name: 'Theirs',
    rules: RULES,
  });
  const onboarding_flow_id = await make('/v1/onboarding-flows', { name: 'Flow', steps: [] });
  const recipe_id = await make('/v1/recipes', {
    name: 'R',
    rules_template_id: theirs.id,
    onboarding_flow_id: onboarding_flow_id.toUpperCase(),
  });
  const unsupported = { code: 'unsupported', path: '/rules_template_id' };
  const compose = (instance_overrides: object) =>
    tenant.api.post<{ violations: object[] }>('/v1/recipes/compose', { recipe_id, instance_overrides });
  expect((await compose({})).body.violations).toMatchObject([unsupported]);
  expect((await compose({ onboarding_flow_id: randomUUID() })).body.violations).toMatchObject([
    { code: 'unsupported', path: '/onboarding_flow_id' },
    unsupported,
  ]);
  const customer_id = await createCustomer(tenant);
  const { status, body } = await deploy(customer_id, recipe_id);
  expect([status, body.violations]).toMatchObject([202, [unsupported]]);
  expect((await tenant.api.get(`/v1/customers/${customer_id}/rules`)).body).toEqual({});
});

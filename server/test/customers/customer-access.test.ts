import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let stranger: TestTenant;
let customer_id: string;

beforeAll(async () => {
  service = await startTestService();
  [tenant, stranger] = await Promise.all([service.createTenant(), service.createTenant()]);
  customer_id = await createCustomer(tenant);
});
afterAll(() => service.stop());

const source_customer_id = '00000000-0000-4000-8000-000000000000';

/** Every route below a customer with a body that it takes. `{id}` is a row of the customer. */
const routes: { method: string; path: string; scope: string; json?: object }[] = [
  { method: 'GET', path: '', scope: 'customers:read' },
  {
    method: 'POST',
    path: '/clone',
    scope: 'customers:write',
    json: { company_name: 'A', source_customer_id },
  },
  { method: 'GET', path: '/rules', scope: 'customers:read' },
  { method: 'PUT', path: '/rules', scope: 'customers:write', json: {} },
  { method: 'GET', path: '/config', scope: 'customers:read' },
  { method: 'PUT', path: '/config', scope: 'customers:write', json: {} },
  { method: 'GET', path: '/subscriptions', scope: 'customers:read' },
  { method: 'POST', path: '/subscriptions', scope: 'customers:write', json: { status: 'active' } },
  { method: 'PATCH', path: '/subscriptions/{id}', scope: 'customers:write', json: {} },
  { method: 'GET', path: '/websites', scope: 'customers:read' },
  { method: 'POST', path: '/websites', scope: 'customers:write', json: { hostname: 'never.example' } },
  { method: 'DELETE', path: '/websites/{id}', scope: 'customers:delete' },
  { method: 'GET', path: '/identities', scope: 'identities:read' },
  {
    method: 'POST',
    path: '/identities',
    scope: 'identities:write',
    json: { channel: 'x', external_id: 'y' },
  },
  { method: 'DELETE', path: '/identities/{id}', scope: 'identities:delete' },
  { method: 'GET', path: '/connections', scope: 'connections:read' },
  {
    method: 'POST',
    path: '/connections',
    scope: 'connections:write',
    json: { provider: 'x', credentials: {} },
  },
  { method: 'DELETE', path: '/connections/{id}', scope: 'connections:delete' },
];

describe.each(routes)('$method /v1/customers/{customer_id}$path', ({ method, path, scope, json }) => {
  const at = (customer: string) => `/v1/customers/${customer}${path.replace('{id}', randomUUID())}`;
  const options = json ? { json } : {};

  it('asks for a credential, the scope and the role admin', async () => {
    expect((await service.anonymous.request(method, at(customer_id), options)).status).toBe(401);

    const others = ['recipes:*', scope.replace(/:.*/, ':none')];
    const lacking = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: others });
    const unscoped = await service.anonymous
      .with({ 'x-api-key': lacking })
      .request(method, at(customer_id), options);
    expect(unscoped.status).toBe(403);
    expect(unscoped.text).toContain(scope);

    const member = await service.createKey(tenant.tenant_id, { role: 'member', scopes: [scope] });
    const unprivileged = await service.anonymous
      .with({ 'x-api-key': member })
      .request(method, at(customer_id), options);
    expect(unprivileged.status).toBe(403);
    expect(unprivileged.text).toContain('admin');
  });

  it('knows another tenant’s customer no better than none', async () => {
    const foreign = await stranger.api.request(method, at(customer_id), options);
    const missing = await stranger.api.request(method, at(randomUUID()), options);
    expect(missing).toMatchObject({ status: 404, text: '{"detail":"Customer not found"}' });
    expect(foreign).toMatchObject({ status: 404, text: missing.text });
  });

  it('refuses what is no UUID', async () => {
    const { status, body } = await tenant.api.request(method, at('1'), options);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['path', 'customer_id'], type: 'uuid_parsing' }] });
  });
});

it('lets an admin user in, and a member not', async () => {
  const email = 'member@example.com';
  await tenant.api.post('/v1/users', { email, password: PASSWORD, role: 'member' });
  const [admin, member] = await Promise.all([service.login(tenant.admin_email), service.login(email)]);
  expect((await admin.get(`/v1/customers/${customer_id}`)).status).toBe(200);
  expect((await member.get(`/v1/customers/${customer_id}`)).status).toBe(403);
  expect((await member.get('/v1/customers')).status).toBe(403);
});

it('takes a customer’s id in either case', async () => {
  for (const path of ['', '/rules', '/subscriptions', '/websites', '/identities', '/connections']) {
    expect((await tenant.api.get(`/v1/customers/${customer_id.toUpperCase()}${path}`)).status).toBe(200);
  }
});

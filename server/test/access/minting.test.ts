import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertInstance } from '../support/instances.ts';
import { PASSWORD, sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
});

const holding = async (...scopes: string[]) =>
  service.anonymous.with({
    'x-api-key': await service.createKey(tenant.tenant_id, { role: 'admin', scopes }),
  });
const newUser = () => ({ email: `${randomUUID()}@example.com`, password: PASSWORD, role: 'admin' });

describe('a key with the scope users:write', () => {
  it('neither creates nor takes over an admin', async () => {
    const key = await holding('users:write');
    expect((await key.get('/v1/customers')).status).toBe(403);
    const created = await key.post('/v1/users', newUser());
    expect([created.status, created.text]).toEqual([403, expect.stringContaining('scope *')]);
    const changes = [{ password: 'another-password-9' }, { role: 'member' }, { email: 'x@example.com' }];
    for (const change of changes) {
      const { status, text } = await key.patch(`/v1/users/${tenant.admin_user_id}`, change);
      expect([status, text]).toEqual([403, expect.stringContaining('scope *')]);
    }
    expect((await service.login(tenant.admin_email)).headers.authorization).not.toContain('undefined');
  });

  it('may do both with the scope *, like a signed-in admin', async () => {
    for (const caller of [await holding('*'), await service.login(tenant.admin_email)]) {
      const made = await caller.post<{ id: string }>('/v1/users', newUser());
      expect(made.status).toBe(201);
      expect((await caller.patch(`/v1/users/${made.body.id}`, { role: 'member' })).status).toBe(200);
    }
  });
});

describe('a key with the scope instances:*', () => {
  it('gets no credential of an instance, which would open the customers’ connections', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const key = await holding('instances:*');
    for (const [method, path] of [
      ['POST', 'proxy-key'],
      ['POST', 'enrollment-token'],
      ['DELETE', 'proxy-key'],
    ] as const) {
      const { status, text } = await key.request(method, `/v1/instances/${id}/${path}`);
      expect([status, text]).toEqual([403, expect.stringContaining('instance-creds:write')]);
    }
  });

  it.each(['instance-creds:write', 'instance-creds:*', '*'])('gets one with %s', async (scope) => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const key = await holding(scope);
    expect((await key.post(`/v1/instances/${id}/proxy-key`)).status).toBe(201);
    expect((await key.post(`/v1/instances/${id}/enrollment-token`)).status).toBe(201);
    expect((await key.delete(`/v1/instances/${id}/proxy-key`)).status).toBe(204);
  });
});

it('is in the OpenAPI document', async () => {
  const { body } = await service.anonymous.get<{
    paths: Record<string, Record<string, Record<string, unknown>>>;
  }>('/openapi.json');
  const of = (path: string, method: string) => body.paths[path]?.[method];
  expect(of('/v1/users', 'post')).toMatchObject({ 'x-scope': 'users:write', 'x-mints-credential': true });
  expect(of('/v1/users/{user_id}', 'patch')).toHaveProperty('x-mints-credential', true);
  expect(of('/v1/users', 'get')).not.toHaveProperty('x-mints-credential');
  expect(of('/v1/instances/{instance_id}/proxy-key', 'post')?.['x-scope']).toBe('instance-creds:write');
});

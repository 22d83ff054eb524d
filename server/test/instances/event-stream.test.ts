import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { insertInstance } from '../support/instances.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let path: string;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  const { id } = await insertInstance(service, tenant.tenant_id);
  path = `/v1/instances/${id}/events`;
});
afterAll(() => service.stop());

/** The instance has no events. */
async function follow({ base_url, headers }: Client): Promise<{ ended: Promise<string> }> {
  const response = await fetch(base_url + path, { headers: { ...headers, accept: 'text/event-stream' } });
  expect(response.status).toBe(200);
  return { ended: response.text() };
}

/** Each empty read sends a keep-alive line. Without one, the stream ended before its second read. */
const NOTHING = '';

const createKey = async (fields: object = {}) => {
  const { body } = await tenant.api.post<{ id: string; key: string }>('/v1/api-keys', {
    name: 'Follower',
    scopes: ['instances:read'],
    ...fields,
  });
  return { id: body.id, client: service.anonymous.with({ 'x-api-key': body.key }) };
};

it('ends soon after its key is revoked', async () => {
  const { id, client } = await createKey();
  const { ended } = await follow(client);
  expect((await tenant.api.delete(`/v1/api-keys/${id}`)).status).toBe(204);
  expect(await ended).toBe(NOTHING);
});

it('ends soon after its key expires, but not before', async () => {
  const soon = new Date(service.clock.now().getTime() + 60_000).toISOString();
  const { client } = await createKey({ expires_at: soon });
  const { ended } = await follow(client);
  service.clock.advance(61_000);
  expect(await ended).toBe(NOTHING);
});

it('ends soon after its access token expires', async () => {
  const account = { email: tenant.admin_email, password: PASSWORD };
  const { body } = await service.anonymous.post<{ access_token: string; expires_in: number }>(
    '/auth/login',
    account,
  );
  const { ended } = await follow(service.anonymous.with({ authorization: `Bearer ${body.access_token}` }));
  service.clock.advance((body.expires_in + 1) * 1000);
  expect(await ended).toBe(NOTHING);
});

it('ends soon after its user logs out', async () => {
  const { anonymous } = service;
  const account = { email: tenant.admin_email, password: PASSWORD };
  const { body } = await anonymous.post<{ access_token: string; refresh_token: string }>(
    '/auth/login',
    account,
  );
  const { ended } = await follow(anonymous.with({ authorization: `Bearer ${body.access_token}` }));
  const { status } = await anonymous.post('/auth/logout', { refresh_token: body.refresh_token });
  expect(status).toBe(204);
  expect(await ended).toBe(NOTHING);
});

it('is limited to 100 at once per tenant, or to the operator’s limit', async () => {
  const [first, second] = [await createKey(), await createKey()];
  const other = await service.createTenant();
  const theirs = await insertInstance(service, other.tenant_id);
  const streams = await Promise.all(Array.from({ length: 100 }, () => follow(first.client)));
  const accept = 'text/event-stream';
  const refused = await second.client.get(path, { accept });
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    429,
    { detail: 'Too many event streams at once' },
    '1',
  ]);
  expect((await second.client.get(path)).status).toBe(200);
  const page = await other.api.request('HEAD', `/v1/instances/${theirs.id}/events`, { headers: { accept } });
  expect(page.status).toBe(200);
  const limits = `/internal/v1/tenants/${tenant.tenant_id}`;
  expect((await service.operations.patch(limits, { limits: { streams: 101 } })).status).toBe(200);
  const { ended: further } = await follow(first.client);
  expect((await second.client.get(path, { accept })).status).toBe(429);
  expect((await tenant.api.delete(`/v1/api-keys/${first.id}`)).status).toBe(204);
  await Promise.all([further, ...streams.map(({ ended }) => ended)]);
  const { ended } = await follow(second.client);
  await tenant.api.delete(`/v1/api-keys/${second.id}`);
  await ended;
});

it('does not count HEAD requests', async () => {
  const { client } = await createKey();
  const ask = () => client.request('HEAD', path, { headers: { accept: 'text/event-stream' } });
  const answers = await Promise.all(Array.from({ length: 101 }, ask));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { joinAsOwner, OWN_PASSWORD, type Pair } from '../support/accounts.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NEW_PASSWORD = 'after-the-reset-6';

interface Reset {
  reset_token: string;
  expires_at: string;
}

let service: TestService;
let tenant: TestTenant;
let email: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());
beforeEach(async () => {
  email = `user-${randomUUID()}@example.com`;
  const { body } = await tenant.api.post<{ id: string }>('/v1/users', {
    email,
    password: PASSWORD,
    role: 'member',
  });
  path = `/v1/users/${body.id}`;
});

const offer = async () => (await tenant.api.post<Reset>(`${path}/password-reset`)).body.reset_token;
const reset = (reset_token: string, password = NEW_PASSWORD) =>
  service.anonymous.post('/auth/password-reset', { reset_token, password });
const login = (password: string, as = email) =>
  service.anonymous.post<Pair>('/auth/login', { email: as, password });

it('sets a password once and ends all logins of the account', async () => {
  const client = await service.login(email);
  const offered = await tenant.api.post<Reset>(`${path}/password-reset`);
  expect(offered.status).toBe(201);
  const hours = (Date.parse(offered.body.expires_at) - service.clock.now().getTime()) / (DAY_MS / 24);
  expect(Math.abs(hours - 24)).toBeLessThan(0.1);
  expect((await client.get('/v1/me')).status).toBe(200);
  const done = await reset(offered.body.reset_token);
  expect([done.status, done.body]).toEqual([200, { email, tenant_id: tenant.tenant_id }]);
  expect((await client.get('/v1/me')).status).toBe(401);
  expect([(await login(PASSWORD)).status, (await login(NEW_PASSWORD)).status]).toEqual([401, 200]);
  expect((await reset(offered.body.reset_token)).status).toBe(409);
});

it('is used by only one of two concurrent requests', async () => {
  const token = await offer();
  const answers = await Promise.all([
    reset(token, 'this-is-the-first-7'),
    reset(token, 'this-is-the-other-8'),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const winner = answers[0]?.status === 200 ? 'this-is-the-first-7' : 'this-is-the-other-8';
  expect((await login(winner)).status).toBe(200);
});

it('stays open after a password that breaks the rules', async () => {
  const token = await offer();
  for (const password of ['short', 'Qwerty123456', `my ${email.toUpperCase()}!`]) {
    const { status, body } = await reset(token, password);
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'password'] }] }]);
  }
  expect((await reset(token)).status).toBe(200);
});

it('is 404 when unknown or expired', async () => {
  const token = await offer();
  service.clock.advance(DAY_MS + 1);
  const unknown = await reset('aprt_unknown');
  expect([unknown.status, (await reset(token)).text]).toEqual([404, unknown.text]);
});

it('is created only by the account’s own tenant, while it has no other membership', async () => {
  const [home, other] = [await service.createTenant(), await service.createTenant()];
  const ofHome = `/v1/users/${home.admin_user_id}/password-reset`;
  const early = (await home.api.post<Reset>(ofHome)).body.reset_token;
  expect((await other.api.post(ofHome)).status).toBe(404);
  await joinAsOwner(service, home, other);
  for (const { api } of [home, other]) expect((await api.post(ofHome)).status).toBe(409);
  // An earlier token would let one tenant's admin into the other tenant.
  expect((await reset(early)).status).toBe(409);
  expect((await login(OWN_PASSWORD, home.admin_email)).status).toBe(200);
  // After leaving its first tenant, the account still does not belong to the second one.
  const successor = { email: `second-${home.admin_email}`, password: PASSWORD, role: 'admin' };
  expect((await home.api.post('/v1/users', successor)).status).toBe(201);
  expect((await home.api.delete(`/v1/users/${home.admin_user_id}`)).status).toBe(204);
  expect((await other.api.post(ofHome)).status).toBe(409);
});

it('is created by the operator for any account of the tenant', async () => {
  const [home, other] = [await service.createTenant(), await service.createTenant()];
  await joinAsOwner(service, home, other);
  const of = (tenant_id: string, user_id: string) =>
    service.operations.post<Reset>(`/internal/v1/tenants/${tenant_id}/users/${user_id}/password-reset`);
  const offered = await of(other.tenant_id, home.admin_user_id);
  expect(offered.status).toBe(201);
  expect((await reset(offered.body.reset_token)).status).toBe(200);
  expect((await login(NEW_PASSWORD, home.admin_email)).status).toBe(200);
  expect((await of(tenant.tenant_id, home.admin_user_id)).status).toBe(404);
});

it('ends with the membership', async () => {
  const token = await offer();
  await tenant.api.delete(path);
  expect((await reset(token)).status).toBe(404);
});

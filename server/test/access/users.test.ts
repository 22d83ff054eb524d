import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { joinAsOwner, OWN_PASSWORD } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import {
  PASSWORD,
  PATIENT_WAITS,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/service.ts';

const OTHER_PASSWORD = 'another long password';

let service: TestService;
let tenant: TestTenant;
let email: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());
beforeEach(async () => {
  email = address();
  const { body } = await tenant.api.post<{ id: string }>('/v1/users', {
    email,
    password: PASSWORD,
    role: 'member',
  });
  path = `/v1/users/${body.id}`;
});

const address = () => `user-${randomUUID()}@example.com`;
const loginStatus = async (of: string, password: string) =>
  (await service.anonymous.post('/auth/login', { email: of, password })).status;

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const changePassword = () => tenant.api.patch(path, { password: OTHER_PASSWORD });
const remove = () => tenant.api.delete(path);
const add = () => tenant.api.post('/v1/users', { email, password: PASSWORD, role: 'member' });

const BEGINNINGS = ['login', 'change of tenant'] as const;

/** A change of tenant uses the client's session. */
const begin = (by: (typeof BEGINNINGS)[number], client: Client) =>
  by === 'login'
    ? service.anonymous.post<Tokens>('/auth/login', { email, password: PASSWORD })
    : client.post<Tokens>('/auth/switch-tenant', { tenant_id: tenant.tenant_id });

const statusWith = async ({ body }: { body: Tokens }) =>
  (await service.anonymous.with({ authorization: `Bearer ${body.access_token}` }).get('/v1/me')).status;

/** Two concurrent requests wait for the locked account and get it in this order. */
async function inOrder<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const account = await openTransaction(service.database.url, [
    'select from users where email = $1 for update',
    [email],
  ]);
  const firstAnswer = first();
  await lockWaits(service.database, 1);
  const secondAnswer = second();
  await lockWaits(service.database, 2);
  await account.end('commit');
  return Promise.all([firstAnswer, secondAnswer]);
}

describe('a user', () => {
  it.each(BEGINNINGS)('has last_signed_in_at of this tenant alone after a %s', async (by) => {
    const home = await service.createTenant();
    await tenant.api.delete(path);
    email = home.admin_email;
    const client = by === 'login' ? service.anonymous : await joinAsOwner(service, home, tenant);
    if (by === 'login') await add();
    const of = async ({ api }: TestTenant) => {
      type User = { email: string; last_signed_in_at: string | null };
      const { items } = (await api.get<{ items: User[] }>('/v1/users?per_page=100')).body;
      return items.find((user) => user.email === email)?.last_signed_in_at;
    };
    const [before, atHome] = [await of(tenant), await of(home)];
    if (by === 'login') expect([before, atHome]).toEqual([null, null]);
    service.clock.advance(1000);
    const login = { email, password: PASSWORD, tenant_id: tenant.tenant_id };
    const began =
      by === 'login' ? await service.anonymous.post('/auth/login', login) : await begin(by, client);
    expect(began.status).toBe(200);
    expect((await of(tenant)) ?? '').toMatch(/Z$/);
    expect(await of(tenant)).not.toBe(before);
    expect(await of(home)).toBe(atHome);
  });

  it('keeps fields that a change does not contain', async () => {
    expect(await tenant.api.patch(path, { role: 'admin' })).toMatchObject({
      status: 200,
      body: { email, role: 'admin' },
    });
    expect(await tenant.api.patch(path, {})).toMatchObject({ status: 200, body: { email, role: 'admin' } });
    expect(await loginStatus(email, PASSWORD)).toBe(200);
  });

  it('has the rights of its current role, whatever its token says', async () => {
    await tenant.api.patch(path, { role: 'admin' });
    const client = await service.login(email);
    expect((await client.get('/v1/users')).status).toBe(200);
    await tenant.api.patch(path, { role: 'member' });
    expect((await client.get('/v1/users')).status).toBe(403);
  });

  it('loses its logins when an admin sets a password', async () => {
    const client = await service.login(email);
    const changed = await tenant.api.patch(path, { password: OTHER_PASSWORD });
    expect(changed).toMatchObject({ status: 200, body: { email, role: 'member' } });
    expect(changed.text).not.toContain('password');
    expect((await client.get('/v1/me')).status).toBe(401);
    expect(await loginStatus(email, PASSWORD)).toBe(401);
    expect(await loginStatus(email, OTHER_PASSWORD)).toBe(200);
  });

  describe.each(BEGINNINGS)('whose password is changed at the moment of a %s', (by) => {
    it('loses a session that began just before', async () => {
      const client = await service.login(email);
      const [begun, changed] = await inOrder(() => begin(by, client), changePassword);
      expect([begun.status, changed.status]).toEqual([200, 200]);
      expect(await statusWith(begun)).toBe(401);
    });

    it('begins no session just after', async () => {
      const client = await service.login(email);
      const [changed, begun] = await inOrder(changePassword, () => begin(by, client));
      expect([changed.status, begun.status]).toEqual([200, 401]);
    });
  });

  describe.each(BEGINNINGS)('that is removed at the moment of a %s', (by) => {
    it('loses a session that began just before, also when added again', async () => {
      const client = await service.login(email);
      const [begun, removed] = await inOrder(() => begin(by, client), remove);
      expect([begun.status, removed.status]).toEqual([200, 204]);
      expect((await add()).status).toBe(201);
      expect(await statusWith(begun)).toBe(401);
    });

    it('begins no session just after', async () => {
      const client = await service.login(email);
      const [removed, begun] = await inOrder(remove, () => begin(by, client));
      expect([removed.status, begun.status]).toEqual([204, 401]);
    });
  });

  it.each([
    ['changed', changePassword, 200],
    ['removed', remove, 204],
  ])('is %s while an old refresh token of its login’s family is reused', async (_, change, status) => {
    const { body } = await begin('change of tenant', await service.login(email));
    const refresh = () => service.anonymous.post('/auth/refresh', { refresh_token: body.refresh_token });
    expect((await refresh()).status).toBe(200);
    service.clock.advance(11_000);
    const login = await openTransaction(service.database.url, [
      'select from sessions where user_id = $1 and family_id is null for update',
      [path.slice('/v1/users/'.length)],
    ]);
    const changed = change();
    await lockWaits(service.database, 1);
    const refreshed = refresh();
    await lockWaits(service.database, 2);
    await login.end('commit');
    expect([(await changed).status, (await refreshed).status]).toEqual([status, 401]);
  });

  it('is added by only one of two concurrent requests', async () => {
    const user = { email: address(), password: PASSWORD, role: 'member' };
    const added = await Promise.all(Array.from({ length: 8 }, () => tenant.api.post('/v1/users', user)));
    expect(added.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)]);
  });

  it('gets a new address unless the tenant already has it', async () => {
    const other = address();
    const changed = await tenant.api.patch(path, { email: other });
    expect(changed).toMatchObject({ status: 200, body: { email: other } });
    expect(await loginStatus(email, PASSWORD)).toBe(401);
    expect(await loginStatus(other, PASSWORD)).toBe(200);
    const taken = await tenant.api.patch(path, { email: tenant.admin_email.toUpperCase(), role: 'admin' });
    expect(taken.status).toBe(409);
    // A refused change leaves nothing.
    expect((await tenant.api.patch(path, {})).body).toMatchObject({ email: other, role: 'member' });
  });

  it('of several tenants has a role in each, and an address and password that none can change', async () => {
    const [home, second] = [await service.createTenant(), await service.createTenant()];
    await joinAsOwner(service, home, second);
    const shared = `/v1/users/${home.admin_user_id}`;
    for (const { api } of [home, second]) {
      expect((await api.patch(shared, { password: OTHER_PASSWORD })).status).toBe(409);
      expect((await api.patch(shared, { email: address() })).status).toBe(409);
    }
    expect(await loginStatus(home.admin_email, OWN_PASSWORD)).toBe(200);
    expect((await second.api.patch(shared, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
    expect((await second.api.patch(shared, { role: 'member' })).body).toMatchObject({ role: 'member' });
    expect((await home.api.patch(shared, {})).body).toMatchObject({ role: 'admin' });
  });

  it('of another tenant is 404', async () => {
    const stranger = await service.createTenant();
    for (const change of [{}, { role: 'admin' }, { password: OTHER_PASSWORD }, { email: address() }]) {
      expect(await stranger.api.patch(path, change)).toMatchObject({
        status: 404,
        text: '{"detail":"User not found"}',
      });
    }
    expect(await loginStatus(email, PASSWORD)).toBe(200);
  });

  it('is changed by concurrent requests one after the other', async () => {
    await tenant.api.patch(path, { role: 'admin' });
    const held = await openTransaction(service.database.url, [
      'select from memberships where user_id = $1 for update',
      [path.slice('/v1/users/'.length)],
    ]);
    const demoted = tenant.api.patch(path, { password: OTHER_PASSWORD, role: 'member' });
    await lockWaits(service.database, 1);
    const renewed = tenant.api.patch(path, { password: PASSWORD });
    await lockWaits(service.database, 2);
    await held.end('commit');
    expect([(await demoted).status, (await renewed).status]).toEqual([200, 200]);
    expect(await loginStatus(email, PASSWORD)).toBe(200);
  });

  it('is changed only by valid requests', async () => {
    const { status, body } = await tenant.api.patch(path, { email: 'x', password: 'short', role: 'owner' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: [
        { loc: ['body', 'email'], type: 'value_error' },
        { loc: ['body', 'password'], type: 'string_too_short' },
        { loc: ['body', 'role'], type: 'literal_error' },
      ],
    });
  });

  it('when removed loses its logins to this tenant for good, and no others', async () => {
    const [home, second] = [await service.createTenant(), await service.createTenant()];
    const there = await joinAsOwner(service, home, second);
    const { body } = await there.post<Tokens>('/auth/switch-tenant', { tenant_id: second.tenant_id });
    const here = service.anonymous.with({ authorization: `Bearer ${body.access_token}` });
    expect((await second.api.delete(`/v1/users/${home.admin_user_id}`)).status).toBe(204);
    await second.api.post('/v1/users', { email: home.admin_email, password: PASSWORD, role: 'member' });
    expect([(await here.get('/v1/me')).status, (await there.get('/v1/me')).status]).toEqual([401, 200]);
  });
});

describe('the admins of a tenant', () => {
  it('cannot all leave', async () => {
    const { api, admin_user_id } = await service.createTenant();
    const last = `/v1/users/${admin_user_id}`;
    expect((await api.patch(last, { role: 'member' })).status).toBe(409);
    expect((await api.delete(last)).status).toBe(409);
    await api.post('/v1/users', { email, password: PASSWORD, role: 'admin' });
    expect((await api.patch(last, { role: 'member' })).status).toBe(200);
  });

  it('cannot leave at the same time', async () => {
    const { api, tenant_id, admin_user_id } = await service.createTenant();
    const { body } = await api.post<{ id: string }>('/v1/users', {
      email,
      password: PASSWORD,
      role: 'admin',
    });
    const held = await openTransaction(service.database.url, [
      'select from memberships where tenant_id = $1 for update',
      [tenant_id],
    ]);
    const leaving = [admin_user_id, body.id].map((id) => api.delete(`/v1/users/${id}`));
    await lockWaits(service.database, 2);
    await held.end('commit');
    const statuses = (await Promise.all(leaving)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 409]);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invite, joinAsOwner, OWN_PASSWORD, type Pair } from '../support/accounts.ts';
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

const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
let tenant: TestTenant;
let email: string;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  tenant = await service.createTenant('Acme');
});
afterAll(() => service.stop());
beforeEach(() => {
  email = `user-${randomUUID()}@example.com`;
});

const accept = (invitation_token: string, password?: string, as: Client = service.anonymous) =>
  as.post<Pair>('/auth/invitations/accept', { invitation_token, password });
const login = (as: string, password: string) =>
  service.anonymous.post<Pair>('/auth/login', { email: as, password });

describe('open invitations', () => {
  interface Open {
    id: string;
    email: string;
    created_by: object | null;
  }
  const listed = async (api: Client) =>
    (await api.get<{ items: Open[]; total: number }>('/v1/users/invitations')).body;

  it('are listed with who invited, without their tokens, until they are accepted', async () => {
    const inviting = await service.createTenant();
    const admin = await service.login(inviting.admin_email);
    const [first, second] = [`a${email}`, `b${email}`];
    const token = await invite(inviting, first);
    await invite({ ...inviting, api: admin }, second, 'admin');
    const { items, total } = await listed(admin);
    expect(total).toBe(2);
    expect(items).toEqual([
      {
        id: expect.any(String),
        email: second,
        role: 'admin',
        created_by: { kind: 'user', id: inviting.admin_user_id, name: inviting.admin_email },
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
      expect.objectContaining({
        email: first,
        created_by: { kind: 'api_key', id: expect.any(String), name: 'test' },
      }),
    ]);
    expect((await accept(token, PASSWORD)).status).toBe(200);
    expect(await listed(admin)).toMatchObject({ items: [{ email: second }], total: 1 });
    expect((await admin.delete(`/v1/users/invitations/${items[1]?.id}`)).status).toBe(404);
  });

  it('can be taken back', async () => {
    const inviting = await service.createTenant();
    const token = await invite(inviting, email);
    const id = (await listed(inviting.api)).items[0]?.id ?? expect.unreachable();
    const path = `/v1/users/invitations/${id}`;
    expect((await tenant.api.delete(path)).status).toBe(404);
    expect((await inviting.api.delete(path)).status).toBe(204);
    expect((await accept(token, PASSWORD)).status).toBe(404);
    expect((await inviting.api.delete(path)).text).toBe('{"detail":"Invitation not found"}');
  });

  it('of the operator have no name', async () => {
    const made = await service.operations.post<{ tenant_id: string }>('/internal/v1/tenants', {
      name: 'Invited',
      admin_email: email,
    });
    const key = await service.createKey(made.body.tenant_id, { role: 'admin', scopes: ['users:read'] });
    expect((await listed(service.anonymous.with({ 'x-api-key': key }))).items).toMatchObject([
      { email, created_by: { kind: 'operations', id: null, name: null } },
    ]);
  });
});

describe('an invitation', () => {
  it('is shown once, is stored as a hash and is valid for seven days', async () => {
    const { status, body } = await tenant.api.post<{ invitation_token: string; expires_at: string }>(
      '/v1/users/invitations',
      { email, role: 'member' },
    );
    expect(status).toBe(201);
    const { invitation_token, expires_at } = body;
    const days = (Date.parse(expires_at) - service.clock.now().getTime()) / DAY_MS;
    expect(Math.abs(days - 7)).toBeLessThan(0.01);
    const [stored] = await service.database.query<{ row: string }>(
      'select invitations::text as row from invitations where email = $1',
      [email],
    );
    expect(stored?.row).not.toContain(invitation_token);
  });

  it('accepted with a password creates an account of the tenant and signs in', async () => {
    const invitation_token = await invite(tenant, email, 'admin');
    const { status, body } = await accept(invitation_token, PASSWORD);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'bearer', tenant_id: tenant.tenant_id, role: 'admin' });
    const me = await service.anonymous.with({ authorization: `Bearer ${body.access_token}` }).get('/v1/me');
    expect(me.body).toMatchObject({ user: { email }, role: 'admin' });
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  it('accepted by twenty concurrent requests creates one account', async () => {
    const invitation_token = await invite(tenant, email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(invitation_token, PASSWORD)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
    const accounts = await service.database.query('select from users where email = $1', [email]);
    expect(accounts).toHaveLength(1);
  });

  it('to an address that is a user meanwhile is 409 and stays open', async () => {
    const invitation_token = await invite(tenant, email);
    const { body } = await tenant.api.post<{ id: string }>('/v1/users', {
      email: email.toUpperCase(),
      password: PASSWORD,
      role: 'member',
    });
    expect((await accept(invitation_token, PASSWORD)).status).toBe(409);
    await tenant.api.delete(`/v1/users/${body.id}`);
    expect((await accept(invitation_token, PASSWORD)).status).toBe(200);
  });

  it('stays open after a password that breaks the rules', async () => {
    const invitation_token = await invite(tenant, email);
    const broken = ['short', 'x'.repeat(201), 'Qwerty123456', `my ${email.toUpperCase()}!`];
    const types = ['string_too_short', 'string_too_long', 'value_error', 'value_error'];
    for (const [at, password] of broken.entries()) {
      const { status, body } = await accept(invitation_token, password);
      const detail = [{ loc: ['body', 'password'], type: types[at] }];
      expect([status, body]).toMatchObject([422, { detail }]);
    }
    expect((await accept(invitation_token, PASSWORD)).status).toBe(200);
  });

  it('is 404 when unknown or expired, and 409 when used', async () => {
    expect((await accept('ait_unknown', PASSWORD)).status).toBe(404);
    const [used, expired] = [await invite(tenant, email), await invite(tenant, `late-${email}`)];
    expect((await accept(used, PASSWORD)).status).toBe(200);
    expect((await accept(used, PASSWORD)).status).toBe(409);
    service.clock.advance(7 * DAY_MS + 1);
    const refused = await accept(expired, PASSWORD);
    expect([refused.status, refused.text]).toEqual([404, (await accept('ait_unknown', PASSWORD)).text]);
  });

  it('without a password and without a user is 422', async () => {
    const { status, body } = await accept(await invite(tenant, email));
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'password'], type: 'missing' }] }]);
  });
});

describe('an invitation accepted by a user', () => {
  it('adds a membership to the account and changes nothing else', async () => {
    const home = await service.createTenant('Home');
    const client = await joinAsOwner(service, home, tenant);
    const { body } = await client.get<{ memberships: object[] }>('/v1/me');
    expect(body.memberships).toMatchObject([
      { tenant_id: home.tenant_id, role: 'admin' },
      { tenant_id: tenant.tenant_id, role: 'member' },
    ]);
    const users = await tenant.api.get<{ items: { email: string }[] }>('/v1/users');
    expect(users.body.items.map((user) => user.email)).toContain(home.admin_email);
    expect((await login(home.admin_email, OWN_PASSWORD)).body.tenant_id).toBe(home.tenant_id);
  });

  it('works for an account from an invitation or a reset', async () => {
    const home = await service.createTenant();
    await accept(await invite(home, email), PASSWORD);
    const byInvitation = await service.login(email);
    const invitation_token = await invite(tenant, email);
    const asked = { invitation_token, password: null };
    expect((await byInvitation.post('/auth/invitations/accept', asked)).status).toBe(200);

    const path = `/v1/users/${home.admin_user_id}/password-reset`;
    const { reset_token } = (await home.api.post<{ reset_token: string }>(path)).body;
    await service.anonymous.post('/auth/password-reset', { reset_token, password: OWN_PASSWORD });
    const byReset = await service.login(home.admin_email, OWN_PASSWORD);
    expect((await accept(await invite(tenant, home.admin_email), undefined, byReset)).status).toBe(200);
  });

  it('refuses another address (403), an unknown token (404), an admin’s password and a used token (409)', async () => {
    const home = await service.createTenant();
    const client = await service.login(home.admin_email);
    const other = await invite(tenant, email);
    expect((await accept(other, undefined, client)).status).toBe(403);
    expect((await accept('ait_unknown', undefined, client)).status).toBe(404);
    const own = await invite(tenant, home.admin_email.toUpperCase());
    expect((await accept(own, undefined, client)).status).toBe(409);
    const change = { current_password: PASSWORD, new_password: OWN_PASSWORD };
    expect((await client.patch('/v1/me', change)).status).toBe(204);
    expect((await accept(own, undefined, client)).status).toBe(200);
    expect((await accept(own, undefined, client)).status).toBe(409);
    // The membership exists already.
    expect((await accept(await invite(tenant, home.admin_email), undefined, client)).status).toBe(409);
    const nobody = service.anonymous.with({ authorization: 'Bearer nothing' });
    expect((await accept(other, undefined, nobody)).status).toBe(401);
  });

  it('refuses an account whose password an admin has set meanwhile', async () => {
    const home = await service.createTenant();
    await accept(await invite(home, email), PASSWORD);
    const [user] = await service.database.query<{ id: string }>('select id from users where email = $1', [
      email,
    ]);
    await home.api.patch(`/v1/users/${user?.id}`, { password: 'an-admins-choice-5' });
    const client = await service.login(email, 'an-admins-choice-5');
    expect((await accept(await invite(tenant, email), undefined, client)).status).toBe(409);
  });
});

/** A locked account, and two requests that wait for it. */
const heldAccount = async () => {
  const home = await service.createTenant();
  await accept(await invite(home, email), PASSWORD);
  const client = await service.login(email);
  const invitation_token = await invite(tenant, email);
  const { user } = (await client.get<{ user: { id: string } }>('/v1/me')).body;
  const held = await openTransaction(service.database.url, [
    'select from users where id = $1 for update',
    [user.id],
  ]);
  const accepting = () => accept(invitation_token, undefined, client);
  const changing = () => home.api.patch(`/v1/users/${user.id}`, { password: 'an-admins-choice-5' });
  return { held, accepting, changing };
};

describe('an account that accepts while an admin sets its password', () => {
  it('when it joins first keeps its password', async () => {
    const { held, accepting, changing } = await heldAccount();
    const accepted = accepting();
    await lockWaits(service.database, 1);
    const changed = changing();
    await lockWaits(service.database, 2);
    await held.end('commit');
    expect([(await accepted).status, (await changed).status]).toEqual([200, 409]);
  });

  it('when it is changed first does not join', async () => {
    const { held, accepting, changing } = await heldAccount();
    const changed = changing();
    await lockWaits(service.database, 1);
    const accepted = accepting();
    await lockWaits(service.database, 2);
    await held.end('commit');
    expect([(await accepted).status, (await changed).status]).toEqual([409, 200]);
  });
});

it('a tenant created without an admin password has an invitation', async () => {
  const made = await service.operations.post<{ tenant_id: string; invitation_token: string }>(
    '/internal/v1/tenants',
    { name: 'Invited', admin_email: email, admin_password: null, expect_none: null },
  );
  expect([made.status, made.body]).toMatchObject([
    201,
    { admin_user_id: null, expires_at: expect.any(String) },
  ]);
  const accepted = await accept(made.body.invitation_token, PASSWORD);
  expect(accepted.body).toMatchObject({ tenant_id: made.body.tenant_id, role: 'admin' });
});

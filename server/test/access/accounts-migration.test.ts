import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { OWN_PASSWORD, type Pair } from '../support/accounts.ts';
import { queryOnce } from '../support/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { PASSWORD, startTestService, type TestService } from '../support/service.ts';

// An account of several tenants, as it was while accounts belonged to none of them.

const [FIRST, SECOND, ACCOUNT, FORMER] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const EMAIL = 'ada@example.com';
const PATH = `/v1/users/${ACCOUNT}`;

let service: TestService;

beforeAll(async () => {
  const database = await createTestDatabase('template1');
  const migrations = await readMigrations();
  await migrate(
    database.url,
    migrations.filter(({ name }) => name < '0035'),
  );
  await queryOnce(
    database.url,
    `insert into tenants (id, name, wrapped_key) values ($1, 'First', ''), ($2, 'Second', '')`,
    [FIRST, SECOND],
  );
  await queryOnce(
    database.url,
    `insert into users (id, email, password_hash) values ($1, $3, $4), ($2, 'former@example.com', $4)`,
    [ACCOUNT, FORMER, EMAIL, `plain:${PASSWORD}`],
  );
  await queryOnce(
    database.url,
    `insert into memberships (tenant_id, user_id, role, created_at)
     values ($2, $3, 'admin', now()), ($1, $3, 'admin', now() - interval '1 day')`,
    [FIRST, SECOND, ACCOUNT],
  );
  await queryOnce(
    database.url,
    `insert into sessions (tenant_id, user_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    [FIRST, ACCOUNT],
  );
  service = await startTestService({ database, runsJobs: false });
});
afterAll(() => service.stop());

const login = (password: string, tenant_id?: string) =>
  service.anonymous.post<Pair>('/auth/login', { email: EMAIL, password, tenant_id });
const adminOf = async (tenant_id: string) => {
  const key = await service.createKey(tenant_id, { role: 'admin', scopes: ['*'] });
  return service.anonymous.with({ 'x-api-key': key });
};

it('belongs to the tenant that it joined first, and keeps its memberships and its last login', async () => {
  const rows = await service.database.query(
    'select home_tenant_id, password_is_owners, last_login_at is not null as has_login from users where id = any ($1)',
    [[ACCOUNT, FORMER]],
  );
  expect(rows).toEqual(
    expect.arrayContaining([
      { home_tenant_id: FIRST, password_is_owners: false, has_login: true },
      { home_tenant_id: null, password_is_owners: false, has_login: false },
    ]),
  );
  expect((await login(PASSWORD)).body).toMatchObject({ tenant_id: FIRST, role: 'admin' });
  expect((await login(PASSWORD, SECOND)).body).toMatchObject({ tenant_id: SECOND, role: 'admin' });
});

it('is changed by no tenant while it has both, and then by the first alone', async () => {
  const [first, second] = [await adminOf(FIRST), await adminOf(SECOND)];
  const change = { password: 'an-admins-choice-5' };
  for (const admin of [first, second]) expect((await admin.patch(PATH, change)).status).toBe(409);
  const successor = { email: 'next@example.com', password: PASSWORD, role: 'admin' };
  expect((await second.post('/v1/users', successor)).status).toBe(201);
  expect((await second.delete(PATH)).status).toBe(204);
  expect((await first.patch(PATH, change)).status).toBe(200);
});

it('joins another tenant once its owner has chosen its password', async () => {
  const second = await adminOf(SECOND);
  const client = await service.login(EMAIL, 'an-admins-choice-5');
  const invited = { email: EMAIL, role: 'member' };
  const { body } = await second.post<{ invitation_token: string }>('/v1/users/invitations', invited);
  const accept = async () => (await client.post('/auth/invitations/accept', body)).status;
  expect(await accept()).toBe(409);
  await client.patch('/v1/me', { current_password: 'an-admins-choice-5', new_password: OWN_PASSWORD });
  expect(await accept()).toBe(200);
});

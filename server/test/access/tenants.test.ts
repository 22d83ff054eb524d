import { afterAll, beforeAll, expect, it } from 'vitest';
import { withConnection } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import { PATIENT_WAITS, startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
});
afterAll(() => service.stop());

const create = (name: string, more: object = {}) =>
  service.operations.post<{ tenant_id: string }>('/internal/v1/tenants', {
    name,
    admin_email: `${name}@acme.example`,
    admin_password: 'a long password',
    ...more,
  });

const tenants = async () =>
  (await service.operations.get<{ items: { id: string; name: string }[] }>('/internal/v1/tenants')).body
    .items;

// First, because there must be no tenant.
it('are created once by six concurrent requests with expect_none', async () => {
  // No more than a kind of call may have connections: all have to wait in the database.
  const names = Array.from({ length: 6 }, (_, index) => `copy-${index}`);
  const answers = await withConnection(service.database.url, async (client) => {
    // All requests look for a tenant, or wait to, before one inserts.
    await client.query('begin');
    await client.query('lock table tenants in share row exclusive mode');
    const underWay = names.map((name) => create(name, { expect_none: true }));
    await lockWaits(service.database, names.length);
    await client.query('rollback');
    return Promise.all(underWay);
  });
  const [made, ...others] = answers.filter(({ status }) => status === 201);
  expect(others).toEqual([]);
  expect(await tenants()).toMatchObject([{ id: made?.body.tenant_id }]);
  const refused = answers.filter((answer) => answer !== made);
  expect(refused.map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 5 }, () => [412, { detail: 'There is a tenant already' }]),
  );
  const logins = await Promise.all(
    names.map((name) =>
      service.anonymous.post('/auth/login', {
        email: `${name}@acme.example`,
        password: 'a long password',
      }),
    ),
  );
  expect(logins.map(({ status }) => status === 200)).toEqual(answers.map((answer) => answer === made));
});

it('are listed newest first; a request with expect_none gets 412', async () => {
  const made = [await create('first'), await create('second', { expect_none: false })];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect((await create('third', { expect_none: true })).status).toBe(412);
  expect((await tenants()).map(({ id, name }) => [id, name])).toEqual([
    [made[1]?.body.tenant_id, 'second'],
    [made[0]?.body.tenant_id, 'first'],
    [expect.any(String), expect.stringMatching(/^copy-/)],
  ]);
});

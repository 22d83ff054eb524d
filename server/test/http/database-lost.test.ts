import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { queryOnce } from '../support/connection.ts';
import { startTestService, type TestService } from '../support/service.ts';

let test: TestService;

beforeEach(async () => {
  test = await startTestService();
});
afterEach(async () => {
  await letIn(true);
  await test.stop();
});

/** Whether the database takes connections; those that it has are cut off. */
async function letIn(isOpen: boolean): Promise<void> {
  const admin = inject('adminUrl');
  const name = new URL(test.database.url).pathname.slice(1);
  await queryOnce(admin, `alter database ${name} allow_connections ${isOpen}`);
  if (isOpen) return;
  await queryOnce(admin, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
}

const AWAY = { status: 503, body: { detail: 'The database is not reachable' } };

describe('while the database is away', () => {
  it('requests are told so, whether they read, write or log in, and work again when it is back', async () => {
    const { api, admin_email } = await test.createTenant();
    await letIn(false);
    expect(await api.get('/v1/recipes')).toMatchObject(AWAY);
    const written = await api.post('/v1/recipes', { name: 'R' });
    expect(written).toMatchObject(AWAY);
    // Clients send again by themselves what is told a time, and this may have been done.
    expect(written.headers.get('retry-after')).toBeNull();
    const login = { email: admin_email, password: 'x'.repeat(20) };
    expect(await test.anonymous.post('/auth/login', login)).toMatchObject(AWAY);
    expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 503 });
    expect(await test.anonymous.get('/healthz')).toMatchObject({ status: 200 });
    await letIn(true);
    expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 200 });
    expect(await api.post('/v1/recipes', { name: 'R' })).toMatchObject({ status: 201 });
  });
});

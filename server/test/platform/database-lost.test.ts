import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openTransaction, queryOnce } from '../support/connection.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { SilentProxy } from '../support/silent-proxy.ts';

let test: TestService;
let lines: string[];

const MASTER_KEY = Buffer.alloc(32, 7);

beforeEach(async () => {
  lines = [];
  test = await startTestService({
    master_key: MASTER_KEY,
    logger: pino({}, { write: (line) => void lines.push(line) }),
  });
});
afterEach(async () => {
  await letIn(true);
  await test.stop();
});

/** Also cuts off the service's connections. A signal alone would leave each until its process has a turn. */
async function letIn(isOpen: boolean): Promise<void> {
  const admin = inject('adminUrl');
  const name = new URL(test.database.url).pathname.slice(1);
  await queryOnce(admin, `alter database ${name} allow_connections ${isOpen}`);
  if (isOpen) return;
  const cutOff = `select pg_terminate_backend(pid, $2) from pg_stat_activity
                  where datname = $1 and application_name like 'agent-control-plane%'`;
  // All at once: the service may use another while one ends.
  for (const waitMs of [0, 60_000]) await queryOnce(admin, cutOff, [name, waitMs]);
}

/** From now on changes of these rows take until they are cut off, and wait for no lock, which they would give up. */
const stall = (table: string) =>
  queryOnce(
    test.database.url,
    `create function stall() returns trigger language plpgsql as $$ begin perform pg_sleep(25); return new; end $$;
     create trigger stall before update on ${table} for each row execute function stall()`,
  );

const isStalled = () =>
  vi.waitFor(async () => {
    const asleep = `select from pg_stat_activity
                    where datname = current_database() and wait_event = 'PgSleep'`;
    expect(await test.database.query(asleep)).toHaveLength(1);
  }, PATIENT);

const failures = (): unknown[] =>
  lines.filter((line) => line.includes('request failed')).map((line) => JSON.parse(line));

const PATIENT = { timeout: 60_000, interval: 20 };
const AWAY = { status: 503, body: { detail: 'The database is not reachable' } };

describe('while the database is away', () => {
  it('requests that read, write or log in get 503, and work again afterwards', async () => {
    const { api, admin_email } = await test.createTenant();
    await letIn(false);
    const read = await api.get('/v1/recipes');
    expect(read).toMatchObject(AWAY);
    expect(read.headers.get('retry-after')).toBe('1');
    // Nothing was sent to the database, so the request may be repeated.
    await vi.waitFor(async () => {
      const written = await api.post('/v1/recipes', { name: 'R' });
      expect([written.status, written.headers.get('retry-after')]).toEqual([503, '1']);
    }, PATIENT);
    const login = { email: admin_email, password: 'x'.repeat(20) };
    expect(await test.anonymous.post('/auth/login', login)).toMatchObject(AWAY);
    expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 503 });
    expect(await test.anonymous.get('/healthz')).toMatchObject({ status: 200 });
    await letIn(true);
    expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 200 });
    expect(await api.post('/v1/recipes', { name: 'R' })).toMatchObject({ status: 201 });
  });

  it('a request that may have been executed gets no Retry-After', async () => {
    const { api } = await test.createTenant();
    const { body: customer } = await api.post<{ id: string }>('/v1/customers', { email: 'a@example.com' });
    await stall('customers');
    const answered = api.patch(`/v1/customers/${customer.id}`, { company_name: 'C' });
    await isStalled();
    await letIn(false);
    const { status, headers } = await answered;
    expect([status, headers.get('retry-after')]).toEqual([503, null]);
  });

  it('a batch reports the outcome of each message', async () => {
    const { api, admin_email } = await test.createTenant();
    const user = await test.login(admin_email);
    const { body: recipe } = await api.post<{ id: string }>('/v1/recipes', { name: 'R' });
    await stall('recipes');
    const call = { name: 'update_recipe', arguments: { template_id: recipe.id, description: 'D' } };
    const answered = user.request<{ id: number }[]>('POST', '/v1/mcp', {
      json: [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
        { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      ],
      headers: { accept: 'application/json, text/event-stream' },
    });
    await isStalled();
    await letIn(false);
    const { status, body } = await answered;
    expect({ status, body }).toMatchObject({
      status: 200,
      body: [{ id: 1 }, { id: 2, error: { message: 'The database is not reachable' } }],
    });
  });

  it('the log has the cause of each 503', async () => {
    const { api } = await test.createTenant();
    await letIn(false);
    const { headers } = await api.get('/v1/recipes');
    expect(failures()).toEqual([
      expect.objectContaining({
        reqId: headers.get('x-request-id'),
        err: expect.objectContaining({
          type: 'DatabaseUnreachable',
          // The database's error, or that of the ended connection, or that of using it before the pool has noticed.
          message: expect.stringMatching(/not currently accepting|terminating connection|connection error/),
        }),
      }),
    ]);
  });
});

/** For the whole database; the service reconnects with it. */
async function configure(setting: string): Promise<void> {
  const name = new URL(test.database.url).pathname.slice(1);
  await queryOnce(inject('adminUrl'), `alter database ${name} set ${setting}`);
  await letIn(false);
  await letIn(true);
}

/** The first use of a lost connection may fail. */
const isBack = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

const READ_ONLY = { status: 503, body: { detail: 'The database takes no writes' } };

it('writes to a read-only database get 503, and the service is not ready', async () => {
  const { api } = await test.createTenant();
  await configure('default_transaction_read_only = on');
  await isBack(async () => expect(await api.get('/v1/recipes')).toMatchObject({ status: 200 }));
  expect(await api.post('/v1/recipes', { name: 'R' })).toMatchObject(READ_ONLY);
  const unready = { status: 'unready', checks: { database: 'read_only' } };
  expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 503, body: unready });
  await configure('default_transaction_read_only = off');
  await isBack(async () => expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 200 }));
});

it('read-only sessions are replaced', async () => {
  const { api } = await test.createTenant();
  await configure('default_transaction_read_only = on');
  await isBack(async () => expect(await api.post('/v1/recipes', { name: 'R' })).toMatchObject(READ_ONLY));
  const name = new URL(test.database.url).pathname.slice(1);
  await queryOnce(inject('adminUrl'), `alter database ${name} set default_transaction_read_only = off`);
  await isBack(async () =>
    expect(await api.post('/v1/recipes', { name: 'R' })).toMatchObject({ status: 201 }),
  );
  await isBack(async () => expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 200 }));
});

it('a lock_timeout of the database’s owner answers that the database is busy', async () => {
  const { api } = await test.createTenant();
  const { body: recipe } = await api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  await configure(`lock_timeout = '20ms'`);
  await isBack(async () => expect(await api.get('/v1/recipes')).toMatchObject({ status: 200 }));
  const lock = 'select from recipes where id = $1 for update';
  const held = await openTransaction(test.database.url, [lock, [recipe.id]]);
  const { status, body } = await api.put(`/v1/recipes/${recipe.id}`, { description: 'D' });
  expect({ status, body }).toEqual({ status: 503, body: { detail: 'The database is busy' } });
  await held.end('rollback');
});

it('the service is not ready while the database does not respond', async () => {
  const proxy = await SilentProxy.to(Number(new URL(test.database.url).port || 5432));
  const database = { ...test.database, drop: async () => {} };
  database.loginUrl = database.loginUrl.replace(/@[^/]*/, `@127.0.0.1:${proxy.port}`);
  const far = await startTestService({ database, runsJobs: false, master_key: MASTER_KEY });
  expect(await far.anonymous.get('/readyz')).toMatchObject({ status: 200 });
  void proxy.silence();
  expect(await far.anonymous.get('/readyz')).toMatchObject({ status: 503 });
  expect(await far.anonymous.get('/healthz')).toMatchObject({ status: 200 });
  proxy.close();
  await far.stop();
});

it('a full database is reported, and the service is not ready until there is room', async () => {
  const { api } = await test.createTenant();
  await queryOnce(
    test.database.url,
    `create function no_room() returns trigger language plpgsql
       as $$ begin raise disk_full using message = 'No space left on device'; end $$;
     create trigger no_room before insert on recipes execute function no_room()`,
  );
  // Without room, tables cannot be created either.
  const ddl = (change: string) => queryOnce(test.database.url, change);
  await ddl(`create function no_tables() returns event_trigger language plpgsql
               as $$ begin raise disk_full using message = 'No space left on device'; end $$`);
  await ddl('create event trigger no_tables on ddl_command_start execute function no_tables()');
  const FULL = 'The database has no room: its disk is full';
  const { status, body, headers } = await api.post('/v1/recipes', { name: 'R' });
  expect({ status, body }).toEqual({ status: 503, body: { detail: FULL } });
  const unready = { status: 'unready', checks: { database: 'full' } };
  expect(await test.anonymous.get('/readyz')).toMatchObject({ status: 503, body: unready });
  expect(failures()).toEqual([
    expect.objectContaining({
      reqId: headers.get('x-request-id'),
      err: expect.objectContaining({ code: '53100', message: 'No space left on device' }),
    }),
  ]);
  await ddl('drop event trigger no_tables');
  expect(await test.anonymous.get('/readyz')).toMatchObject({
    status: 200,
    body: { checks: { database: 'ok' } },
  });
});

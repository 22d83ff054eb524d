import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { queryOnce } from '../server/test/support/connection.ts';
import { createTestDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { DarkDatabase } from './dark-database.ts';
import { ServerProcess } from './server-process.ts';

const PATIENT = { timeout: 180_000, interval: 20 };
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

let server: ServerProcess;
let database: TestDatabase;
let dark: DarkDatabase;
let base_url: string;
let environment: Record<string, string>;

beforeEach(async () => {
  server = await ServerProcess.inEmptyDirectory();
  database = await createTestDatabase();
  dark = await DarkDatabase.before(database.url);
  const port = await freePort();
  base_url = `http://127.0.0.1:${port}`;
  environment = { DATABASE_URL: dark.urlOf(database.url), MASTER_KEY, PORT: String(port) };
});
afterEach(async () => {
  await server.remove();
  await dark.close();
  await database.drop();
});

const get = (path: string) => fetch(base_url + path).catch(() => undefined);
const isUp = () => vi.waitUntil(async () => (await get('/healthz'))?.ok, PATIENT);

async function readyz(): Promise<unknown> {
  const response = await get('/readyz');
  return response && { status: response.status, ...((await response.json()) as object) };
}

const unready = (state: string) => ({
  status: 'unready',
  detail: expect.stringContaining('The service is starting'),
  checks: { database: state, migrations: 'unknown', isolation: expect.any(String) },
});

/** The service says it at once, waits, and is ready once the database is well. */
async function waitsFor(state: string, reason: RegExp, mend: () => Promise<unknown>): Promise<void> {
  const started = server.startServed(environment);
  await isUp();
  await vi.waitFor(async () => expect(await readyz()).toMatchObject(unready(state)), PATIENT);
  await vi.waitUntil(() => server.output.includes('the start waits for the database'), PATIENT);
  const [line = ''] = server.output.split('\n').filter((text) => text.includes('the start waits'));
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    database: `127.0.0.1:${dark.port}`,
    reason: expect.stringMatching(reason),
  });
  await mend();
  await started;
  expect(await readyz()).toMatchObject({ status: 'ready' });
}

const name = () => new URL(database.url).pathname.slice(1);
const alter = (setting: string) => queryOnce(inject('adminUrl'), `alter database ${name()} ${setting}`);

const ddl = (change: string) => queryOnce(database.url, change);

describe('a start waits for a database', () => {
  it('that is away, and answers meanwhile', async () => {
    await dark.be('away');
    await waitsFor('unreachable', /cannot be reached: .*ECONNREFUSED/, async () => {
      expect((await get('/healthz'))?.status).toBe(200);
      const metrics = await (await get('/metrics'))?.text();
      expect(metrics).toMatch(/^acp_database_up 0$/m);
      expect(metrics).toMatch(/^acp_database_state\{state="unreachable"\} 1$/m);
      for (const path of ['/v1/recipes', '/openapi.json', '/nothing']) {
        const refused = await get(path);
        expect(refused?.status).toBe(503);
        expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(await refused?.json()).toEqual({ detail: 'The service is starting' });
      }
      const tries = dark.tries;
      await dark.be('well');
      expect(tries).toBe(0);
    });
    expect(await (await get('/metrics'))?.text()).toMatch(/^acp_database_up 1$/m);
  });

  it('that swallows what it is sent', async () => {
    await dark.be('silent');
    await waitsFor('unreachable', /cannot be reached: timeout/, () => dark.be('well'));
  });

  it('that takes no writes', async () => {
    await alter('set default_transaction_read_only = on');
    await waitsFor('read_only', /read-only transaction/, () =>
      alter('set default_transaction_read_only = off'),
    );
  });

  it('that lets nobody in for now', async () => {
    await alter('allow_connections false');
    await waitsFor('unreachable', /not currently accepting connections/, () =>
      alter('allow_connections true'),
    );
  });

  it.each([
    ['53300', 'sorry, too many clients already', 'busy'],
    ['57P03', 'the database system is starting up', 'unreachable'],
    ['57P03', 'the database system is in recovery mode', 'unreachable'],
    ['57P01', 'terminating connection due to administrator command', 'unreachable'],
    ['08006', 'the pooler has no server', 'unreachable'],
    ['08P01', 'server login has been failing, try again later', 'unreachable'],
  ])('that says %s, %s', async (code, message, state) => {
    await dark.be({ says: { code, message } });
    await waitsFor(state, new RegExp(message), () => dark.be('well'));
  });

  it('whose disk is full', async () => {
    await ddl('delete from schema_files');
    await ddl(`create function no_room() returns trigger language plpgsql
                 as $$ begin raise disk_full using message = 'No space left on device'; end $$`);
    await ddl('create trigger no_room before insert on schema_files for each row execute function no_room()');
    await waitsFor('full', /No space left on device/, () => ddl('drop trigger no_room on schema_files'));
  });

  it('that refuses TLS', async () => {
    const url = new URL(environment.DATABASE_URL ?? '');
    url.searchParams.set('sslmode', 'require');
    environment = { ...environment, DATABASE_URL: url.href };
    void server.startServed(environment).catch(() => {});
    await isUp();
    await vi.waitUntil(() => server.output.includes('does not support SSL'), PATIENT);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('whose name is not known yet, and can be stopped meanwhile', async () => {
    environment = { ...environment, DATABASE_URL: 'postgres://u:secret-word@database.invalid/none' };
    void server.startServed(environment).catch(() => {});
    await isUp();
    await vi.waitUntil(() => server.output.includes('the start waits for the database'), PATIENT);
    expect(server.output).toMatch(/"database":"database\.invalid:5432".*(?:ENOTFOUND|EAI_AGAIN)/);
    expect(server.output).not.toContain('secret-word');
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

it.each([500, 2_000, 5_000, 10_000, 20_000, 40_000])(
  'a start whose connections are cut after %i bytes goes on where it can',
  async (cutAfter) => {
    await queryOnce(database.url, 'delete from schema_files');
    await dark.be({ cutAfter });
    const started = server.startServed(environment);
    await isUp();
    await vi.waitUntil(() => dark.tries > 3, PATIENT);
    await dark.be('well');
    await started;
    expect(await readyz()).toMatchObject({ status: 'ready' });
  },
);

it('a limit of the database on statements does not end a start', async () => {
  await queryOnce(database.url, 'delete from schema_files');
  await alter('set statement_timeout = 50');
  await server.startServed(environment);
  expect(await readyz()).toMatchObject({ status: 'ready' });
});

const ends = async (change: Record<string, string>, line: RegExp) => {
  const error = await server
    .startServed({ ...environment, ...change })
    .catch((reason: unknown) => reason as Error);
  expect((error as Error).message).toMatch(line);
  expect((error as Error).message.trim().split('\n')).toHaveLength(1);
};
const withUrl = (parts: Partial<URL>) => ({
  DATABASE_URL: Object.assign(new URL(environment.DATABASE_URL ?? ''), parts).href,
});

describe('a start ends in one line with', () => {
  it('a database that is not there', () =>
    ends(
      withUrl({ pathname: '/acp_none' }),
      /^The server ended with 1: The database .* "acp_none" does not exist/,
    ));

  it.each([
    ['28P01', 'password authentication failed for user "u"'],
    ['28000', 'no pg_hba.conf entry for host "127.0.0.1"'],
    ['42501', 'permission denied for database "d"'],
  ])('a refusal that lasts: %s', async (code, message) => {
    await dark.be({ says: { code, message } });
    await ends(
      {},
      new RegExp(
        `^The server ended with 1: The database \\(DATABASE_URL\\) cannot be reached: ${message.slice(0, 15)}`,
      ),
    );
  });

  it('a database that is ahead', async () => {
    await database.query(
      `insert into schema_migrations (name, sha256, oldest) values ('9999_far.sql', '', 9999)`,
    );
    await ends({}, /^The server ended with 1: The database is ahead of this version/);
  });

  it('another MASTER_KEY', async () => {
    await server.startServed(environment);
    await server.end('SIGTERM');
    const other = randomBytes(32).toString('base64');
    await ends({ MASTER_KEY: other }, /^The server ended with 1: MASTER_KEY is not the one/);
  });

  it('a login without rights', async () => {
    const login = `acp_test_${randomBytes(6).toString('hex')}`;
    await queryOnce(inject('adminUrl'), `create role ${login} login password 'secret'`);
    await queryOnce(database.url, 'delete from schema_files');
    await ends(
      withUrl({ username: login, password: 'secret' }),
      /^The server ended with 1: .*permission denied/,
    );
    await queryOnce(inject('adminUrl'), `drop role ${login}`);
  });
});

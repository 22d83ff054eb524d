import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readSchema, type Schema } from '../../src/platform/db/schema-files.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { databaseUrl, openTransaction, queryOnce } from '../support/connection.ts';

let directory: string;
let name: string;
let url: string;

// An empty database, because the template of other tests is already migrated.
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'acp-migrations-'));
  await Promise.all(['migrations', 'src'].map((name) => mkdir(join(directory, name))));
  name = `acp_test_${randomBytes(6).toString('hex')}`;
  await queryOnce(inject('adminUrl'), `create database ${name}`);
  url = databaseUrl(inject('adminUrl'), name);
});
afterEach(async () => {
  await queryOnce(inject('adminUrl'), `drop database ${name} with (force)`);
  await rm(directory, { recursive: true });
});

/** Adds numbered files and files of rooms to the test's directory. @returns its schema */
async function files(texts: Record<string, string>): Promise<Schema> {
  for (const [file, text] of Object.entries(texts)) {
    const path = join(directory, file.includes('/') ? 'src' : 'migrations', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return readSchema(directory);
}
/** A version of the service with only the first migration. */
const older = async (): Promise<Schema> => {
  const { migrations, roomFiles } = await files({});
  return { migrations: migrations.slice(0, 1), roomFiles };
};
const applied = () => queryOnce<{ name: string }>(url, 'select name from schema_migrations order by name');

const withParameter = (of: string, parameter: string) => `${of}${of.includes('?') ? '&' : '?'}${parameter}`;

const FIRST = { '0001_first.sql': 'create table first (n int); insert into first values (1);' };
const SECOND = { '0002_second.sql': 'insert into first values (2);' };

it('applies new migrations once, in order', async () => {
  expect(await migrate(url, await files(FIRST))).toEqual(['0001_first.sql']);
  expect(await migrate(url, await files(SECOND))).toEqual(['0002_second.sql']);
  expect(await migrate(url, await files({}))).toEqual([]);
  expect(await queryOnce(url, 'select n from first order by n')).toEqual([{ n: 1 }, { n: 2 }]);
});

it('refuses a newer database in one line with advice', async () => {
  await migrate(url, await files({ ...FIRST, ...SECOND }));
  const refusal = await migrate(url, await older()).catch((error: Error) => error.message);
  expect(refusal).toMatch(/^The database is ahead of .*0002_second\.sql.*newer one\.$/);
});

it('refuses a migration that changed after it was applied, and names it', async () => {
  await migrate(url, await files(FIRST));
  const changed = await files({ '0001_first.sql': `${FIRST['0001_first.sql']} -- changed` });
  await expect(migrate(url, changed)).rejects.toThrow(
    /^Migration 0001_first\.sql was applied with other contents/,
  );
});

it('applies once when ten processes start at once', async () => {
  const migrations = await files({ ...FIRST, ...SECOND });
  const results = await Promise.all(Array.from({ length: 10 }, () => migrate(url, migrations)));
  expect(results.flat()).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await queryOnce(url, 'select count(*)::int as n from first')).toEqual([{ n: 2 }]);
});

it('logs one line for a new database, and the name of each later migration', async () => {
  const log = { info: vi.fn(), warn: vi.fn() };
  await migrate(url, await files(FIRST), undefined, log);
  await migrate(url, await files({ ...FIRST, ...SECOND }), undefined, log);
  await migrate(url, await files({ ...FIRST, ...SECOND }), undefined, log);
  expect(log.info.mock.calls).toEqual([
    [{ migrations: 1 }, 'a new database was migrated'],
    [{ migration: '0002_second.sql' }, 'a migration was applied'],
  ]);
});

it('applies a migration atomically, keeps earlier ones and names the failed one', async () => {
  const migrations = await files({
    ...FIRST,
    '0002_broken.sql': 'create table third (n int); select 1 / 0;',
  });
  await expect(migrate(url, migrations)).rejects.toThrow(
    /^Migration 0002_broken\.sql failed: division by zero$/,
  );
  expect(await applied()).toEqual([{ name: '0001_first.sql' }]);
  expect(await queryOnce(url, `select to_regclass('third') as third`)).toEqual([{ third: null }]);
});

it('retries a migration that waits for a reader, so that others do not wait behind it', async () => {
  await migrate(url, await files(FIRST));
  const reader = await openTransaction(url, ['select from first', []]);
  const waits = new EventEmitter();
  const log = { info: () => {}, warn: (values: object) => void waits.emit('waits', values) };
  const waiting = once(waits, 'waits');
  const done = migrate(
    url,
    await files({ '0002_wider.sql': 'alter table first add column m int' }),
    undefined,
    log,
  );
  // The migration now waits for the lock; later readers wait as long as it does at most.
  expect(await waiting).toEqual([{ migration: '0002_wider.sql', tries: 1 }]);
  expect(await queryOnce(url, 'select n from first')).toEqual([{ n: 1 }]);
  await reader.end('commit');
  expect(await done).toEqual(['0002_wider.sql']);
  expect(await queryOnce(url, 'select n, m from first')).toEqual([{ n: 1, m: null }]);
});

it('lets an older version start if the newest migration allows it, and logs that', async () => {
  const allowing = { '0002_second.sql': `-- oldest service: 0001\n${SECOND['0002_second.sql']}` };
  await migrate(url, await files({ ...FIRST, ...allowing }));
  const log = { info: vi.fn(), warn: vi.fn() };
  expect(await migrate(url, await older(), undefined, log)).toEqual([]);
  expect(log.warn).toHaveBeenCalledWith(
    { ahead: '0002_second.sql' },
    expect.stringContaining('may still run'),
  );
});

it('connects to the writable one of several servers', async () => {
  const migrations = await files(FIRST);
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  const { host } = new URL(url);
  const several = url.replace(`@${host}`, `@127.0.0.1:${port},${host}`);
  const writable = `target_session_attrs=read-write`;
  expect(await migrate(withParameter(several, writable), migrations)).toEqual(['0001_first.sql']);
  const readOnly = withParameter(
    withParameter(url, 'options=-c%20default_transaction_read_only%3Don'),
    writable,
  );
  await expect(migrate(readOnly, migrations)).rejects.toThrow(/names no server that takes writes/);
});

it.each([
  ['makes a role without the right to', { '0001_role.sql': 'create role acp_test_never' }],
  ['writes where it owns nothing', FIRST],
])('names the required rights when the login %s', async (_what, texts) => {
  const login = `acp_test_${randomBytes(6).toString('hex')}`;
  await queryOnce(inject('adminUrl'), `create role ${login} login password 'secret'`);
  const asLogin = Object.assign(new URL(url), { username: login, password: 'secret' }).href;
  if (texts !== FIRST) await queryOnce(url, `grant create on schema public to ${login}`);
  await expect(migrate(asLogin, await files(texts))).rejects.toThrow(
    /permission denied .*: the login has to own the database, with createrole \(docs\/deploy-to-a-server\.md\)$/,
  );
  await queryOnce(url, `drop owned by ${login}`);
  await queryOnce(inject('adminUrl'), `drop role ${login}`);
});

it('names the setting when the server is read-only', async () => {
  const standby = withParameter(url, 'options=-c%20default_transaction_read_only%3Don');
  await expect(migrate(standby, await files(FIRST))).rejects.toThrow(
    /read-only transaction: DATABASE_URL has to name a server that takes writes, no standby$/,
  );
});

it('ignores files that are not migrations', async () => {
  expect(await files({ 'README.md': 'x', '0001-dashes.sql': 'x', '1_short.sql': 'x' })).toMatchObject({
    migrations: [],
  });
});

it('migrates an empty database to the service’s schema', async () => {
  const { migrations, roomFiles } = await readSchema();
  const names = [...migrations, ...roomFiles].map(({ name }) => name);
  expect(await migrate(url, { migrations, roomFiles })).toEqual(names);
  expect(names).toContain('conversations/keeping.sql');
  expect(names.at(-1)).toMatch(/\/tables\.sql$/);
});

const says = (word: string) => `create or replace function word() returns text return '${word}';`;
const word = () => queryOnce(url, 'select word()');

describe('the SQL of rooms', () => {
  it('is applied after migrations, and again when it changes', async () => {
    const first = await files({ ...FIRST, 'room/words.sql': says('one') });
    expect(await migrate(url, first)).toEqual(['0001_first.sql', 'room/words.sql']);
    expect(await migrate(url, first)).toEqual([]);
    expect(await migrate(url, await files({ 'room/words.sql': says('two') }))).toEqual(['room/words.sql']);
    expect(await word()).toEqual([{ word: 'two' }]);
  });

  it('may use other files’ functions, and calls them in tables.sql', async () => {
    const schema = await files({
      ...FIRST,
      'a/tables.sql': 'call fill();',
      'a/uses.sql': `create or replace function uses() returns text language sql as 'select word()';`,
      'b/fill.sql': `create or replace procedure fill() language sql as 'insert into first values (3)';`,
      'b/words.sql': says('one'),
    });
    await migrate(url, schema);
    expect(await queryOnce(url, 'select uses(), count(*)::int as rows from first')).toEqual([
      { uses: 'one', rows: 2 },
    ]);
  });

  it('is not replaced by an older version', async () => {
    await migrate(
      url,
      await files({
        ...FIRST,
        '0002_second.sql': `-- oldest service: 0001\n${SECOND['0002_second.sql']}`,
        'room/words.sql': says('new'),
      }),
    );
    await files({ 'room/words.sql': says('old') });
    expect(await migrate(url, await older())).toEqual([]);
    expect(await word()).toEqual([{ word: 'new' }]);
    expect(await queryOnce(url, 'select name, version from schema_files')).toEqual([
      { name: 'room/words.sql', version: 2 },
    ]);
  });

  it('is applied atomically, and named when it fails', async () => {
    const broken = await files({ ...FIRST, 'room/words.sql': `${says('one')} select 1 / 0;` });
    await expect(migrate(url, broken)).rejects.toThrow(
      /^Migration room\/words\.sql failed: division by zero$/,
    );
    expect(await queryOnce(url, `select to_regproc('word') as word`)).toEqual([{ word: null }]);
  });
});

it('refuses a database from before the baseline in one sentence', async () => {
  await queryOnce(url, 'create table schema_migrations (name text primary key, sha256 text not null)');
  await expect(migrate(url, await files(FIRST))).rejects.toThrow(
    /^The database cannot be migrated: it was made by a version from before the first release .*: start with a new one$/,
  );
});

it('names the missing grant when the login may not become a required role, as after a restore', async () => {
  const login = `acp_test_${randomBytes(6).toString('hex')}`;
  await queryOnce(inject('adminUrl'), `create role ${login} login createrole password 'secret'`);
  await queryOnce(inject('adminUrl'), `alter database ${name} owner to ${login}`);
  const asLogin = Object.assign(new URL(url), { username: login, password: 'secret' }).href;
  await expect(
    migrate(asLogin, await files({ '0001_first.sql': 'set local role acp_system;' })),
  ).rejects.toThrow(
    /^Migration 0001_first\.sql failed: permission denied to set role "acp_system": grant acp_service, .* to the login of /,
  );
  await queryOnce(inject('adminUrl'), `alter database ${name} owner to current_user`);
  // schema_migrations.
  await queryOnce(url, `drop owned by ${login}`);
  await queryOnce(inject('adminUrl'), `drop role ${login}`);
});

it('numbers the service’s migrations without gaps and duplicates', async () => {
  const numbers = (await readSchema()).migrations.map((migration) => Number(migration.name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

it('names the setting of a missing file', async () => {
  const failure = migrate('postgres://127.0.0.1/none?sslrootcert=/none.pem', await files({}));
  await expect(failure).rejects.toThrow(/^The database \(DATABASE_URL\) cannot be reached: ENOENT/);
});

it('names the setting when the server does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const failure = migrate(`postgres://u:p@127.0.0.1:${port}/none`, await files({}));
  await expect(failure).rejects.toThrow(/^The database \(DATABASE_URL\) cannot be reached: timeout/);
  silent.close();
});

// With DATABASE_URL, services use the operator's login.
it.runIf(inject('loginUrl') !== inject('adminUrl'))(
  'works with a login that owns nothing, so a statement that leaves its role does not reach a superuser',
  async () => {
    const loginUrl = databaseUrl(inject('loginUrl'), name);
    const servedBy = new URL(loginUrl).username;
    await migrate(url, await readSchema(), servedBy);
    const db = new Database({ url: loginUrl, maxConnections: 1, onError: () => {} });
    const rights = sql<{ login: string; rolsuper: boolean; reads: boolean; owns: boolean }>`
      select rolname::text as login, rolsuper, has_table_privilege('staff', 'select') as reads,
             exists (select from pg_class where relowner = pg_roles.oid) as owns
      from pg_roles where rolname = current_user`.one();
    const none = { rolsuper: false, reads: false, owns: false };
    const ways = [sql`reset role`, sql`set role none`, sql`set session authorization default`];
    try {
      await db.checkSession();
      const q = db.tenant(randomUUID());
      const logins: string[] = [];
      for (const leave of ways) {
        const { after } = await q.run({ leave, after: rights });
        const { login, ...held } = after;
        logins.push(login);
        expect(held).toEqual(none);
        await expect(q.run(leave, sql`set role postgres`)).rejects.toThrow('permission denied to set role');
      }
      expect(logins).toEqual(['acp_service', servedBy, 'acp_service']);
      await expect(q.run(sql`set role none`, sql`select from staff`)).rejects.toThrow(
        'permission denied for table staff',
      );
    } finally {
      await db.close();
    }
    expect(await migrate(url, await readSchema(), servedBy)).toEqual([]);
  },
);

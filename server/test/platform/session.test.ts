import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionOptions } from '../../src/platform/db/connection-options.ts';
import { Database } from '../../src/platform/db/database.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Pooler } from '../support/pooler.ts';
import { startTestService } from '../support/service.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function withOptions(server: string, options: string): string {
  const url = new URL(server);
  url.searchParams.set('options', options);
  return url.href;
}

describe('a DATABASE_URL with options of its own', () => {
  it('keeps them, with lower precedence than the service’s own', async () => {
    const url = withOptions(database.url, '-c timezone=Asia/Tokyo -c statement_timeout=1 -c work_mem=5MB');
    const db = new Database({ url, maxConnections: 1, onError: () => {} });
    const shown = sql<Record<string, string>>`
      select current_setting('timezone') as timezone, current_setting('statement_timeout') as statement_timeout,
             current_setting('work_mem') as work_mem, current_setting('jit') as jit, session_user::text <> current_user::text as is_in_a_role`;
    const expected = {
      timezone: 'UTC',
      statement_timeout: '30s',
      work_mem: '5MB',
      jit: 'off',
      is_in_a_role: true,
    };
    expect(await db.system.run(shown)).toEqual([expected]);
    expect(await db.transaction({ role: 'system' }, (tx) => tx.run(shown))).toEqual([expected]);
    await db.close();
  });
});

describe('a pooler that does not forward startup options', () => {
  it.each(['refused', 'left out'] as const)('options %s: the start fails with one line', async (how) => {
    const pooler = await Pooler.before(Number(new URL(database.url).port || 5432), how);
    const [plain = ''] = database.url.split('?');
    const url = plain.replace(/@[^/]*/, `@127.0.0.1:${pooler.port}`);
    const started = startTestService({ database: { ...database, url, loginUrl: url } });
    await expect(started).rejects.toThrow(
      /^DATABASE_URL has to lead to PostgreSQL itself, or to a pooler that passes on the parameter "options"/,
    );
    pooler.close();
  });
});

describe('a login without one of the service’s roles, as after a restore on a newer server', () => {
  const ROLES = ['acp_service', 'acp_tenant', 'acp_system'];

  it.each(ROLES)('lacks %s: the start fails with the missing grant', async (lacking) => {
    const login = `acp_test_${randomBytes(6).toString('hex')}`;
    const granted = ROLES.filter((role) => role !== lacking);
    await database.query(`create role ${login} login password 'secret'`);
    await database.query(`grant ${granted.join(', ')} to ${login}`);
    const url = Object.assign(new URL(database.url), { username: login, password: 'secret' }).href;
    const db = new Database({ url, maxConnections: 1, onError: () => {} });
    await expect(db.checkSession()).rejects.toThrow(
      `permission denied to set role "${lacking}": grant ${ROLES.join(', ')} to the login of DATABASE_URL`,
    );
    await db.close();
    await database.query(`drop role ${login}`);
  });
});

describe('connectionOptions', () => {
  it('do not change a URL without options', () => {
    const url = 'postgres://u:p%2Fw@/db?host=/run/postgresql&sslmode=disable';
    expect(connectionOptions(url, ['role=a', 'b=c'])).toEqual({
      connectionString: url,
      options: '-c role=a -c b=c',
    });
  });

  it('take options out of a URL, because pg would prefer them to the given ones', () => {
    expect(connectionOptions('postgres://h/db?options=endpoint%3De&sslmode=disable', ['role=a'])).toEqual({
      connectionString: 'postgres://h/db?sslmode=disable',
      options: 'endpoint=e -c role=a',
    });
  });
});

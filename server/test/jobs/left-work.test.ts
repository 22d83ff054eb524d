import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { databaseUrl, queryOnce, withConnection } from '../support/connection.ts';

const login = `acp_test_${randomBytes(6).toString('hex')}`;
let name: string;
let url: string;

// An empty database of a login that row-level security counts for: the template of the other tests is migrated already.
beforeEach(async () => {
  name = `acp_test_${randomBytes(6).toString('hex')}`;
  const admin = inject('adminUrl');
  await queryOnce(admin, `create database ${name}`);
  await queryOnce(admin, `create role ${login} login createrole password 'secret'`);
  await queryOnce(admin, `alter database ${name} owner to ${login}`);
  url = databaseUrl(admin, name);
  // Another database of the server has made these roles, and from PostgreSQL 16 on they are not the login's to take.
  await queryOnce(url, `grant acp_service, acp_tenant, acp_system, acp_jobs to ${login}`);
});
afterEach(async () => {
  await queryOnce(inject('adminUrl'), `drop database ${name} with (force)`);
  await queryOnce(inject('adminUrl'), `drop role ${login}`);
});

it('makes jobs for the tasks and messages that an earlier version left, and drops the jobs that it kept', async () => {
  const asLogin = Object.assign(new URL(url), { username: login, password: 'secret' }).href;
  const migrations = await readMigrations();
  const jobs = migrations.findIndex((migration) => migration.name.endsWith('_jobs.sql'));
  await migrate(asLogin, migrations.slice(0, jobs));
  const [tenant, instance, endpoint, task] = Array.from({ length: 4 }, () => crypto.randomUUID());
  await withConnection(url, async (client) => {
    await client.query(`set session_replication_role = replica`); // without the tenant and the rest that they are of
    await client.query(
      `insert into tasks (id, tenant_id, instance_id, kind, status)
       values ($1, $2, $3, 'start', 'running'), (gen_random_uuid(), $2, $3, 'stop', 'succeeded')`,
      [task, tenant, instance],
    );
    await client.query(
      `insert into channel_messages (number, tenant_id, endpoint_id, instance_id, channel, message_id, external_id, raw,
                                     status, give_up_at)
       select n, $1, $2, $3, 'chatapp', n, sender, '{}', status, now()
       from (values (1, 'a', 'pending'), (2, 'a', 'pending'), (3, 'b', 'delivered'), (4, 'c', 'pending'))
         as m (n, sender, status)`,
      [tenant, endpoint, instance],
    );
    await client.query('set role acp_jobs');
    await client.query(
      'create table pgboss.job (id int); create function pgboss.make() returns int return 1',
    );
  });
  await migrate(asLogin, migrations.slice(0, jobs + 1));
  const made = await queryOnce(
    url,
    'select kind, key, tenant_id, lane, due_at <= now() as is_due from jobs order by key',
  );
  const message = { kind: 'forward_messages', tenant_id: tenant, lane: instance, is_due: true };
  expect(made).toHaveLength(3);
  expect(made).toEqual(
    expect.arrayContaining([
      { kind: 'run_task', key: task, tenant_id: tenant, lane: 'default', is_due: true },
      { ...message, key: `${endpoint}:a` },
      { ...message, key: `${endpoint}:c` },
    ]),
  );
  expect(await queryOnce(url, `select to_regnamespace('pgboss') as schema`)).toEqual([{ schema: null }]);
});

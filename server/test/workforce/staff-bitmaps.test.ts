import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { databaseUrl, queryOnce } from '../support/connection.ts';
import type { TestDatabase } from '../support/database.ts';
import { staffFaults } from '../support/staff-faults.ts';

const name = `acp_test_${randomBytes(6).toString('hex')}`;
const password = randomBytes(12).toString('hex');

/** Of the superuser, and of a login that owns a database and is none, as in production. */
let superuser: string;
let owner: string;

beforeAll(async () => {
  const admin = inject('adminUrl');
  await queryOnce(admin, `create role ${name} login password '${password}'`);
  await queryOnce(admin, `grant acp_service, acp_tenant, acp_system, acp_jobs to ${name} with admin option`);
  await queryOnce(admin, `create database ${name} owner ${name}`);
  superuser = databaseUrl(admin, name);
  const ownerUrl = new URL(superuser);
  [ownerUrl.username, ownerUrl.password] = [name, password];
  owner = ownerUrl.href;
});
afterAll(async () => {
  const admin = inject('adminUrl');
  await queryOnce(admin, `drop database if exists ${name} with (force)`);
  await queryOnce(admin, `drop role ${name}`);
});

it('files the staff that were there before, for a login that is no superuser', async () => {
  const migrations = await readMigrations();
  const before = migrations.filter((migration) => migration.name < '0022');
  await migrate(owner, before);
  const [tenant, customer, other] = [randomUUID(), randomUUID(), randomUUID()];
  await queryOnce(superuser, `insert into tenants (id, name, wrapped_key) values ($1, 'Tenant', '')`, [
    tenant,
  ]);
  await queryOnce(
    superuser,
    `insert into customers (id, tenant_id, timezone) values ($2, $1, 'Europe/Berlin'), ($3, $1, 'UTC')`,
    [tenant, customer, other],
  );
  const insert = `
    insert into staff (tenant_id, customer_id, name, role, tier, skills, certifications, inductions)
    select $1, $2, 'P' || n % 1000, 'employee', 1 + n % 5, jsonb_build_array('s' || n % 3, 'S' || n % 3),
           jsonb_build_array(jsonb_build_object('type', 'C', 'expires_at', (current_date + n % 20 - 10)::text)), '["site"]'
    from generate_series(1, $3::integer) n`;
  await queryOnce(superuser, insert, [tenant, customer, 5000]);
  await queryOnce(superuser, insert, [tenant, other, 3]);

  await migrate(owner, migrations);
  const database = { query: (text: string) => queryOnce(superuser, text) } as TestDatabase;
  expect(await staffFaults(database)).toEqual([]);
  expect(
    await queryOnce(superuser, 'select count(*)::int from staff_chunks group by customer_id order by 1'),
  ).toEqual([{ count: 1 }, { count: 2 }]);
  const found = await queryOnce(
    superuser,
    `select total from search_staff($1, '{skill}', '{s1}', now(), 1, 0)`,
    [customer],
  );
  expect(found).toEqual([{ total: '1667' }]);
});

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import type { TestDatabase } from '../support/database.ts';
import { staffFaults } from '../support/staff-faults.ts';

const name = `acp_test_${randomBytes(6).toString('hex')}`;
const password = randomBytes(12).toString('hex');

/** Of the superuser, and of a login that owns a database and is none, as in production. */
let superuser: URL;
let owner: URL;

async function query(url: URL, text: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const admin = new URL(inject('adminUrl'));
  await query(admin, `create role ${name} login password '${password}'`);
  await query(admin, `grant acp_service, acp_tenant, acp_system, acp_jobs to ${name} with admin option`);
  await query(admin, `create database ${name} owner ${name}`);
  superuser = new URL(admin);
  superuser.pathname = `/${name}`;
  owner = new URL(superuser);
  [owner.username, owner.password] = [name, password];
});
afterAll(async () => {
  const admin = new URL(inject('adminUrl'));
  await query(admin, `drop database if exists ${name} with (force)`);
  await query(admin, `drop role ${name}`);
});

it('files the staff that were there before, for a login that is no superuser', async () => {
  const migrations = await readMigrations();
  const before = migrations.filter((migration) => migration.name < '0022');
  await migrate(owner.href, before);
  const [tenant, customer, other] = [randomUUID(), randomUUID(), randomUUID()];
  await query(superuser, `insert into tenants (id, name, wrapped_key) values ($1, 'Tenant', '')`, [tenant]);
  await query(
    superuser,
    `insert into customers (id, tenant_id, timezone) values ($2, $1, 'Europe/Berlin'), ($3, $1, 'UTC')`,
    [tenant, customer, other],
  );
  const insert = `
    insert into staff (tenant_id, customer_id, name, role, tier, skills, certifications, inductions)
    select $1, $2, 'P' || n % 1000, 'employee', 1 + n % 5, jsonb_build_array('s' || n % 3, 'S' || n % 3),
           jsonb_build_array(jsonb_build_object('type', 'C', 'expires_at', (current_date + n % 20 - 10)::text)), '["site"]'
    from generate_series(1, $3::integer) n`;
  await query(superuser, insert, [tenant, customer, 5000]);
  await query(superuser, insert, [tenant, other, 3]);

  await migrate(owner.href, migrations);
  const database = { query: (text: string) => query(superuser, text) } as TestDatabase;
  expect(await staffFaults(database)).toEqual([]);
  expect(
    await query(superuser, 'select count(*)::int from staff_chunks group by customer_id order by 1'),
  ).toEqual([{ count: 1 }, { count: 2 }]);
  const found = await query(superuser, `select total from search_staff($1, '{skill}', '{s1}', now(), 1, 0)`, [
    customer,
  ]);
  expect(found).toEqual([{ total: '1667' }]);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { databaseUrl, queryOnce } from '../support/connection.ts';

const name = `acp_test_${randomBytes(6).toString('hex')}`;
const password = randomBytes(12).toString('hex');

/** The superuser's URL, and that of a login that owns the database and is no superuser, as in production. */
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

it('finds the staff of a former version right after the migration', async () => {
  const migrations = await readMigrations();
  await migrate(
    owner,
    migrations.filter((migration) => migration.name < '0034'),
  );
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
  const total = async (kinds: string[], labels: string[]) => {
    const rows = await queryOnce<{ total: string }>(
      superuser,
      `select total from search_staff($1, $2, $3, now(), 1, 0)`,
      [customer, kinds, labels],
    );
    return Number(rows[0]?.total);
  };
  const certified = await queryOnce<{ count: number }>(
    superuser,
    `select count(*)::integer from staff
     where customer_id = $1 and (certifications -> 0 ->> 'expires_at')::date >= (now() at time zone 'Europe/Berlin')::date`,
    [customer],
  );
  expect(await total([], [])).toBe(5000);
  expect(await total(['skill', 'skill'], ['s1', 'S1'])).toBe(1667);
  expect(await total(['tier', 'induction', 'status'], ['2', 'SITE', 'active'])).toBe(1000);
  expect(await total(['certification'], ['c'])).toBe(certified[0]?.count);
  await queryOnce(superuser, `delete from staff where tier = 2`);
  await queryOnce(superuser, `update staff set skills = '["new"]' where tier = 3`);
  expect(await total([], [])).toBe(4000);
  expect(await total(['skill', 'tier'], ['new', '3'])).toBe(1000);
  expect(await total(['skill', 'tier'], ['s1', '3'])).toBeNaN();
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chainAllChanges } from '../../src/audit/changes.ts';
import { eraseOldLines } from '../../src/logs/instance-logs.db.ts';
import { defaultRetention, purge } from '../../src/operating/retention.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createTenantRows } from '../support/tenant-rows.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterAll(() => service.stop());

const query = (text: string, values: unknown[] = []) =>
  service.database.query<{ count: number }>(text, values);
const countOf = async (table: string, condition: string, values: unknown[] = []) =>
  (await query(`select count(*)::int as count from ${table} where ${condition}`, values))[0]?.count;
const run = () => purge(service.service.services, new AbortController().signal);

it('deletes sessions a day after their end, and the first of a family with its last', async () => {
  const { tenant_id, admin_user_id } = await service.createTenant();
  const insert = async (ended: string, family_id: string | null = null, revoked: string | null = null) => {
    const id = randomUUID();
    await query(
      `insert into sessions (id, tenant_id, user_id, expires_at, revoked_at, family_id)
       values ($1, $2, $3, now() + $4::interval, now() + $5::interval, $6)`,
      [id, tenant_id, admin_user_id, ended, revoked, family_id],
    );
    return id;
  };
  const first = await insert('-3 days');
  await insert('-2 hours', first);
  const kept = [first, await insert('2 days'), await insert('2 days', null, '-2 hours')];
  const gone = [await insert('-25 hours'), await insert('9 days', null, '-25 hours')];
  await run();
  expect(await countOf('sessions', 'id = any($1)', [kept])).toBe(kept.length);
  expect(await countOf('sessions', 'id = any($1)', [gone])).toBe(0);
  await query(`update sessions set expires_at = now() - interval '2 days' where family_id = $1`, [first]);
  await run();
  await run();
  expect(await countOf('sessions', 'id = $1 or family_id = $1', [first])).toBe(0);
});

it('deletes messages whose content is gone, 30 days after they were delivered, and events after a year', async () => {
  const tenant = await service.createTenant();
  const { instance_id } = await createTenantRows(service, tenant);
  const add = (finished: string | null, erase: string | null) =>
    query(
      `insert into channel_messages (tenant_id, instance_id, channel, message_id, external_id, status, give_up_at,
         finished_at, erase_at)
       values ($1, $2, 'chatapp', $3, 'x', $4, now(), now() - $5::interval, now() + $6::interval)`,
      [tenant.tenant_id, instance_id, `old ${finished} ${erase}`, 'dead', finished, erase],
    );
  await add('31 days', null);
  await add('29 days', null);
  await add('31 days', '10 days');
  await query(
    `insert into instance_events (tenant_id, instance_id, at, "to", message)
     values ($1, $2, now() - interval '366 days', 'running', 'old'), ($1, $2, now() - interval '364 days', 'running', 'young')`,
    [tenant.tenant_id, instance_id],
  );
  await run();
  expect(
    await countOf('channel_messages', `message_id like 'old %' and tenant_id = $1`, [tenant.tenant_id]),
  ).toBe(2);
  expect(await countOf('channel_messages', `message_id = 'old 31 days null'`)).toBe(0);
  expect(await countOf('instance_events', `message = 'old'`)).toBe(0);
  expect(await countOf('instance_events', `message = 'young'`)).toBe(1);
});

it('deletes an instance a year after its end, with all that refers to it, and no other', async () => {
  const [mine, theirs] = [await service.createTenant(), await service.createTenant()];
  const { instance_id } = await createTenantRows(service, mine);
  const { instance_id: other } = await createTenantRows(service, theirs);
  const young = `update instances set status = 'terminated', updated_at = now() - interval '364 days' where id = $1`;
  await query(young, [instance_id]);
  await query(young, [other]);
  await run();
  expect(await countOf('instances', 'id = any($1)', [[instance_id, other]])).toBe(2);
  await query(`update instances set updated_at = now() - interval '366 days' where id = $1`, [instance_id]);
  await run();
  expect(await countOf('instances', 'id = $1', [instance_id])).toBe(0);
  expect(await countOf('instances', 'id = $1', [other])).toBe(1);
  for (const table of ['tasks', 'deployments', 'instance_events', 'certificates', 'conversations']) {
    expect(await countOf(table, 'instance_id = $1', [instance_id]), table).toBe(0);
  }
});

it('deletes what runtimes said a day ago', async () => {
  const tenant = await service.createTenant();
  const { instance_id } = await createTenantRows(service, tenant);
  await query(
    `insert into instance_logs (tenant_id, instance_id, at, line)
     values ($1, $2, now() - interval '25 hours', 'old'), ($1, $2, now() - interval '23 hours', 'young')`,
    [tenant.tenant_id, instance_id],
  );
  await service.service.services.db.system.run(eraseOldLines(10));
  expect(await countOf('instance_logs', `line = 'old'`)).toBe(0);
  expect(await countOf('instance_logs', `line = 'young'`)).toBe(1);
});

it('deletes changes after a year, and their chain verifies', async () => {
  const tenant = await service.createTenant();
  const { clock } = service;
  await tenant.api.post('/v1/recipes', { name: 'Old' });
  await chainAllChanges(service.service.services, new AbortController().signal);
  const count = () => countOf('audit_changes', 'tenant_id = $1', [tenant.tenant_id]);
  expect(await count()).toBeGreaterThan(0);
  await run();
  expect(await count()).toBeGreaterThan(0);
  clock.advance((defaultRetention.audit_days + 1) * 24 * 3600_000);
  await run();
  expect(await count()).toBe(0);
});

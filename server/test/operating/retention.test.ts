import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { chainAllChanges } from '../../src/audit/changes.ts';
import { defaultRetention, PURGE } from '../../src/operating/retention.ts';
import { openTransaction } from '../support/connection.ts';
import { insertInstance } from '../support/instances.ts';
import { purgeAll, runJobsUntil } from '../support/jobs.ts';
import { PinRoutes } from '../support/pins.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createTenantRows } from '../support/tenant-rows.ts';

const master_key = randomBytes(32);
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false, master_key });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterAll(() => service.stop());

const WAIT = { timeout: 60_000, interval: 50 };
const query = (text: string, values: unknown[] = []) =>
  service.database.query<{ count: number }>(text, values);
const countOf = async (table: string, condition: string, values: unknown[] = []) =>
  (await query(`select count(*)::int as count from ${table} where ${condition}`, values))[0]?.count;
const becomes = (count: number, table: string, condition: string) =>
  vi.waitFor(async () => expect(await countOf(table, condition)).toBe(count), WAIT);
/** Until the test ends. */
async function startWorker(): Promise<void> {
  const worker = await startTestService({ database: service.database, master_key, servesClients: false });
  onTestFinished(() => worker.service.stop());
}
const run = (...names: string[]) => purgeAll(service, names.length > 0 ? names : undefined);

it('deletes sessions a day after their end, and a login with its last session', async () => {
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

it('deletes PIN sessions a day after their end', async () => {
  const { tenant_id, api } = await service.createTenant();
  const { id, customer_id } = await insertInstance(service, tenant_id);
  await api.post(`/v1/customers/${customer_id}/pin`, { pin: '4711' });
  expect((await new PinRoutes(service.operations, id).verify('4711')).status).toBe(200);
  await query(
    `insert into pin_sessions (token_hash, tenant_id, instance_id, pin_id, pin_version, expires_at)
     select sha256(ended::bytea), tenant_id, instance_id, pin_id, pin_version, now() - ended::interval
     from pin_sessions, unnest(array['25 hours', '23 hours']) as ended where instance_id = $1`,
    [id],
  );
  await run();
  const left = await query('select expires_at > now() as is_valid from pin_sessions where instance_id = $1', [
    id,
  ]);
  expect(left).toEqual(expect.arrayContaining([{ is_valid: true }, { is_valid: false }]));
  expect(left).toHaveLength(2);
});

it('deletes hosts that were not seen for a day', async () => {
  await query(
    `insert into runtime_hosts (id, seen_at)
     select gen_random_uuid(), now() - ago::interval from unnest(array['25 hours', '23 hours']) as ago`,
  );
  await run();
  expect(await countOf('runtime_hosts', `seen_at < now() - interval '24 hours'`)).toBe(0);
  expect(await countOf('runtime_hosts', `seen_at < now() - interval '22 hours'`)).toBe(1);
});

it('deletes messages without content 30 days after delivery, and events after a year', async () => {
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

it('deletes an instance with its rows a year after its end', async () => {
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

it('deletes log lines after a day', async () => {
  const tenant = await service.createTenant();
  const { instance_id } = await createTenantRows(service, tenant);
  await query(
    `insert into instance_logs (tenant_id, instance_id, at, line)
     values ($1, $2, now() - interval '25 hours', 'old'), ($1, $2, now() - interval '23 hours', 'young')`,
    [tenant.tenant_id, instance_id],
  );
  await run();
  expect(await countOf('instance_logs', `line = 'old'`)).toBe(0);
  expect(await countOf('instance_logs', `line = 'young'`)).toBe(1);
});

it('deletes changes after a year, with a valid chain', async () => {
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

/** Sessions that ended two days ago. @returns their tenant */
async function addEndedSessions(count: number): Promise<TestTenant> {
  const tenant = await service.createTenant();
  await query(
    `insert into sessions (id, tenant_id, user_id, expires_at)
     select gen_random_uuid(), $1, $2, now() - interval '2 days' from generate_series(1, $3)`,
    [tenant.tenant_id, tenant.admin_user_id, count],
  );
  return tenant;
}

async function addOldEvents(count: number, message: string): Promise<void> {
  const tenant = await service.createTenant();
  const { instance_id } = await createTenantRows(service, tenant);
  await query(
    `insert into instance_events (tenant_id, instance_id, at, "to", message)
     select $1, $2, now() - interval '366 days', 'running', $4 from generate_series(1, $3)`,
    [tenant.tenant_id, instance_id, count, message],
  );
}

it('deletes in batches until nothing is left, alternating with other deletions', async () => {
  await addOldEvents(10_600, 'many');
  expect(await run('instance_events')).toEqual(['now']);
  expect(await countOf('instance_events', `message = 'many'`)).toBe(600);
  expect(await run('instance_events')).toEqual([expect.any(Date)]);
  expect(await countOf('instance_events', `message = 'many'`)).toBe(0);
});

it('leaves locked rows for the next run', async () => {
  const { admin_user_id } = await addEndedSessions(3);
  const held = await openTransaction(service.database.url, [
    'select from sessions where user_id = $1 limit 1 for update',
    [admin_user_id],
  ]);
  try {
    await run('sessions');
  } finally {
    await held.end('rollback');
  }
  expect(await countOf('sessions', 'user_id = $1', [admin_user_id])).toBe(1);
  await run('sessions');
  expect(await countOf('sessions', 'user_id = $1', [admin_user_id])).toBe(0);
});

it('deletes other rows while a table is locked, and its rows afterwards', async () => {
  await addOldEvents(1, 'beside');
  const { admin_user_id } = await addEndedSessions(1);
  const locked = await openTransaction(service.database.url, ['lock table sessions', []]);
  try {
    await startWorker();
    await becomes(0, 'instance_events', `message = 'beside'`);
    await becomes(1, 'jobs', `kind = 'purge' and attempts > 0`);
  } finally {
    await locked.end('rollback');
  }
  // Its pause after failures is longer, the longer the table was locked.
  await runJobsUntil(service, PURGE, async () =>
    expect(await countOf('sessions', 'user_id = $1', [admin_user_id])).toBe(0),
  );
});

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MIGRATES_AS } from '../../src/platform/db/migrate.ts';
import { WAIT } from '../support/conversations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, textMessage } from '../support/webhook.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

let database: TestDatabase;
let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ database, runsJobs: false, pace: { gaugesMs: 20 } });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

const scrape = async () => (await service.anonymous.get('/metrics')).text;
const valueIn = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? Number.NaN,
  );

/** All series in the same scrape. */
const becomes = (expected: Record<string, number>) =>
  vi.waitFor(async () => {
    const text = await scrape();
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, valueIn(text, name)]))).toEqual(
      expected,
    );
    return text;
  }, PATIENCE);

// First, because the other tests count.
it.each([
  ['acp_channel_messages_total', ['stored', 'duplicate', 'unknown_number', 'status', 'unparseable']],
  ['acp_messages_total', ['delivered', 'failed', 'dead', 'refused']],
  ['acp_outbound_total', ['accepted', 'unauthorized', 'refused', 'failed', 'unknown']],
  ['acp_event_deliveries_total', ['delivered', 'retried', 'failed', 'overflow', 'switched_off']],
  ['acp_llm_requests_total', ['ok', 'failed', 'aborted', 'refused']],
  [
    'acp_gateway_tool_calls_total',
    ['ok', 'tool_error', 'failed', 'pin_required', 'waiting_for_approval', 'unknown_tool'],
  ],
])('shows %s at 0, so that the first count is an increase', async (name, outcomes) => {
  const text = await scrape();
  expect(outcomes.filter((outcome) => valueIn(text, `${name}{outcome="${outcome}"}`) !== 0)).toEqual([]);
});

it('shows depths, ages and states', async () => {
  await becomes({
    acp_database_up: 1,
    'acp_instances{status="running"}': 0,
    'acp_messages{status="pending"}': 0,
    acp_messages_oldest_seconds: 0,
    'acp_queue_depth{queue="converse"}': 0,
  });
  const endpoint = await createEndpoint(service, tenant);
  const { id } = endpoint.instance;
  await sendMessages(service, endpoint, textMessage('1', 'Hello'), textMessage('2', 'Hello'));
  const query = (text: string) => service.database.query(text);
  await query(
    `update channel_messages set received_at = now() - interval '100 seconds' where message_id = '1'`,
  );
  await query(
    `insert into channel_messages
       (tenant_id, instance_id, channel, message_id, external_id, direction, author, status, give_up_at, received_at)
     select tenant_id, instance_id, channel, 'out', external_id, 'out', 'agent', 'queued', now(), now() - interval '70 seconds'
     from channel_messages where message_id = '1'`,
  );
  await query(`update jobs set due_at = now() - interval '50 seconds' where kind = 'converse'`);
  await query(`update runtimes set wanted = true, phase = 'up' where instance_id = '${id}'`);
  await insertInstance(service, tenant.tenant_id, { status: 'terminated' });
  await query(`insert into runtime_hosts (id, seen_at)
    values (gen_random_uuid(), now() + interval '1 hour'), (gen_random_uuid(), now() - interval '1 minute')`);
  await query(`insert into tasks (id, tenant_id, instance_id, kind)
    select '${randomUUID()}', tenant_id, id, 'start' from instances where id = '${id}'`);
  await query(
    `insert into jobs (kind, key, tenant_id, due_at) select 'run_task', id::text, tenant_id, now() from tasks`,
  );
  await query(`insert into connections (tenant_id, customer_id, provider, expires_at, refused_at)
    select tenant_id, customer_id, 'crm', e, r from instances, (values
      (null::timestamptz, null::timestamptz), (now() + interval '1 day', null), (now() - interval '1 day', null), (null, now()))
      as v (e, r) where id = '${id}'`);
  await query(`insert into clusters (id, host_id, region_id, engine, reachable, lease_until)
    select c.id, c.host, i.region_id, 'docker', c.reachable, now() + c.lease * interval '1 hour'
    from instances i, (values ('near', gen_random_uuid(), true, 1), ('far', gen_random_uuid(), false, 1),
      ('given back', gen_random_uuid(), true, -1), ('new', gen_random_uuid(), null, null)) as c (id, host, reachable, lease)
    where i.id = '${id}'`);
  const elsewhere = await insertInstance(service, tenant.tenant_id);
  await query(`update runtimes set wanted = true, phase = 'starting', host_id = c.host_id
    from clusters c where c.id = 'near' and instance_id = '${elsewhere.id}'`);
  const text = await becomes({
    'acp_instances{status="running"}': 2,
    'acp_runtimes{state="starting",cluster="near"}': 1,
    'acp_runtimes{state="up",cluster="near"}': 0,
    'acp_runtimes{state="up",cluster="far"}': 0,
    'acp_runtimes{state="starting",cluster="default"}': 0,
    'acp_cluster_reachable{cluster="near"}': 1,
    'acp_cluster_reachable{cluster="far"}': 0,
    'acp_cluster_reachable{cluster="given back"}': 0,
    'acp_cluster_reachable{cluster="new"}': 0,
    'acp_runtimes{state="up",cluster="default"}': 1,
    'acp_runtimes{state="unready",cluster="default"}': 0,
    'acp_messages{status="pending"}': 2,
    'acp_tasks{status="queued"}': 1,
    'acp_queue_depth{queue="converse"}': 1,
    'acp_hosts{state="alive"}': 1,
    'acp_hosts{state="dead"}': 1,
    'acp_connections{status="active"}': 1,
    'acp_connections{status="expiring"}': 1,
    'acp_connections{status="expired"}': 1,
    'acp_connections{status="refused"}': 1,
    acp_certificates_expiring: 0,
  });
  expect(valueIn(text, 'acp_messages_oldest_seconds')).toBeGreaterThanOrEqual(100);
  expect(valueIn(text, 'acp_texts_oldest_seconds')).toBeGreaterThanOrEqual(70);
  expect(valueIn(text, 'acp_queue_oldest_seconds{queue="converse"}')).toBeGreaterThanOrEqual(50);
  expect(text).toMatch(/^acp_info\{version="[\d.]+"\} 1$/m);
});

it('shows a migrating copy and a clock offset in both directions', async () => {
  const exact = { acp_migrating: 0, acp_clock_offset_seconds: 0 };
  await becomes(exact);
  const url = new URL(service.database.url);
  url.searchParams.set('application_name', MIGRATES_AS);
  const migrating = new pg.Client(url.href);
  await migrating.connect();
  service.clock.advance(3_600_000);
  const text = await becomes({ acp_migrating: 1 });
  expect(Math.round(valueIn(text, 'acp_clock_offset_seconds') / 60)).toBe(60);
  await migrating.end();
  service.clock.advance(-7_200_000);
  expect(Math.round(valueIn(await becomes({ acp_migrating: 0 }), 'acp_clock_offset_seconds') / 60)).toBe(-60);
  service.clock.advance(3_600_000);
  await becomes(exact);
});

it('counts no message as late in a takeover or for a stopped instance', async () => {
  const endpoint = await createEndpoint(service, await service.createTenant());
  await service.database.query('update instances set status = $1 where status = $2', ['stopped', 'running']);
  await sendMessages(service, endpoint, textMessage('late', 'Hello'));
  const both = { acp_messages_oldest_seconds: 0, 'acp_messages{status="pending"}': 3 };
  await becomes(both);
  await service.database.query('update instances set status = $1 where status = $2', ['running', 'stopped']);
  await service.database.query(`update conversations set mode = 'human'`);
  await becomes(both);
});

it('counts no jobs and messages of inactive tenants', async () => {
  await service.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { is_active: false });
  await becomes({ 'acp_queue_depth{queue="run_task"}': 0 });
});

it('answers and reports the outage while the database is unreachable', async () => {
  const own = await startTestService({ runsJobs: false });
  try {
    await own.database.query('revoke execute on function operating_gauges from public');
    const { status, text } = await own.anonymous.get('/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(/^acp_database_up 0$/m);
    expect(text).toMatch(/^acp_database_state\{state="ok"\} 1$/m);
    expect(text).toMatch(/^acp_database_connections/m);
    expect(text).not.toMatch(/^acp_(instances|messages|messages_oldest_seconds|queue_depth)[ {]/m);
  } finally {
    await own.stop();
  }
});

it('counts outcomes of messages and logs each failure once', async () => {
  const lines: { message: string; reason?: string }[] = [];
  const own = await startTestService();
  try {
    const { seldomLog } = own.service.services;
    vi.spyOn(seldomLog, 'warn').mockImplementation(
      (_key, fields, message) => void lines.push({ ...fields, message }),
    );
    const endpoint = await createEndpoint(own, await own.createTenant());
    let tries = 0;
    own.runtimes.onMessage = () => {
      if (++tries === 1) throw new Error('The runtime answered POST /messages with 500');
    };
    await sendMessages(own, endpoint, textMessage('1', 'A secret word'));
    await vi.waitFor(() => expect(own.runtimes.messages).toHaveLength(1), WAIT);
    const text = await vi.waitFor(async () => {
      const now = (await own.anonymous.get('/metrics')).text;
      expect(now).toMatch(/^acp_messages_total\{outcome="delivered"\} 1$/m);
      return now;
    }, WAIT);
    expect(text).toMatch(/^acp_messages_total\{outcome="failed"\} 1$/m);
    expect(lines).toEqual([
      expect.objectContaining({
        message: 'a runtime did not take a message; it is tried again',
        reason: 'The runtime answered POST /messages with 500',
        instance_id: endpoint.instance.id,
      }),
    ]);
  } finally {
    await own.stop();
  }
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOpenRuntimes } from '../../src/runtimes/runtime-hosts.db.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService } from '../support/service.ts';

const HOST = randomUUID();
const UP = `wanted = true, phase = 'up', address = 'https://10.0.0.1:8700', spec_hash = 'hash', up_at = now()`;

let service: TestService;
let tenant_id: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  ({ tenant_id } = await service.createTenant());
});
afterAll(() => service.stop());

async function insertRuntime(change: string, tenant = tenant_id): Promise<string> {
  const { id } = await insertInstance(service, tenant, { status: 'running' });
  await service.database.query(`update runtimes set host_id = $1, ${UP} where instance_id = $2`, [HOST, id]);
  await service.database.query(`update runtimes set ${change} where instance_id = $1`, [id]);
  return id;
}

async function isOpen(id: string, others: readonly string[] = []): Promise<boolean> {
  const { system } = service.service.services.db;
  const rows = await system.run(listOpenRuntimes({ host_id: HOST, holder: randomUUID() }, others));
  return rows.some((row) => row.id === id);
}

it.each([
  ['starts', `phase = 'starting'`],
  ['is not wanted any more', 'wanted = false'],
  ['is of a new generation', 'spec_hash = null'],
  ['does not answer for its health', 'unready_since = now()'],
  ['is on a lost node', `reason = 'node_lost'`],
  ['has no address', 'address = null'],
])('a runtime that %s is looked at between full lists', async (_, change) => {
  expect(await isOpen(await insertRuntime(change))).toBe(true);
});

it('a runtime that is well is looked at only after full lists, or when it is asked for', async () => {
  const id = await insertRuntime('restarts = 3');
  expect([await isOpen(id), await isOpen(id, [id])]).toEqual([false, true]);
});

it('a runtime of a suspended tenant is looked at until it is gone', async () => {
  const { tenant_id: suspended } = await service.createTenant();
  const id = await insertRuntime('restarts = 0', suspended);
  await service.database.query('update tenants set is_active = false where id = $1', [suspended]);
  expect(await isOpen(id)).toBe(true);
  await service.database.query(`update runtimes set phase = 'gone', address = null where instance_id = $1`, [
    id,
  ]);
  expect(await isOpen(id)).toBe(false);
  await service.database.query('update tenants set is_active = true where id = $1', [suspended]);
  expect(await isOpen(id)).toBe(true);
});

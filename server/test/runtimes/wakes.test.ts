import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { waitForWake } from '../../src/runtimes/wakes.db.ts';
import { wakeRuntimes } from '../../src/runtimes/wakes.ts';
import { holdNext } from '../support/hold.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { heard, offerPlaces, say, shows, sleeping } from '../support/sleepers.ts';

const WAIT = { timeout: 60_000, interval: 20 };

let idle: TestService;
beforeAll(async () => {
  idle = await startTestService({ runsJobs: false });
});
afterAll(() => idle.stop());

/** A tenant's instances, with a message that waits for each. */
async function asked(tenant: TestTenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const { id, customer_id } = await insertInstance(idle, tenant.tenant_id);
    await idle.database.query(
      `update runtimes set asleep_at = now(), address = null where instance_id = $1`,
      [id],
    );
    const [conversation] = await idle.database.query<{ id: string }>(
      `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at)
       values ($1, $2, $3, 'playground', '1', now()) returning id`,
      [tenant.tenant_id, id, customer_id],
    );
    const q = idle.service.services.db.tenant(tenant.tenant_id);
    expect(await q.run(waitForWake(conversation?.id ?? '', id))).toBe(true);
    ids.push(id);
  }
  return ids;
}

const begun = async () =>
  (
    await idle.database.query<{ id: string }>(
      'select instance_id as id from runtimes where wanted and wake_at is not null',
    )
  ).map(({ id }) => id);

const admit = () => wakeRuntimes(idle.service.services, 'default');

it('ten of a cluster start at once, tenants in turn; one that is up makes room', async () => {
  const many = await asked(await idle.createTenant(), 12);
  const few = await asked(await idle.createTenant(), 2);
  expect(await admit()).toEqual({ afterMs: expect.any(Number) });
  const first = await begun();
  expect(first).toHaveLength(10);
  expect(first).toEqual(expect.arrayContaining(few));
  await admit();
  expect(await begun()).toHaveLength(10);
  await idle.database.query(
    `update runtimes set phase = 'up', up_at = now(), wake_at = null where instance_id = any ($1::uuid[])`,
    [few],
  );
  await admit();
  const then = await begun();
  expect(then).toHaveLength(10);
  expect(many).toEqual(expect.arrayContaining(then));
});

it('a runtime whose copy of the service ends while it wakes is woken by another one', async () => {
  const master_key = randomBytes(32);
  const pace = { hostMs: 200 };
  const first = await startTestService({ master_key, pace });
  onTestFinished(() => first.stop());
  await offerPlaces(first);
  const tenant = await first.createTenant();
  const id = await sleeping(first, tenant);
  const { reached, goOn } = holdNext(first.engine, 'ensure');
  await say(tenant, id);
  await reached;
  const second = await startTestService({ master_key, pace, database: first.database });
  onTestFinished(() => second.service.stop());
  // Killed: nobody gives its runtimes back.
  const { host_id } = first.service.services.settings;
  await first.database.query(
    `alter table runtime_hosts add constraint gone check (id <> '${host_id}') not valid`,
  );
  await first.database.query('delete from runtime_hosts where id = $1', [host_id]);
  await vi.waitFor(() => expect([...heard(first, id), ...heard(second, id)]).toEqual(['Hello']), WAIT);
  goOn();
  expect([first, second].map(({ engine }) => engine.running.has(id))).toEqual([false, true]);
  await shows(tenant, id, { status: 'running', runtime: { state: 'up' } });
});

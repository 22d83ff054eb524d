import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, textMessage } from '../support/webhook.ts';

const MANY = 300;

const master_key = randomBytes(32);
/** Takes everything in and works on nothing. */
let front: TestService;
let busy: TestTenant;
let quiet: TestTenant;

beforeAll(async () => {
  front = await startTestService({ runsJobs: false, master_key });
  busy = await front.createTenant('Busy');
  quiet = await front.createTenant('Quiet');
});
afterAll(() => front.stop());

it('forwards a message before most of the hundreds that another tenant had waiting', async () => {
  const many = Array.from({ length: MANY }, (_, index) => textMessage(`busy-${index}`, 'Hello', `${index}`));
  await sendMessages(front, await createEndpoint(front, busy), ...many);
  await sendMessages(front, await createEndpoint(front, quiet), textMessage('quiet', 'Hello'));
  const worker = await startTestService({ database: front.database, master_key, servesClients: false });
  try {
    const forwarded = () => worker.runtimes.messages.map(({ message }) => message.message_id);
    await vi.waitFor(() => expect(forwarded()).toHaveLength(MANY + 1), { timeout: 60_000 });
    expect(forwarded().indexOf('quiet')).toBeLessThan(MANY / 2);
  } finally {
    await worker.service.stop();
  }
});

it('works on a task before those that another tenant has queued behind hundreds of its own', async () => {
  const instances = [];
  for (let count = 0; count < 16; count++) instances.push(await stoppedInstance(busy));
  await front.database.query(
    `insert into tasks (tenant_id, instance_id, kind) select $1, $2, 'join' from generate_series(1, $3)`,
    [busy.tenant_id, instances[0], MANY],
  );
  for (const instance_id of instances) await start(busy, instance_id);
  const last = await stoppedInstance(quiet);
  await start(quiet, last);
  const worker = await startTestService({ database: front.database, master_key, servesClients: false });
  try {
    await vi.waitFor(() => expect(worker.engine.started).toHaveLength(instances.length + 1), {
      timeout: 60_000,
    });
    // It is among the first four that are taken, and some may overtake it.
    expect(worker.engine.started.indexOf(last)).toBeLessThan(8);
  } finally {
    await worker.service.stop();
  }
});

const stoppedInstance = async ({ tenant_id }: TestTenant) =>
  (await insertInstance(front, tenant_id, { status: 'stopped' })).id;

async function start({ api }: TestTenant, instance_id: string): Promise<void> {
  expect((await api.post(`/v1/instances/${instance_id}/start`)).status).toBe(202);
}

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { FakeEngine } from '../support/fakes.ts';
import { gate } from '../support/hold.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, textMessage } from '../support/webhook.ts';

const MANY = 300;

const master_key = randomBytes(32);
/** Runs no jobs. */
let front: TestService;
let busy: TestTenant;
let quiet: TestTenant;

beforeAll(async () => {
  front = await startTestService({ runsJobs: false, master_key });
  busy = await front.createTenant('Busy');
  quiet = await front.createTenant('Quiet');
});
afterAll(() => front.stop());

it('forwards a message before most of another tenant’s hundreds of waiting ones', async () => {
  const many = Array.from({ length: MANY }, (_, index) => textMessage(`busy-${index}`, 'Hello', `${index}`));
  await sendMessages(front, await createEndpoint(front, busy), ...many);
  await sendMessages(front, await createEndpoint(front, quiet), textMessage('quiet', 'Hello'));
  const worker = await startTestService({ database: front.database, master_key, servesClients: false });
  try {
    const forwarded = () => worker.runtimes.messages.map(({ message }) => message.message_id);
    await vi.waitFor(() => expect(forwarded()).toHaveLength(MANY + 1), { timeout: 180_000 });
    expect(forwarded().indexOf('quiet')).toBeLessThan(MANY / 2);
  } finally {
    await worker.service.stop();
  }
});

it('runs a task before most of another tenant’s hundreds of queued ones', async () => {
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
    // It is among the first six. The duration of a runtime's start is not about fairness.
    const begun = await front.database.query<{ instance_id: string }>(
      `select instance_id from tasks join task_steps on task_id = id where kind = 'start'
       group by instance_id order by min(started_at)`,
    );
    expect(begun.findIndex(({ instance_id }) => instance_id === last)).toBeLessThan(instances.length - 2);
  } finally {
    await worker.service.stop();
  }
});

it('begins a deploy before most of another tenant’s hundred queued ones', async () => {
  const TIER = randomUUID();
  await front.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await front.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  const deployer = async ({ api }: TestTenant) => {
    const customer_id = await createCustomer({ api });
    const recipe = await api.post<{ id: string }>('/v1/recipes', { name: 'R' });
    const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h', recipe_id: recipe.body.id, customer_id };
    return async () => {
      const { status, body } = await api.post<{ instance_id: string }>('/v1/recipes/deploy', place);
      expect(status).toBe(202);
      return body.instance_id;
    };
  };
  const [crowd, calm] = [await front.createTenant('Crowd'), await front.createTenant('Calm')];
  const [deployMany, deployOne] = [await deployer(crowd), await deployer(calm)];
  const engine = new FakeEngine();
  const ensure = engine.ensure.bind(engine);
  const { pass, goOn } = gate();
  engine.ensure = async (spec, minted) => {
    if (spec.tenant_id === crowd.tenant_id) await pass();
    await sleep(START_MS);
    return ensure(spec, minted);
  };
  const worker = await startTestService({
    database: front.database,
    master_key,
    servesClients: false,
    engine,
  });
  try {
    // However long that takes, no start of theirs ends before the other tenant asks.
    await Promise.all(Array.from({ length: 100 }, deployMany));
    const begins = untilBegun(await deployOne());
    goOn();
    // Five of a tenant start at once, and others while this one has its turn. The duration of all is not about fairness.
    expect(await begunBefore(crowd, await begins)).toBeLessThan(35);
  } finally {
    goOn();
    await worker.service.stop();
  }
});

/** A runtime's start takes this long, so a hundred take much longer than a fair wait. */
const START_MS = 300;

/** Waits until the instance's deploy has begun. @returns the number of the event, which counts up */
const untilBegun = (instance_id: string) =>
  vi.waitFor(
    async () => {
      const begun = `select id from instance_events
                     where instance_id = $1 and "to" = 'provisioning' and step is null order by id limit 1`;
      const [event] = await front.database.query<{ id: string }>(begun, [instance_id]);
      return event?.id ?? expect.unreachable('not begun yet');
    },
    { timeout: 60_000, interval: 50 },
  );

/** How many deploys of the tenant had begun before the event. */
async function begunBefore({ tenant_id }: TestTenant, event_id: string): Promise<number> {
  const text = `select count(distinct instance_id)::int as count from instance_events
                where tenant_id = $1 and "to" = 'provisioning' and step is null and id < $2`;
  const [row] = await front.database.query<{ count: number }>(text, [tenant_id, event_id]);
  return row?.count ?? expect.unreachable();
}

const stoppedInstance = async ({ tenant_id }: TestTenant) =>
  (await insertInstance(front, tenant_id, { status: 'stopped' })).id;

async function start({ api }: TestTenant, instance_id: string): Promise<void> {
  expect((await api.post(`/v1/instances/${instance_id}/start`)).status).toBe(202);
}

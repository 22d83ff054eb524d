import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Observed } from '../../src/runtimes/engine.port.ts';
import { createCustomer } from '../support/customers.ts';
import { holdNext } from '../support/hold.ts';
import { enroll, newCsr, newWgKey, postAs } from '../support/identities.ts';
import { runJobsUntil } from '../support/jobs.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const PATIENT = { timeout: 60_000, interval: 50 };
const TIER = randomUUID();
const pace = { hostMs: 200, gaugesMs: 100 };

let first: TestService;
let second: TestService;

beforeAll(async () => {
  const master_key = randomBytes(32);
  first = await startTestService({ master_key, pace });
  second = await startTestService({ master_key, database: first.database, pace });
  await first.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await first.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterAll(() => first.stop());

/** @returns the instances' ids */
async function deployInstances({ api }: TestTenant, count: number): Promise<string[]> {
  const customer_id = await createCustomer({ api });
  const recipe = await api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
  const deploys = await Promise.all(
    Array.from({ length: count }, () =>
      api.post<{ instance_id: string }>('/v1/recipes/deploy', {
        recipe_id: recipe.body.id,
        customer_id,
        ...place,
      }),
    ),
  );
  return deploys.map(({ body }) => body.instance_id);
}

/** Waits until the instances run. @returns their ids */
async function runInstances(tenant: TestTenant, count: number): Promise<string[]> {
  const ids = await deployInstances(tenant, count);
  await vi.waitFor(() => allAre('running', tenant.api, count), PATIENT);
  return ids;
}

/** At once, instead of within 5 seconds. */
const reconcile = ({ database, service }: TestService) =>
  database.query(`select pg_notify('runtimes', $1)`, [service.services.settings.host_id]);

const copyThatRuns = (id: string) =>
  [first, second].find(({ engine }) => engine.running.has(id)) ?? expect.unreachable();

/** Waits until the task of a deploy waits for the runtime's health. @returns the instance's id */
async function deployUnhealthy(tenant: TestTenant): Promise<string> {
  first.runtimes.healthy = false;
  const [id = ''] = await deployInstances(tenant, 1);
  const waits = `select from tasks where instance_id = $1 and step = 'wait_for_health'`;
  await vi.waitFor(async () => expect(await first.database.query(waits, [id])).toHaveLength(1), PATIENT);
  return id;
}

async function allAre(status: string, api: TestTenant['api'], count: number): Promise<void> {
  const { body } = await api.get<{ total: number }>(`/v1/instances?status=${status}`);
  expect(body.total).toBe(count);
}

it('two copies on one database run each instance once, and take over from one that stops', async () => {
  const tenant = await first.createTenant();
  const { api } = tenant;
  const ids = await runInstances(tenant, 8);
  const hosts = [first, second];
  for (const id of ids) expect(hosts.filter(({ engine }) => engine.running.has(id))).toHaveLength(1);

  // The copy that runs the instance ends it, even if the other copy runs the job.
  for (const id of ids) expect((await api.post(`/v1/instances/${id}/stop`)).status).toBe(202);
  await vi.waitFor(() => allAre('stopped', api, ids.length), PATIENT);
  expect(hosts.map(({ engine }) => engine.running.size)).toEqual([0, 0]);

  for (const id of ids) expect((await api.post(`/v1/instances/${id}/start`)).status).toBe(202);
  await vi.waitFor(() => allAre('running', api, ids.length), PATIENT);
  const moved = [...second.engine.running.keys()];
  await second.service.stop();
  await reconcile(first);
  await vi.waitFor(
    () => expect([...first.engine.running.keys()].toSorted()).toEqual(ids.toSorted()),
    PATIENT,
  );
  const told = `select distinct instance_id from instance_events where message like 'The host of the runtime is gone%'`;
  const rows = await first.database.query<{ instance_id: string }>(told);
  expect(rows.map(({ instance_id }) => instance_id).toSorted()).toEqual(moved.toSorted());
});

it('a copy that drains gets no more turns for its runtimes, from no copy', async () => {
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const copy = copyThatRuns(id);
  const { host_id } = copy.service.services.settings;
  await copy.database.query('update runtime_hosts set is_draining = true where id = $1', [host_id]);
  await tenant.api.post(`/v1/instances/${id}/playground`, { text: 'hello' });
  const told = () => [first, second].flatMap(({ runtimes }) => runtimes.messages).length;
  const before = told();
  const waits = `select from channel_messages where instance_id = $1 and status = 'pending' and last_error is not null`;
  await vi.waitFor(async () => expect(await copy.database.query(waits, [id])).toHaveLength(1), PATIENT);
  expect(told()).toBe(before);
  await copy.database.query('update runtime_hosts set is_draining = false where id = $1', [host_id]);
  await runJobsUntil(copy, 'converse', async () => expect(told()).toBe(before + 1));
});

it('a copy that counted as dead ends only the runtimes that others took over', async () => {
  const [taken = '', ended = '', kept = ''] = await runInstances(await first.createTenant(), 3);
  // As if this copy had counted as dead: another one runs the first instance, and the second was stopped.
  const other = randomUUID();
  const write = `update runtimes set host_id = $2, wanted = $3 where instance_id = $1`;
  await first.database.query(`insert into runtime_hosts values ($1, now() + interval '1 hour')`, [other]);
  await first.database.query(write, [taken, other, true]);
  await first.database.query(write, [ended, null, false]);
  await reconcile(first);
  const { running } = first.engine;
  await vi.waitFor(() => expect([running.has(taken), running.has(ended)]).toEqual([false, false]), PATIENT);
  expect(running.has(kept)).toBe(true);
  const read = 'select host_id, wanted from runtimes where instance_id = $1';
  expect(await first.database.query(read, [taken])).toEqual([{ host_id: other, wanted: true }]);
});

it('a copy does not restart an instance that was stopped after it was read', async () => {
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const { engine, database } = copyThatRuns(id);
  const ensure = holdNext(engine, 'ensure');
  engine.lose(id);
  await ensure.reached;
  await tenant.api.post(`/v1/instances/${id}/stop`);
  const unwanted = 'select from runtimes where instance_id = $1 and not wanted';
  await vi.waitFor(async () => expect(await database.query(unwanted, [id])).toHaveLength(1), PATIENT);
  ensure.goOn();
  await vi.waitFor(() => allAre('stopped', tenant.api, 1), PATIENT);
  const read = 'select host_id, wanted, phase from runtimes where instance_id = $1';
  const ended = { host_id: null, wanted: false, phase: 'gone' };
  expect(await database.query(read, [id])).toEqual([ended]);
  expect(engine.running.has(id)).toBe(false);
});

it('a copy releases an unwanted runtime that it does not run, because its task waits for that', async () => {
  const [id = ''] = await runInstances(await first.createTenant(), 1);
  copyThatRuns(id).engine.lose(id);
  const { database } = first;
  await database.query('update runtimes set wanted = false where instance_id = $1', [id]);
  const givenUp = 'select from runtimes where instance_id = $1 and host_id is null';
  await vi.waitFor(async () => expect(await database.query(givenUp, [id])).toHaveLength(1), PATIENT);
});

it('a copy that is busy starting runtimes counts as alive', async () => {
  const [id = ''] = await runInstances(await first.createTenant(), 1);
  const copy = copyThatRuns(id);
  const { engine, database, service } = copy;
  const start = holdNext(engine, 'ensure');
  onTestFinished(() => void start.goOn());
  engine.lose(id);
  await start.reached;
  const ageing = `update runtime_hosts set seen_at = now() - interval '20 seconds' where id = $1`;
  const seen = `select from runtime_hosts where id = $1 and seen_at > now() - interval '20 seconds'`;
  const { host_id } = service.services.settings;
  await database.query(ageing, [host_id]);
  await vi.waitFor(async () => expect(await database.query(seen, [host_id])).toHaveLength(1), PATIENT);
});

it('a copy takes over a dead host’s runtime during its deploy', async () => {
  const tenant = await first.createTenant();
  const id = await deployUnhealthy(tenant);
  const { engine, runtimes, database } = first;
  await database.query('update runtimes set host_id = $2 where instance_id = $1', [id, randomUUID()]);
  engine.lose(id);
  const isHealthy = vi.spyOn(runtimes, 'isHealthy').mockImplementation(async () => engine.running.has(id));
  await reconcile(first);
  await vi.waitFor(() => allAre('running', tenant.api, 1), PATIENT);
  isHealthy.mockRestore();
  runtimes.healthy = true;
});

it('a dead host’s runtime is refused as replaced after another host took its instance over', async () => {
  const openssl = await OpenSsl.open();
  onTestFinished(() => openssl.close());
  const { csr_pem, key } = await newCsr(openssl);
  const wg_public_key = newWgKey();
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const host = copyThatRuns(id);
  const identityOf = (environment: Readonly<Record<string, string>>) => ({
    vpn_ip: environment.VPN_IP,
    wg_public_key,
    generation: Number(environment.RUNTIME_GENERATION),
  });
  const enrollWith = (environment: Readonly<Record<string, string>>) => {
    const { ENROLLMENT_TOKEN: enrollment_token } = environment;
    return enroll(first, id, { enrollment_token, csr_pem, ...identityOf(environment) });
  };
  const former = host.engine.running.get(id)?.environment ?? {};
  const { cert_pem: cert } = (await enrollWith(former)).body;
  const refresh = () =>
    postAs(first, `/internal/v1/instances/${id}/secrets/refresh`, identityOf(former), { cert, key });
  expect((await refresh()).status).toBe(200);

  // The other host was killed, but its runtime still runs.
  await host.database.query('update runtimes set host_id = $2 where instance_id = $1', [id, randomUUID()]);
  host.engine.lose(id);
  await reconcile(host);
  const { engine } = await vi.waitFor(() => copyThatRuns(id), PATIENT);
  const replaced = { status: 409, body: { detail: 'runtime_replaced' } };
  expect(await refresh()).toMatchObject(replaced);
  expect(await enrollWith(former)).toMatchObject(replaced);
  expect(await enrollWith(engine.running.get(id)?.environment ?? {})).toMatchObject({ status: 200 });
});

it('a killed host counts as dead even if the clock was set back', async () => {
  const host = randomUUID();
  await first.database.query(
    `insert into runtime_hosts (id, seen_at) values ($1, now() + interval '3 hours')`,
    [host],
  );
  await reconcile(first);
  const seen = () =>
    first.database.query('select from runtime_hosts where id = $1 and seen_at <= now()', [host]);
  await vi.waitFor(async () => expect(await seen()).toHaveLength(1), PATIENT);
});

it('after an outage of the database, hosts that were also cut off count as alive', async () => {
  const [shared = '', orphaned = ''] = await runInstances(await first.createTenant(), 2);
  const { database, service } = first;
  const own = service.services.settings.host_id;
  const [living, dead] = [randomUUID(), randomUUID()];
  // All were last seen at the start of the outage, except for one that was dead before.
  await database.query(
    `with own as (update runtime_hosts set seen_at = now() - interval '40 seconds' where id = $1),
          others as (insert into runtime_hosts (id, seen_at)
                     values ($2, now() - interval '45 seconds'), ($3, now() - interval '10 minutes'))
     update runtimes set host_id = case when instance_id = $4 then $2::uuid else $3::uuid end where instance_id in ($4, $5)`,
    [own, living, dead, shared, orphaned],
  );
  await reconcile(first);
  const hostOf = async (id: string) => {
    const read = 'select host_id from runtimes where instance_id = $1';
    const [row] = await database.query<{ host_id: string }>(read, [id]);
    return row?.host_id;
  };
  await vi.waitFor(async () => expect(await hostOf(orphaned)).toBe(own), PATIENT);
  expect(await hostOf(shared)).toBe(living);
  const seen = `select from runtime_hosts where id = $1 and seen_at > now() - interval '30 seconds'`;
  expect(await database.query(seen, [living])).toHaveLength(1);
});

it('the runtimes of an inactive tenant stop, and restart when it is active again', async () => {
  const tenant = await first.createTenant();
  const [id = '', stopped = ''] = await runInstances(tenant, 2);
  await tenant.api.post(`/v1/instances/${stopped}/stop`);
  await vi.waitFor(() => allAre('stopped', tenant.api, 1), PATIENT);
  const { database, engine } = first;
  const setActive = (is_active: boolean) =>
    database.query('update tenants set is_active = $2 where id = $1', [tenant.tenant_id, is_active]);
  const stateOf = async () =>
    (
      await database.query(
        'select r.phase, r.address, i.status from runtimes r join instances i on i.id = r.instance_id where i.id = $1',
        [id],
      )
    )[0];
  await setActive(false);
  const absent = { phase: 'gone', address: null, status: 'running' };
  await vi.waitFor(async () => expect(await stateOf()).toEqual(absent), PATIENT);
  expect(engine.running.has(id)).toBe(false);
  await setActive(true);
  await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ phase: 'up' }), PATIENT);
  expect([engine.running.has(id), engine.running.has(stopped)]).toEqual([true, false]);
});

it('a runtime that asks for a new identity is replaced in the next generation', async () => {
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const before = copyThatRuns(id).engine.running.get(id);
  copyThatRuns(id).engine.lose(id, { reason: 'crashed', exit_code: 75 });
  await vi.waitFor(async () => {
    const { body } = await tenant.api.get(`/v1/instances/${id}`);
    expect(body).toMatchObject({
      status: 'running',
      runtime: { state: 'up', reason: null, generation: 2, restarts: 0 },
    });
  }, PATIENT);
  const after = copyThatRuns(id).engine.running.get(id);
  expect([before?.generation, after?.generation]).toEqual([1, 2]);
  expect(after?.hash).toBe(before?.hash);
  expect(after?.environment.ENROLLMENT_TOKEN).not.toBe(before?.environment.ENROLLMENT_TOKEN);
});

it('an unchanged specification is not started again, however often it is reconciled', async () => {
  const [id = ''] = await runInstances(await first.createTenant(), 1);
  const { engine } = copyThatRuns(id);
  const tokens = 'select count(*)::int as count from enrollment_tokens where instance_id = $1';
  const [before] = await first.database.query(tokens, [id]);
  const seen = `select seen_at::text from runtime_hosts where id = $1`;
  for (let round = 0; round < 3; round++) {
    const [last] = await first.database.query(seen, [first.service.services.settings.host_id]);
    await reconcile(first);
    await vi.waitFor(async () => {
      const [now] = await first.database.query(seen, [first.service.services.settings.host_id]);
      expect(now).not.toEqual(last);
    }, PATIENT);
  }
  expect(engine.started.filter((one) => one === id)).toHaveLength(1);
  expect(await first.database.query(tokens, [id])).toEqual([before]);
});

it('a running runtime is unready while its health checks fail, with events and metrics', async () => {
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const shows = (state: string, reason: string | null, unready: number) =>
    vi.waitFor(async () => {
      const { body } = await tenant.api.get(`/v1/instances/${id}`);
      expect(body).toMatchObject({ status: 'running', runtime: { state, reason, generation: 1 } });
      const { text } = await first.anonymous.get('/metrics');
      const line = new RegExp(`^acp_runtimes\\{state="unready",cluster="default"\\} ${unready}$`, 'm');
      expect(text).toMatch(line);
    }, PATIENT);
  const { runtimes } = copyThatRuns(id);
  const others = new Set(copyThatRuns(id).engine.running.keys());
  runtimes.isHealthy = async (address) => !address.endsWith(id);
  onTestFinished(() => void (runtimes.isHealthy = async () => runtimes.healthy));
  expect(others.size).toBeGreaterThan(0);
  await shows('unready', 'unhealthy', 1);
  runtimes.isHealthy = async () => true;
  await shows('up', null, 0);
  const { body } = await tenant.api.get<{ items: { message: string }[] }>(`/v1/instances/${id}/events`);
  expect(body.items.slice(0, 2)).toMatchObject([
    { from: 'running', to: 'running', step: null, message: 'The runtime answers for its health again' },
    { message: 'The runtime does not answer for its health, or says that it is not well' },
  ]);
});

it('a place that checks its runtimes itself tells that one is unready, or that its machine is lost', async () => {
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const { engine, runtimes } = copyThatRuns(id);
  const running = engine.running.get(id) ?? expect.unreachable();
  const isHealthy = vi.spyOn(runtimes, 'isHealthy');
  onTestFinished(() => isHealthy.mockRestore());
  const shows = async (told: Partial<Observed>, runtime: object) => {
    engine.report(running, { phase: 'up', address: running.address, ...told });
    isHealthy.mockClear();
    await vi.waitFor(async () => {
      const { body } = await tenant.api.get(`/v1/instances/${id}`);
      expect(body).toMatchObject({ status: 'running', runtime: { generation: 1, ...runtime } });
    }, PATIENT);
    expect(isHealthy.mock.calls.filter(([address]) => address === running.address)).toEqual([]);
  };
  await shows({ ready: false }, { state: 'unready', reason: 'unhealthy' });
  await shows({ ready: true }, { state: 'up', reason: null });
  await shows({ ready: true, reason: 'node_lost' }, { state: 'lost', reason: 'node_lost' });
  engine.lose(id, { reason: 'node_lost' });
  await vi.waitFor(() => expect(copyThatRuns(id).engine.running.get(id)?.generation).toBe(2), PATIENT);
});

it('restarts of runtimes are counted', async () => {
  const tenant = await first.createTenant();
  const [id = ''] = await runInstances(tenant, 1);
  const copy = copyThatRuns(id);
  const restarts = async () =>
    Number(/^acp_runtime_restarts_total (\d+)$/m.exec((await copy.anonymous.get('/metrics')).text)?.[1]);
  const before = await restarts();
  copy.engine.lose(id, { reason: 'crashed' });
  await vi.waitFor(async () => expect(await restarts()).toBe(before + 1), PATIENT);
});

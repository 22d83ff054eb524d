import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { openTransaction } from '../support/connection.ts';
import { createCustomer } from '../support/customers.ts';
import { lockWaits } from '../support/database.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

// The cluster of a new instance. No jobs run: an instance is on its cluster from its deploy on.

const TIER = randomUUID();
const PATIENT = { timeout: 60_000, interval: 50 };
const master_key = randomBytes(32);
const FULL = { status: 409, detail: 'No cluster of the region has room' };

let first: TestService;
let second: TestService;

beforeAll(async () => {
  const options = { master_key, runsJobs: false, settings: { runs_clusters: true } };
  first = await startTestService(options);
  second = await startTestService({ ...options, database: first.database });
  await first.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
});
afterAll(async () => {
  await second.service.stop();
  await first.stop();
});

async function newRegion(): Promise<string> {
  const id = `r-${randomUUID().slice(0, 8)}`;
  expect((await first.operations.put(`/internal/v1/regions/${id}`, {})).status).toBe(201);
  return id;
}

async function putCluster(region_id: string, name: string, fields: object = {}): Promise<string> {
  const id = `${region_id}-${name}`;
  const path = `/internal/v1/clusters/${id}`;
  const { status } = await first.operations.put(path, { region_id, engine: 'docker', ...fields });
  expect([200, 201]).toContain(status);
  return id;
}

interface Deployed {
  status: number;
  detail?: string;
  cluster_id?: string;
}
interface Deploying {
  deploy: (fields?: object, api?: Client) => Promise<Deployed>;
  tenant: TestTenant;
}

/** A tenant with a recipe, and a customer to whom it is deployed. */
async function deploying(region_id: string): Promise<Deploying> {
  const tenant = await first.createTenant();
  const customer_id = await createCustomer(tenant);
  const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  const place = { tier_id: TIER, region_id, hostname: 'h', recipe_id: recipe.body.id, customer_id };
  return {
    tenant,
    deploy: async (fields = {}, api = tenant.api) => {
      const answer = await api.post<{ instance_id: string; detail: string }>('/v1/recipes/deploy', {
        ...place,
        ...fields,
      });
      const { status, body } = answer;
      if (status !== 202) return { status, detail: body.detail };
      const instance = await api.get<{ cluster_id: string }>(`/v1/instances/${body.instance_id}`);
      return { status, cluster_id: instance.body.cluster_id };
    },
  };
}

const onBothCopies = ({ key }: TestTenant) =>
  [first, second].map(({ anonymous }) => anonymous.with({ 'x-api-key': key }));

it('a region without an active cluster is served by default', async () => {
  const region = await newRegion();
  const { deploy } = await deploying(region);
  expect(await deploy()).toEqual({ status: 202, cluster_id: 'default' });
  await putCluster(region, 'a', { is_active: false });
  await putCluster(await newRegion(), 'b');
  expect(await deploy()).toEqual({ status: 202, cluster_id: 'default' });
});

it('the cluster with the fewest instances is chosen, of whichever tenant', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a');
  const b = await putCluster(region, 'b');
  await putCluster(region, 'c', { is_active: false });
  const chosen: (string | undefined)[] = [];
  for (const { deploy } of [await deploying(region), await deploying(region)])
    for (const { cluster_id } of [await deploy(), await deploy()]) chosen.push(cluster_id);
  expect(chosen).toEqual([a, b, a, b]);
  await first.database.query(`update instances set status = 'terminated' where cluster_id = $1`, [b]);
  const { deploy } = await deploying(region);
  expect([await deploy(), await deploy()]).toMatchObject([{ cluster_id: b }, { cluster_id: b }]);
});

it('a region whose clusters are all full is refused, and nothing is left of the deploy', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a', { max_instances: 1 });
  const { deploy, tenant } = await deploying(region);
  expect(await deploy()).toEqual({ status: 202, cluster_id: a });
  const again = { idempotency_key: 'again' };
  expect(await deploy(again)).toEqual(FULL);
  const count = async (path: string) => (await tenant.api.get<{ total: number }>(path)).body.total;
  expect([await count('/v1/instances'), await count('/v1/tasks')]).toEqual([1, 1]);
  await putCluster(region, 'a', { max_instances: 2 });
  expect(await deploy(again)).toEqual({ status: 202, cluster_id: a });
  await putCluster(region, 'a', { is_active: false });
  expect(await deploy()).toEqual({ status: 202, cluster_id: 'default' });
});

it('the limits hold under concurrency, on all copies of the service and for all tenants', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a', { max_instances: 3 });
  const b = await putCluster(region, 'b', { max_instances: 4 });
  const all = [await deploying(region), await deploying(region)];
  const deploys = all.flatMap(({ deploy, tenant }) =>
    onBothCopies(tenant).flatMap((api) => Array.from({ length: 4 }, () => deploy({}, api))),
  );
  const answers = await Promise.all(deploys);
  expect(answers.filter(({ status }) => status === 409)).toEqual(Array.from({ length: 9 }, () => FULL));
  const on = (id: string) => answers.filter(({ cluster_id }) => cluster_id === id).length;
  expect([on(a), on(b)]).toEqual([3, 4]);
});

it('a deploy that waits for the last place counts what was committed meanwhile', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a', { max_instances: 1 });
  const { deploy, tenant } = await deploying(region);
  const other = await deploying(await newRegion());
  await other.deploy();
  const before = await openTransaction(
    first.database.url,
    [
      `select set_config('role', 'acp_tenant', true), set_config('app.tenant_id', $1, true)`,
      [other.tenant.tenant_id],
    ],
    ['update instances set cluster_id = place_instance($1)', [region]],
  );
  const waiting = deploy();
  await lockWaits(first.database, 1);
  await before.end('commit');
  expect(await waiting).toEqual(FULL);
  const { total } = (await tenant.api.get<{ total: number }>('/v1/instances')).body;
  const [{ count } = { count: 0 }] = await first.database.query<{ count: number }>(
    'select count(*)::int as count from instances where cluster_id = $1',
    [a],
  );
  expect([total, count]).toEqual([0, 1]);
});

it('a deploy that joins a shared instance needs no room', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a', { max_instances: 1 });
  const { deploy } = await deploying(region);
  const shared = { hosting_mode: 'shared' };
  const joined = { status: 202, cluster_id: a };
  expect([await deploy(shared), await deploy(shared), await deploy()]).toEqual([joined, joined, FULL]);
});

it('deploys to default do not wait for each other, nor for a holder that renews its lease', async () => {
  const region = await newRegion();
  const { deploy } = await deploying(region);
  const limited = await newRegion();
  const a = await putCluster(limited, 'a', { max_instances: 9 });
  const onCluster = await deploying(limited);
  const renewing = await openTransaction(first.database.url, [
    'update clusters set lease_until = now() where id = any ($1)',
    [['default', a]],
  ]);
  expect(await deploy()).toMatchObject({ cluster_id: 'default' });
  expect(await onCluster.deploy()).toMatchObject({ cluster_id: a });
  await renewing.end('rollback');
});

it('operators list the instances of a cluster', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a');
  const { deploy } = await deploying(region);
  await deploy();
  type Listed = { total: number; items: { cluster_id: string; region_id: string }[] };
  const listed = await first.operations.get<Listed>(`/internal/v1/instances?cluster_id=${a}`);
  expect(listed.body).toMatchObject({ total: 1, items: [{ cluster_id: a, region_id: region }] });
  expect((await first.operations.get<Listed>('/internal/v1/instances?cluster_id=none')).body.total).toBe(0);
});

it('a runtime begins on the cluster of its instance, not on the copy that runs the task', async () => {
  const region = await newRegion();
  const a = await putCluster(region, 'a');
  await (await deploying(region)).deploy();
  await (await deploying(await newRegion())).deploy();
  const host_id = randomUUID();
  const working = await startTestService({ master_key, database: first.database, settings: { host_id } });
  const hostsOf = async (cluster_id: string) => {
    const rows = await first.database.query<{ host_id: string }>(
      `select r.host_id from runtimes r join instances i on i.id = r.instance_id
       where r.wanted and i.cluster_id = $1 and i.status <> 'terminated'`,
      [cluster_id],
    );
    expect(rows).not.toEqual([]);
    return [...new Set(rows.map((row) => row.host_id))];
  };
  const [cluster] = await first.database.query<{ host_id: string }>(
    'select host_id from clusters where id = $1',
    [a],
  );
  await vi.waitFor(async () => expect(await hostsOf(a)).toEqual([cluster?.host_id]), PATIENT);
  await vi.waitFor(async () => expect(await hostsOf('default')).toEqual([host_id]), PATIENT);
  await working.service.stop();
});

import { type Call, jsonCall, sendExpecting } from '../call.ts';
import { recipeId } from '../data.ts';
import { restDialect } from '../dialect.ts';
import {
  createCustomer,
  createTenant,
  insertInstance,
  operationsHeaders,
  placeOf,
  tenantCall,
} from '../fixtures.ts';
import { wrk } from '../load/wrk.ts';
import { figure, row } from '../report.ts';
import { median } from '../statistics.ts';
import type { World } from '../world.ts';
import type { Study } from './study.ts';

const CLIENTS = 16;
const CONNECTIONS = 10;
const PIN = '4711';

/** A cheap route alone, and beside clients that verify right PINs, each of which costs a hash. */
export const pins: Study = {
  name: 'pins',
  title: `Get one recipe at ${CONNECTIONS} connections while ${CLIENTS} clients verify PINs`,
  run: async (world, { repeats, seconds }) => {
    const { base_url } = world.service;
    const verifications = await prepare(world);
    const cheap = {
      base_url,
      calls: Array.from({ length: world.readers }, (_, index) =>
        restDialect.getRecipe(1 + index, recipeId(1 + index, 0)),
      ),
      once: false,
      connections: CONNECTIONS,
      seconds,
      directory: world.directory,
    };
    const ratios: { throughput: number; p99: number; verified: number }[] = [];
    await wrk({ ...cheap, seconds: 1 });
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const alone = await wrk(cheap);
      const [beside, verified] = await Promise.all([
        wrk(cheap),
        wrk({ ...cheap, calls: verifications, connections: CLIENTS }),
      ]);
      ratios.push({
        throughput: beside.requests_per_s / alone.requests_per_s,
        p99: beside.p99_ms / alone.p99_ms,
        verified: verified.requests_per_s,
      });
    }
    return [
      '| figure | median | each repeat |',
      '| --- | --: | --- |',
      ...(['throughput', 'p99', 'verified'] as const).map((name) => {
        const values = ratios.map((one) => one[name]);
        const label = name === 'verified' ? 'PINs verified per second' : `${name}, ratio to alone`;
        return row([label, figure(median(values)), values.map(figure).join(', ')]);
      }),
    ];
  },
};

async function prepare(world: World): Promise<Call[]> {
  const place = placeOf(world);
  const tenant = await createTenant(place);
  const calls: Call[] = [];
  for (let client = 0; client < CLIENTS; client++) {
    const customer_id = await createCustomer(place, tenant);
    const instance_id = await insertInstance(place, tenant, customer_id);
    await sendExpecting(
      place.base_url,
      tenantCall(tenant, 'POST', `/v1/customers/${customer_id}/pin`, { pin: PIN }),
      201,
    );
    const path = `/internal/v1/instances/${instance_id}/pin/verify`;
    const call = jsonCall('POST', path, operationsHeaders(world.installation), { pin: PIN, customer_id });
    const { verified } = await sendExpecting<{ verified: boolean }>(place.base_url, call, 200);
    if (!verified) throw new Error('A right PIN was refused');
    calls.push(call);
  }
  return calls;
}

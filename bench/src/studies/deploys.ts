import { join } from 'node:path';
import { type Call, sendExpecting } from '../call.ts';
import { createPlace, createTenant, placeOf, tenantCall } from '../fixtures.ts';
import { sendAll } from '../load/fetch.ts';
import { startService } from '../service.ts';
import type { World } from '../world.ts';
import { byThirds, sampleUntil } from './progress.ts';
import type { Study } from './study.ts';

const NOOP_SERVICE = join(import.meta.dirname, '../../noop-service.mjs');
const CONNECTIONS = 10;

/** Deploys are accepted without a worker, then run by one whose engine starts nothing. */
export const deploys: Study = {
  name: 'deploys',
  title: 'Deploys with an engine that starts nothing, by thirds of their number',
  isSmokable: true,
  run: async (world, { deploys: count }) => {
    const calls = await prepare(world, count);
    const [accepted] = await Promise.all([
      sampleUntil(world, world.service, count, 'select count(*)::int as done from tasks'),
      sendAll(world.service.base_url, calls, CONNECTIONS),
    ]);
    const worker = await startService(world.installation, 'worker', { role: 'worker', main: NOOP_SERVICE });
    try {
      const running = await sampleUntil(
        world,
        worker,
        count,
        `select count(*)::int as done from tasks where status = 'succeeded'`,
      );
      return [
        ...byThirds(`${count} accepted, ${CONNECTIONS} clients`, accepted),
        '',
        ...byThirds(`${count} running`, running),
      ];
    } finally {
      await worker.stop();
    }
  },
};

async function prepare(world: World, count: number): Promise<Call[]> {
  const place = placeOf(world);
  const tenant = await createTenant(place);
  const where = await createPlace(place);
  const recipe = tenantCall(tenant, 'POST', '/v1/recipes', { name: 'Deployed', system_prompt: 'Be brief.' });
  const { id: recipe_id } = await sendExpecting<{ id: string }>(place.base_url, recipe, 201);
  const { rows } = await world.admin.query<{ id: string }>(
    'insert into customers (tenant_id) select $1 from generate_series(1, $2::int) returning id',
    [tenant.id, count],
  );
  return rows.map(({ id: customer_id }, number) =>
    tenantCall(tenant, 'POST', '/v1/recipes/deploy', {
      ...where,
      customer_id,
      recipe_id,
      hostname: `agent-${number}`,
    }),
  );
}

import type { Tier } from '@agent-control-plane/sdk';
import type { Demo } from './demo.ts';
import { DemoError } from './errors.ts';
import { createLogView, followToTheEnd } from './instance-log.ts';

const START_TIMEOUT_MS = 120_000;

/** The region's messages come to this process. */
export async function deploy(
  demo: Demo,
  plan: { customer_id: string; recipe_id: string; plan_hash: string },
): Promise<string> {
  const { acp, screen, scenario, emulator, step, signal, made } = demo;
  const { region_id, hostname, idempotency_key } = scenario;
  screen.heading('Deploy');
  await step(
    'Create a region',
    () => acp.regions.put(region_id, { name: 'Demo', chatapp_api_base_url: emulator.base_url }, { signal }),
    () => `${region_id}; its agents send to ${emulator.base_url}`,
  );
  made.region_id = region_id;
  const tier = await step(
    'Choose a tier',
    () => firstTier(demo),
    ({ name, id }) => `${name}, id ${id}`,
  );
  const request = () =>
    acp.deploy({ ...plan, tier_id: tier.id, region_id, hostname, idempotency_key }, { signal });
  const { instance_id } = await step('Deploy that plan', request, (deployed) => {
    made.instance_id = deployed.instance_id;
    return `instance ${deployed.instance_id}`;
  });
  await step('Repeat the request', request, (again) => {
    if (again.instance_id !== instance_id)
      throw new DemoError(`it created a second instance: ${again.instance_id}`);
    return 'same idempotency key, same instance';
  });
  await step(
    'Provision it',
    () =>
      acp.instances.waitUntilRunning(instance_id, {
        signal,
        timeoutMs: START_TIMEOUT_MS,
        onEvent: createLogView(screen),
      }),
    () => 'running',
  );
  return instance_id;
}

async function firstTier({ acp, signal }: Demo): Promise<Tier> {
  const { items } = await acp.tiers.list({}, { signal });
  const [tier] = items;
  if (!tier) throw new DemoError('GET /v1/tiers is empty: create a tier with PUT /internal/v1/tiers/{id}');
  return tier;
}

/** Demos must not pile up. Other objects stay for inspection. */
export async function terminate(demo: Demo, instance_id: string): Promise<void> {
  const { acp, screen, scenario, step, signal, made } = demo;
  screen.heading('Clean up');
  const { task, seen } = await step(
    'Terminate the instance',
    async () => {
      const { items } = await acp.instances.listEvents(instance_id, { per_page: 1 }, { signal });
      return { task: await acp.instances.delete(instance_id, { signal }), seen: items[0]?.id ?? 0 };
    },
    ({ task: { task_id } }) => `task ${task_id}`,
  );
  await step(
    'Wait for the end',
    async () => {
      await followToTheEnd(demo, instance_id, seen);
      return await acp.tasks.get(task.task_id, { signal });
    },
    ({ status }) => `task ${status}, its process has ended`,
  );
  made.end = 'reached';
  await step(
    'Close the region',
    () => closeRegion(demo, scenario.region_id),
    () => `${scenario.region_id} accepts no more deploys`,
  );
}

/** The region's address ends with the demo. */
const closeRegion = ({ acp, signal }: Pick<Demo, 'acp' | 'signal'>, region_id: string) =>
  acp.regions.put(region_id, { is_active: false }, { signal });

/** Requests the termination without waiting for it. */
export async function abandon(demo: Pick<Demo, 'acp' | 'made' | 'signal'>): Promise<void> {
  const { acp, made, signal } = demo;
  if (made.instance_id && made.end === undefined) {
    await acp.instances.delete(made.instance_id, { signal });
    made.end = 'requested';
  }
  if (made.region_id) await closeRegion(demo, made.region_id);
}

import type { Deployed, InstanceEventPage, Task, Tier, TierPage } from '@agent-control-plane/sdk';
import type { Demo } from './demo.ts';
import { DemoError } from './errors.ts';
import { followInstance } from './instance-log.ts';

/** Deploys the plan where the agent's answers come to this process, and waits until the instance runs. */
export async function deploy(
  demo: Demo,
  plan: { customer_id: string; recipe_id: string; plan_hash: string },
): Promise<string> {
  const { api, operations, screen, scenario, emulator, step, made } = demo;
  const { region_id, hostname, idempotency_key } = scenario;
  screen.heading('Deploy');
  await step(
    'Make a region of its own',
    () =>
      operations.call('PUT', `/internal/v1/regions/${region_id}`, {
        name: 'Demo',
        chatapp_api_base_url: emulator.base_url,
      }),
    () => `${region_id}; its agents answer to ${emulator.base_url}`,
  );
  made.region_id = region_id;
  const tier = await step(
    'Choose a tier',
    () => firstTier(demo),
    ({ name, id }) => `${name}, id ${id}`,
  );
  const request = () =>
    api.call<Deployed>('POST', '/v1/recipes/deploy', {
      ...plan,
      tier_id: tier.id,
      region_id,
      hostname,
      idempotency_key,
    });
  const { instance_id } = await step('Deploy that plan', request, (deployed) => {
    made.instance_id = deployed.instance_id;
    return `instance ${deployed.instance_id}`;
  });
  await step('Ask for it once more', request, (again) => {
    if (again.instance_id !== instance_id)
      throw new DemoError(`a second instance came of it: ${again.instance_id}`);
    return 'same idempotency key, same instance';
  });
  await step(
    'Provision it',
    () => followInstance(demo, instance_id, 'running'),
    () => 'running',
  );
  return instance_id;
}

async function firstTier({ api }: Demo): Promise<Tier> {
  const { items } = await api.call<TierPage>('GET', '/v1/tiers');
  const [tier] = items;
  if (!tier) throw new DemoError('GET /v1/tiers has none: make one with PUT /internal/v1/tiers/{id}');
  return tier;
}

/** Ends what runs, so that demos do not pile up; what can be looked at stays. */
export async function terminate(demo: Demo, instance_id: string): Promise<void> {
  const { api, operations, screen, scenario, step, made } = demo;
  screen.heading('Clean up');
  const { items } = await api.call<InstanceEventPage>(
    'GET',
    `/v1/instances/${instance_id}/events?per_page=1`,
  );
  const { task_id } = await step(
    'Terminate the instance',
    () => api.call<Task>('DELETE', `/v1/instances/${instance_id}`),
    (task) => `task ${task.task_id}`,
  );
  await step(
    'Wait for its end',
    async () => {
      await followInstance(demo, instance_id, 'terminated', items[0]?.id);
      return await api.call<Task>('GET', `/v1/tasks/${task_id}`);
    },
    ({ status }) => `task ${status}, its process has ended`,
  );
  made.end = 'reached';
  await step(
    'Close the region',
    () => closeRegion(operations, scenario.region_id),
    () => `${scenario.region_id} takes no more deploys`,
  );
}

/** Its address dies with the demo. */
const closeRegion = (operations: Demo['operations'], region_id: string) =>
  operations.call('PUT', `/internal/v1/regions/${region_id}`, { is_active: false });

/** After a failure: asks for the end of what runs, without waiting for it. */
export async function abandon({
  api,
  operations,
  made,
}: Pick<Demo, 'api' | 'operations' | 'made'>): Promise<void> {
  if (made.instance_id && made.end === undefined) {
    await api.call('DELETE', `/v1/instances/${made.instance_id}`);
    made.end = 'requested';
  }
  if (made.region_id) await closeRegion(operations, made.region_id);
}

import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runTask } from '../../src/domain/task-runner.ts';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();

let service: TestService;
let tenant: TestTenant;
let recipe_id: string;
let customer_id: string;

/** Nobody works on tasks here but the tests themselves. */
beforeAll(async () => {
  service = await startTestService({ works: false });
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  customer_id = await createCustomer(tenant);
  recipe_id = (await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' })).body.id;
});
afterAll(() => service.stop());

interface Ids {
  instance_id: string;
  task_id: string;
}

async function deploy(): Promise<Ids> {
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
  const request = { recipe_id, customer_id, ...place };
  return (await tenant.api.post<Ids>('/v1/recipes/deploy', request)).body;
}

/** As a copy of the service does that was given the task's job. */
const run = (task_id: string) =>
  runTask(service.service.services, { tenant_id: tenant.tenant_id, task_id }, { lastAttempt: false });

const statusOf = async (instance_id: string) =>
  (await tenant.api.get<{ status: string }>(`/v1/instances/${instance_id}`)).body.status;

const taskStatus = async (task_id: string) =>
  (await tenant.api.get<{ status: string }>(`/v1/tasks/${task_id}`)).body.status;

/** Holds the next call of a port's method. @returns when it has been reached, and how to let it go on */
function holdNext<T extends object>(port: T, method: keyof T & string) {
  const gate = new EventEmitter();
  const [reached, opened] = [once(gate, 'reached'), once(gate, 'opened')];
  const original = port[method] as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(port as Record<string, typeof original>, method).mockImplementationOnce(async (...args) => {
    gate.emit('reached');
    await opened;
    return original.apply(port, args);
  });
  return { reached, goOn: () => gate.emit('opened') };
}

it('goes on in the hands that took it over, whatever those do that had it before', async () => {
  const { instance_id, task_id } = await deploy();
  const start = holdNext(service.engine, 'start');
  const first = run(task_id);
  await start.reached;
  const health = holdNext(service.runtimes, 'isHealthy');
  const second = run(task_id);
  await health.reached;
  start.goOn();
  await first;
  health.goOn();
  await second;
  expect(await taskStatus(task_id)).toBe('succeeded');
  expect(await statusOf(instance_id)).toBe('running');
});

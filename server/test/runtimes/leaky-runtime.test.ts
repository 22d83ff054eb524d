import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ProcessEngine } from '../../src/adapters/process-engine/engine.ts';
import { loggerOptions } from '../../src/platform/logger.ts';
import type { Engine, RuntimeSpec } from '../../src/runtimes/engine.port.ts';
import { createCustomer } from '../support/customers.ts';
import { dumpDatabase, PlantedSecrets } from '../support/planted-secrets.ts';
import { startTestService, type TestService } from '../support/service.ts';

const TIER = '0b9b0f4c-1d77-4d53-9a31-7b8b6a6f0c11';
const SECRET = /KEY|SECRET|TOKEN/;
/** Like a careless crash report, prints its secrets in several encodings, and exits. */
const LEAKY = `
const texts = Object.entries(process.env).filter(([name]) => ${String(SECRET)}.test(name)).map(([, value]) => value);
console.error('Cannot start with ' + texts.join(' ') + ' ' + JSON.stringify(texts) + ' ' + texts.map(encodeURIComponent));
process.exit(1);`;

const secrets = new PlantedSecrets();
let dataDir: string;
let service: TestService;
let logs = '';

beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'acp-leaky-')));
  const logger = pino(loggerOptions('trace'), { write: (line) => (logs += line) });
  const engine = new ProcessEngine({
    dataDir,
    log: logger,
    command: [process.execPath, '-e', LEAKY],
    isolation: 'none',
  });
  service = await startTestService({ logger, engine: plantingEngine(engine) });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Records the secrets that runtimes are started with. */
function plantingEngine(engine: Engine): Engine {
  return {
    ensure: (spec, minted) =>
      engine.ensure(spec, async () => {
        const made = await minted();
        if (made) plantSecretsOf({ ...spec.environment, ...made });
        return made;
      }),
    remove: (instance_id) => engine.remove(instance_id),
    watch: (signal) => engine.watch(signal),
    close: () => engine.close(),
  };
}

function plantSecretsOf(environment: RuntimeSpec['environment']): void {
  const found = Object.entries(environment).filter(([name, value]) => SECRET.test(name) && value !== '');
  expect(found.length).toBeGreaterThanOrEqual(2);
  for (const [name, value] of found) secrets.plant(name, value);
}

it('the last line of a runtime is told where its end is, without its secrets', async () => {
  const { api } = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  type Id = { id: string };
  const { body: recipe } = await api.post<Id>('/v1/recipes', { name: 'R' });
  const { body: deployed } = await api.post<{ instance_id: string; task_id: string }>('/v1/recipes/deploy', {
    recipe_id: recipe.id,
    customer_id: await createCustomer({ api }),
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'agent.example.com',
  });
  const instance = `/v1/instances/${deployed.instance_id}`;
  const until = { timeout: 180_000, interval: 100 };
  await vi.waitFor(async () => {
    expect((await api.get<{ status: string }>(instance)).body.status).toBe('failed');
  }, until);

  const task = await api.get<{ error: string }>(`/v1/tasks/${deployed.task_id}`);
  const told = 'The runtime ended by itself: Cannot start with [redacted]';
  expect(task.body.error).toContain(told);
  const events = await api.get(`${instance}/events?per_page=100`);
  expect(events.text).toContain(told);
  expect((await api.get(instance)).body).toMatchObject({ runtime: { state: 'absent', reason: 'crashed' } });
  expect(logs).toContain('Cannot start with [redacted]');
  const dump = (await dumpDatabase(service.database.url)).map(({ text }) => text).join('\n');
  const places = { logs, dump, events: events.text, task: task.text };
  expect(Object.entries(places).flatMap(([where, text]) => secrets.foundIn(where, text))).toEqual([]);
});

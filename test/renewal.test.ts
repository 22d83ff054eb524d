import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { buildRuntime } from '../runtime/src/build.ts';
import { readConfig } from '../runtime/src/config.ts';
import { createCsr } from '../runtime/src/identity/csr.ts';
import { newTlsKey } from '../runtime/src/identity/keys.ts';
import type { State } from '../runtime/src/identity/state.ts';
import { createLog } from '../runtime/src/log.ts';
import { postAs } from '../server/test/support/identities.ts';
import { startTestService, type TestService, type TestTenant } from '../server/test/support/service.ts';

const TIER = '00000000-0000-4000-8000-000000000001';
const minuteMs = 60_000;
/** Two thirds of a day, plus half of a tenth of the rest, because `random` is one half. */
const renewalMs = (16 * 60 + 24) * minuteMs;

let service: TestService;
let tenant: TestTenant;
let stateDir: string;
let path: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterAll(() => service.stop());

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'acp-renewal-'));
  const make = async (path: string, json: object) =>
    (await tenant.api.post<{ id: string }>(path, json)).body.id;
  const deploy = {
    recipe_id: await make('/v1/recipes', { name: 'R' }),
    customer_id: await make('/v1/customers', { email: `${stateDir.slice(-6)}@example.com` }),
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'agent.example.com',
  };
  const { body } = await tenant.api.post<{ instance_id: string }>('/v1/recipes/deploy', deploy);
  const { instance_id } = body;
  path = `/internal/v1/instances/${instance_id}`;
  await vi.waitFor(
    async () => {
      const { body } = await tenant.api.get<{ status: string }>(`/v1/instances/${instance_id}`);
      expect(body.status).toBe('running');
    },
    { timeout: 180_000, interval: 30 },
  );
  environment = service.engine.running.get(instance_id)?.environment ?? expect.unreachable();
});
afterEach(() => rm(stateDir, { recursive: true }));

async function live(): Promise<{ tick: () => Promise<void>; events: () => string[] }> {
  const lines: string[] = [];
  const { keeper } = buildRuntime(readConfig({ ...environment, STATE_DIR: stateDir }), {
    log: createLog('debug', (line) => lines.push(line)),
    now: () => service.clock.now().getTime(),
    random: () => 0.5,
    onRestartNeeded: () => {},
    onReplaced: () => {},
  });
  const { tick } = keeper ?? expect.unreachable();
  await tick();
  return { tick, events: () => lines.map((line) => (JSON.parse(line) as { event: string }).event) };
}

const file = () => join(stateDir, 'identity.json');
const kept = async () => JSON.parse(await readFile(file(), 'utf8')) as Required<State>;

it('is done by the runtime in time', async () => {
  const { tick, events } = await live();
  const first = (await kept()).current;
  service.clock.advance(renewalMs);
  await tick();
  const second = (await kept()).current;
  expect(second.cert_serial).not.toBe(first.cert_serial);
  service.clock.advance(6 * minuteMs);
  await tick();
  const refreshed = 'secrets_refreshed';
  expect(events()).toEqual(['enrolled', refreshed, 'renewed', refreshed, refreshed]);
});

it('uses the certificate of a lost answer after the runtime was killed', async () => {
  await live();
  service.clock.advance(renewalMs);
  const state = { ...(await kept()), next_key_pem: newTlsKey() };
  // It stored the key, sent the request, and was killed before the answer.
  await writeFile(file(), JSON.stringify(state));
  const claim = {
    csr_pem: createCsr(createPrivateKey(state.next_key_pem)),
    wg_public_key: state.wireguard.public_key,
  };
  const { cert_pem: cert, private_key_pem: key } = state.current;
  const headers = { authorization: `Bearer ${environment['PROXY_KEY']}` };
  const lost = await postAs(service, `${path}/cert/renew`, claim, { cert, key }, headers);
  expect(lost.status, lost.text).toBe(200);
  service.clock.advance(10 * minuteMs);
  const { events } = await live();
  expect(events()).toEqual(['identity_kept', 'renewed', 'secrets_refreshed']);
  expect((await kept()).current.cert_pem).toBe((lost.body as { cert_pem: string }).cert_pem);
});

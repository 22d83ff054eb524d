import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HttpRuntimeClient } from '../server/src/adapters/http-runtime-client.ts';
import { isInUse } from '../server/src/certificates/client-certificates.ts';
import type { Drive } from '../server/src/drive/drive.port.ts';
import type { Services } from '../server/src/services.ts';
import { FakeLanguageModel, sendCompletion, usageOf } from '../server/test/support/fake-language-model.ts';
import { startTestService, type TestService, type TestTenant } from '../server/test/support/service.ts';
import { TlsEngine } from '../server/test/support/tls-engine.ts';

const WAIT = { timeout: 120_000, interval: 50 };
const TIER = randomUUID();
const ACCESS_TOKEN = 'EAAG-token-of-the-channel';

/** The copy's own, and the cluster's: tasks decide which one runs the instance. */
const engines = [new TlsEngine(), new TlsEngine()] as const;
const engineOf = (instance_id: string) =>
  engines.find(({ running }) => running.has(instance_id)) ?? expect.unreachable();
const exits = () => engines.flatMap((engine) => engine.exits);
let services: Services | undefined;
const known = () => services ?? expect.unreachable();
const runtimes = new HttpRuntimeClient({
  trust_domain: 'acp.test',
  trustBundle: () => known().authority.trustBundle(),
  isInUse: (id, certificate) => isInUse(known(), id, certificate),
});
const putSecrets = vi.spyOn(runtimes, 'putSecrets');

let model: FakeLanguageModel;
let service: TestService;
let tenant: TestTenant;
let customer_id: string;
let instance_id: string;
let identity_id: string;

beforeAll(async () => {
  model = await FakeLanguageModel.start();
  model.respond = (response) => sendCompletion(response, 'Sunny.', usageOf(10, 5));
  const file = { id: 'f1', name: 'price list.txt', mime_type: 'text/plain', size: 2 };
  const drive: Drive = {
    search: async () => [{ ...file, modified_at: null, folder_id: null, web_url: null }],
    read: async () => expect.unreachable(),
  };
  const llm = { base_url: model.base_url, api_key: 'operators-key', model: 'own-model' };
  service = await startTestService({
    engine: engines[0],
    openEngine: () => engines[1],
    runtimes,
    drive,
    settings: { llm },
    pace: { hostMs: 200, leasesMs: 100, queue: { pollEveryMs: 50, firstPauseMs: 50 } },
  });
  ({ services } = service.service);
  await service.database.query(
    `update clusters set engine = 'docker', host_id = gen_random_uuid() where id = 'default'`,
  );
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  instance_id = await deploy();
  await becomes('running');
  identity_id = await introduceSender();
});
afterAll(async () => {
  await service.stop();
  // The service ends no runtime of a cluster.
  await engines[1].close();
  await runtimes.close();
  await model.stop();
});

async function make(path: string, json: object): Promise<string> {
  const { status, body, text } = await tenant.api.post<{ id: string }>(path, json);
  expect(status, text).toBe(201);
  return body.id;
}

async function deploy(): Promise<string> {
  customer_id = await make('/v1/customers', { email: 'customer@example.com' });
  const connections = `/v1/customers/${customer_id}/connections`;
  await make(connections, { provider: 'chatapp', credentials: { access_token: ACCESS_TOKEN } });
  await make(connections, { provider: 'filesystem', name: 'files', credentials: { folder: 'a' } });
  const requires = [{ provider: 'chatapp' }, { provider: 'filesystem' }];
  const recipe_id = await make('/v1/recipes', {
    name: 'Recipe',
    skills: ['staff_query', 'drive_search'].map((slug) => ({ slug, public: true })),
    connection_requirements: requires,
  });
  const place = { recipe_id, customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'agent.example.com' };
  const { body, status, text } = await tenant.api.post<{ instance_id: string }>('/v1/recipes/deploy', place);
  expect(status, text).toBe(202);
  return body.instance_id;
}

const becomes = (status: string) =>
  vi.waitFor(async () => {
    const { body } = await tenant.api.get(`/v1/instances/${instance_id}`);
    expect(body).toMatchObject({ status });
  }, WAIT);

async function introduceSender(): Promise<string> {
  const id = await make(`/v1/customers/${customer_id}/identities`, {
    channel: 'chatapp',
    external_id: '61400000001',
  });
  const pin = `/internal/v1/instances/${instance_id}/identities/${id}/pin`;
  expect((await service.operations.post(pin, { pin: '246810' })).status).toBeLessThan(300);
  const policy = { pin_required_skills: ['staff_query'], pin_applies_to: 'all' };
  expect((await tenant.api.patch(`/v1/instances/${instance_id}/pin-policy`, policy)).status).toBe(200);
  return id;
}

/** @returns the agent's answers, in one conversation */
async function talk(...texts: string[]): Promise<string[]> {
  const answers: string[] = [];
  let conversation_id: string | null = null;
  for (const text of texts) {
    const asked: { body: { conversation_id: string }; status: number } = await tenant.api.post(
      `/v1/instances/${instance_id}/playground`,
      { text, conversation_id, identity_id },
    );
    expect(asked.status).toBe(202);
    conversation_id = asked.body.conversation_id;
    const path = `/v1/conversations/${conversation_id}/messages`;
    const answer = await vi.waitFor(async () => {
      const { body } = await tenant.api.get<{ items: { author: string; text: string }[] }>(path);
      return body.items.filter(({ author }) => author === 'agent')[answers.length] ?? expect.unreachable();
    }, WAIT);
    answers.push(answer.text);
  }
  return answers;
}

it('every address of a runtime that is no process of this machine is the listener for runtimes', () => {
  const { environment } = engineOf(instance_id).running.get(instance_id) ?? expect.unreachable();
  const { mtls_url } = service;
  expect(environment).toMatchObject({
    CONTROL_PLANE_URL: mtls_url,
    CONTROL_PLANE_MTLS_URL: mtls_url,
    LLM_BASE_URL: `${mtls_url}/internal/v1/instances/${instance_id}/llm`,
  });
  expect(Object.values(environment).filter((value) => value.includes('http://'))).toEqual([]);
  expect(environment).not.toHaveProperty('CHATAPP_API_BASE_URL');
});

it('its secrets have no token of the channel', () => {
  const [, , secrets] = putSecrets.mock.calls.at(-1) ?? expect.unreachable();
  expect(secrets).toMatchObject({ connections: { [customer_id]: [{ provider: 'filesystem' }] } });
  expect(JSON.stringify(putSecrets.mock.calls)).not.toContain(ACCESS_TOKEN);
});

it('it answers by its model, from the drive, and about staff after a PIN', async () => {
  const answers = await talk('What is the weather like?', 'find price list', 'who can dance', '246810');
  expect(answers).toEqual([
    'Sunny.',
    expect.stringContaining('price list.txt'),
    expect.stringContaining('please send your PIN'),
    'Nobody active can dance.',
  ]);
});

it('its log is there without anybody reading its output', async () => {
  await vi.waitFor(async () => {
    const { body } = await tenant.api.get<{ items: { line: string }[] }>(`/v1/instances/${instance_id}/logs`);
    const events = body.items.map(({ line }) => JSON.parse(line) as { event: string });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['enrolled', 'listening', 'secrets_replaced', 'answered']),
    );
  }, WAIT);
});

it('the last lines come before it ends', async () => {
  expect((await tenant.api.post(`/v1/instances/${instance_id}/stop`)).status).toBe(202);
  await vi.waitFor(() => expect(exits()).toEqual([0]), WAIT);
  const { body } = await tenant.api.get<{ items: { line: string }[] }>(`/v1/instances/${instance_id}/logs`);
  expect(body.items.at(-1)?.line).toContain('"stopping"');
  await becomes('stopped');
});

it('one that is refused its enrollment ends with 75', async () => {
  for (const engine of engines)
    engine.change = (environment) => ({ ...environment, ENROLLMENT_TOKEN: `aet_${'x'.repeat(43)}` });
  expect((await tenant.api.post(`/v1/instances/${instance_id}/start`)).status).toBe(202);
  await vi.waitFor(() => expect(exits()).toContain(75), WAIT);
});

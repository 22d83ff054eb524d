import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createAgent, forwardedCount, uniqueSender, WAIT, write } from '../support/conversations.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import type { TestEndpoint } from '../support/webhook.ts';

const sendApi = new FakeSendApi();
let service: TestService;
let tenant: TestTenant;

const startService = async (settings: object = {}) => {
  const chatapp_api_base_url = await sendApi.start();
  return startTestService({
    pace: { queue: { pollEveryMs: 50, firstPauseMs: 50 } },
    settings: { chatapp_api_base_url, ...settings },
  });
};

beforeAll(async () => {
  service = await startService();
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

const readOf = ({ phone_number_id }: TestEndpoint) =>
  sendApi.read.filter(({ path }) => path === `/${phone_number_id}/messages`);

const markOf = ({ phone_number_id }: TestEndpoint, message_id: string | undefined) => ({
  path: `/${phone_number_id}/messages`,
  token: 'token-1',
  body: { messaging_product: 'whatsapp', status: 'read', message_id, typing_indicator: { type: 'text' } },
});

it('a message is marked as read while the runtime works, once, although it is tried again', async () => {
  const agent = await createAgent(service, tenant);
  let tries = 0;
  service.runtimes.onMessage = async () => {
    await vi.waitFor(() => expect(readOf(agent)).toHaveLength(1), WAIT);
    if (++tries < 3) throw new Error('busy');
  };
  const [id] = await write(service, agent, uniqueSender(), 'hi');
  await forwardedCount(service, agent, 1);
  expect(readOf(agent)).toEqual([markOf(agent, id)]);
});

it('the last one of a burst stands for all, and each burst is marked', async () => {
  const agent = await createAgent(service, tenant);
  service.runtimes.onMessage = () => {};
  const sender = uniqueSender();
  const ids = await write(service, agent, sender, 'one', 'two');
  await vi.waitFor(() => expect(readOf(agent)).toContainEqual(markOf(agent, ids.at(-1))), WAIT);
  const [later] = await write(service, agent, sender, 'three');
  await vi.waitFor(() => expect(readOf(agent)).toContainEqual(markOf(agent, later)), WAIT);
});

it('a runtime of a manifest’s command marks messages itself', async () => {
  const agent = await createAgent(service, tenant);
  await service.operations.put('/internal/v1/manifests/own', { command: ['node', '/srv/agent.js'] });
  await service.database.query(`update instances set applied_manifest_id = 'own' where id = $1`, [
    agent.instance.id,
  ]);
  service.runtimes.onMessage = () => {};
  await write(service, agent, uniqueSender(), 'hi');
  await forwardedCount(service, agent, 1);
  expect(readOf(agent)).toEqual([]);
});

it('in containers, only those of the service’s own image have them marked', async () => {
  const [own, other] = [await createAgent(service, tenant), await createAgent(service, tenant)];
  await service.operations.put('/internal/v1/manifests/in-an-image', { image: 'agents/other:1' });
  await service.database.query(
    `insert into clusters (id, engine, host_id, region_id) values ('a-daemon', 'docker', gen_random_uuid(), $1)`,
    [own.instance.region_id],
  );
  const ids = [own.instance.id, other.instance.id];
  await service.database.query(`update instances set cluster_id = 'a-daemon' where id = any ($1)`, [ids]);
  await service.database.query(`update instances set applied_manifest_id = 'in-an-image' where id = $1`, [
    other.instance.id,
  ]);
  service.runtimes.onMessage = () => {};
  const [id] = await write(service, own, uniqueSender(), 'hi');
  await write(service, other, uniqueSender(), 'hi');
  await Promise.all([forwardedCount(service, own, 1), forwardedCount(service, other, 1)]);
  await vi.waitFor(() => expect(readOf(own)).toEqual([markOf(own, id)]), WAIT);
  expect(readOf(other)).toEqual([]);
});

it('nothing waits for a channel that does not answer, or refuses', async () => {
  const agent = await createAgent(service, tenant);
  await service.database.query(
    `update regions set chatapp_api_base_url = 'http://127.0.0.1:1' where id = $1`,
    [agent.instance.region_id],
  );
  service.runtimes.onMessage = () => {};
  await write(service, agent, uniqueSender(), 'hi');
  await forwardedCount(service, agent, 1);
});

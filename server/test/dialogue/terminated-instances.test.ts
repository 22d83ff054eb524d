import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  conversationWith,
  createAgent,
  forwardedTo,
  messagesBecome,
  uniqueSender,
  write,
} from '../support/conversations.ts';
import { setInstanceStatus } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

const closed = { channel_config: { business_hours: { mon: [] } } };

it.each([
  ['a runtime', {}, 'agent'],
  ['business hours', closed, 'agent'],
  ['a person', {}, 'human'],
])('a message that waits for %s is dead once its instance is terminated', async (_name, config, mode) => {
  const agent = await createAgent(service, tenant, config);
  const sender = uniqueSender();
  await setInstanceStatus(service, agent.instance.id, 'stopped');
  await write(service, agent, sender, 'hi');
  const { id } = await conversationWith(tenant, agent, sender);
  expect((await tenant.api.patch(`/v1/conversations/${id}`, { mode })).status).toBe(200);
  await messagesBecome(tenant, id, [{ status: 'pending' }]);
  await setInstanceStatus(service, agent.instance.id, 'terminated');
  await messagesBecome(tenant, id, [{ status: 'dead', error: 'The instance is terminated' }]);
  expect(forwardedTo(service, agent)).toEqual([]);
});

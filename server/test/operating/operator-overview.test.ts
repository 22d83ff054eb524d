import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createEndpoint, sendMessages, textMessage } from '../support/webhook.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
});
afterAll(() => service.stop());

it('shows the state of the service and of all tenants', async () => {
  const tenants = [await service.createTenant(), await service.createTenant()] as const;
  await sendMessages(service, await createEndpoint(service, tenants[0]), textMessage('1', 'Words'));
  await insertInstance(service, tenants[1].tenant_id, { status: 'failed' });
  await service.operations.put('/internal/v1/llm-providers/nowhere', {
    base_url: 'http://127.0.0.1:9/v1',
    api_key: 'a key of the tests',
  });
  const { status, body } = await service.operations.get('/internal/v1/overview');
  expect(status).toBe(200);
  expect(body).toEqual({
    version: expect.stringMatching(/^\d/),
    tenants: 2,
    instances: { pending: 0, provisioning: 0, running: 1, stopped: 0, failed: 1, terminating: 0 },
    hosts: { alive: 0, dead: 0 },
    messages: { pending: 1, queued: 0, dead: 0, failed: 0 },
    oldest_message_seconds: expect.any(Number),
    queues: expect.objectContaining({ converse: { depth: 1, oldest_seconds: expect.any(Number) } }),
    certificates_expiring: 0,
    providers: [
      {
        slug: 'nowhere',
        ok: false,
        at: expect.stringMatching(/Z$/),
        error: expect.stringMatching(/^Not reachable/),
      },
    ],
    isolation: 'off',
    database: 'ok',
  });
  expect((await tenants[0].api.get('/internal/v1/overview')).status).toBe(401);
});

it('shows what each tenant has and spends, and finds tenants by name', async () => {
  const { tenant_id } = await service.createTenant('The Lighthouse');
  await insertInstance(service, tenant_id);
  await insertInstance(service, tenant_id, { status: 'terminated' });
  await service.database.query(
    `insert into llm_spending (tenant_id, month, cost)
     values ($1, date_trunc('month', now() at time zone 'UTC'), 1.50), ($1, '2020-01-01', 9)`,
    [tenant_id],
  );
  const { body } = await service.operations.get<{ items: unknown[]; total: number }>(
    '/internal/v1/tenants?search=lightHOUSE',
  );
  expect(body).toMatchObject({
    items: [{ tenant_id, instances: 1, customers: 2, users: 1, month_cost: '1.5' }],
    total: 1,
  });
  const { body: all } = await service.operations.get<{ total: number }>('/internal/v1/tenants');
  expect(all.total).toBeGreaterThan(1);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

interface Subscription {
  id: string;
  status: string;
  plan: string | null;
  current_period_end: string | null;
  updated_at: string;
}

let service: TestService;
let tenant: TestTenant;
let customer_id: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  customer_id = await createCustomer(tenant);
  path = `/v1/customers/${customer_id}/subscriptions`;
});
afterAll(() => service.stop());

const create = async (subscription: object) => (await tenant.api.post<Subscription>(path, subscription)).body;

describe('create', () => {
  it('returns times in UTC', async () => {
    const subscription = { status: 'active', plan: 'pro', current_period_end: '2030-01-31T10:00:00.5+01:00' };
    const { status, body } = await tenant.api.post<Subscription>(path, subscription);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id,
      customer_name: expect.stringMatching(/@example.com$/),
      status: 'active',
      plan: 'pro',
      current_period_end: '2030-01-31T09:00:00.500Z',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('requires only the status', async () => {
    expect(await create({ status: 'trialing' })).toMatchObject({ plan: null, current_period_end: null });
  });
});

describe('list', () => {
  it('pages the customer’s subscriptions, newest first', async () => {
    const made = [
      await create({ status: 'active' }),
      await create({ status: 'paused' }),
      await create({ status: 'canceled' }),
    ];
    const other = await createCustomer(tenant);
    await tenant.api.post(`/v1/customers/${other}/subscriptions`, { status: 'active' });
    expect((await tenant.api.get(`${path}?per_page=2`)).body).toEqual({
      items: [made[2], made[1]],
      page: 1,
      per_page: 2,
      total: 3,
    });
    expect((await tenant.api.get(`${path}?per_page=2&page=5`)).body).toEqual({
      items: [],
      page: 5,
      per_page: 2,
      total: 3,
    });
  });
});

describe('update', () => {
  it('changes given fields and clears null ones', async () => {
    const made = await create({
      status: 'active',
      plan: 'pro',
      current_period_end: '2030-01-31T09:00:00.000Z',
    });
    service.clock.advance(1000);
    const canceled = await tenant.api.patch<Subscription>(`${path}/${made.id}`, { status: 'canceled' });
    expect(canceled.status).toBe(200);
    expect(canceled.body).toEqual({ ...made, status: 'canceled', updated_at: canceled.body.updated_at });
    expect(canceled.body.updated_at > made.updated_at).toBe(true);
    const cleared = await tenant.api.patch(`${path}/${made.id}`, { plan: null, current_period_end: null });
    expect(cleared.body).toMatchObject({ status: 'canceled', plan: null, current_period_end: null });
    const period = { current_period_end: '2031-01-01T00:00:00.000Z', plan: 'basic' };
    expect((await tenant.api.patch(`${path}/${made.id}`, period)).body).toMatchObject(period);
  });

  it('answers the same for an unknown and a foreign subscription', async () => {
    const { id } = await create({ status: 'active' });
    const other = await createCustomer(tenant);
    const foreign = await tenant.api.patch(`/v1/customers/${other}/subscriptions/${id}`, {
      status: 'paused',
    });
    const missing = await tenant.api.patch(`${path}/${randomUUID()}`, { status: 'paused' });
    expect(missing).toMatchObject({ status: 404, text: '{"detail":"Subscription not found"}' });
    expect(foreign).toMatchObject({ status: 404, text: missing.text });
    expect((await tenant.api.get(path)).body).toMatchObject({ items: [{ id, status: 'active' }] });
  });
});

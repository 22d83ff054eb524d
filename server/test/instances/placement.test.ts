import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../support/growth.ts';
import { manyLetters } from '../support/many-letters.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

describe('tiers', () => {
  it('are written by the operator, and listed for tenants while active', async () => {
    const id = randomUUID();
    const path = `/internal/v1/tiers/${id}`;
    const made = await service.operations.put(path, { name: 'Big', memory_mib: 2048, description: 'Room' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ id, name: 'Big', memory_mib: 2048, cpu_millis: null, is_active: true });
    const off = await service.operations.put(path, { is_active: false, description: null });
    expect(off.status).toBe(200);
    expect(off.body).toMatchObject({ name: 'Big', memory_mib: 2048, description: null, is_active: false });
    expect((await tenant.api.get<{ items: unknown[] }>('/v1/tiers')).body.items).toEqual([]);
    expect((await service.operations.put(path, {})).body).toMatchObject({ is_active: false });
    expect((await service.operations.put(path, { is_active: true })).body).toMatchObject({ name: 'Big' });
    expect((await tenant.api.get<{ total: number }>('/v1/tiers')).body.total).toBe(1);
  });
});

const refuseRegionAt = async (length: number) => {
  const chatapp_api_base_url = `http://${manyLetters(length)}/`;
  const { status } = await service.operations.put('/internal/v1/regions/eu-2', { chatapp_api_base_url });
  expect(status).toBe(422);
};

describe('regions', () => {
  it('change only the supplied fields, and hide the send API’s address from tenants', async () => {
    const path = '/internal/v1/regions/eu-1';
    const chatapp_api_base_url = 'http://127.0.0.1:1/graph';
    expect(await service.operations.put(path, { chatapp_api_base_url })).toMatchObject({
      status: 201,
      body: { name: 'eu-1' },
    });
    expect(await service.operations.put(path, { name: 'Europe' })).toMatchObject({
      status: 200,
      body: { chatapp_api_base_url },
    });
    const { text, body } = await tenant.api.get<{ items: { id: string; name: string }[] }>('/v1/regions');
    expect(body.items).toMatchObject([{ id: 'eu-1', name: 'Europe' }]);
    expect(text).not.toContain('graph');
    for (const wrong of ['file:///etc', 'http://[', 'https://', 'example.com', '']) {
      expect((await service.operations.put(path, { chatapp_api_base_url: wrong })).status, wrong).toBe(422);
    }
  });

  it('refuse a base address in linear time', async () => {
    expect(await growthOf(refuseRegionAt, 2500)).toBeLessThan(LESS_THAN_QUADRATIC);
  });
});

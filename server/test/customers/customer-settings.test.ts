import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let customer: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
  customer = `/v1/customers/${await createCustomer(tenant)}`;
});
afterAll(() => service.stop());

describe.each(['rules', 'config'])('%s', (name) => {
  const path = () => `${customer}/${name}`;
  const other = () => `${customer}/${name === 'rules' ? 'config' : 'rules'}`;

  it('start as an empty object', async () => {
    expect(await tenant.api.get(path())).toMatchObject({ status: 200, text: '{}' });
  });

  it('are replaced, not merged', async () => {
    const first = { tone: 'formal', nested: { a: [1, null, 'é', 1.5] }, gone: true };
    expect(await tenant.api.put(path(), first)).toMatchObject({ status: 200, body: first });
    const second = { tone: null, "'; drop table customers; --": {} };
    expect((await tenant.api.put(path(), second)).body).toEqual(second);
    expect((await tenant.api.get(path())).body).toEqual(second);
    expect((await tenant.api.get(other())).body).not.toEqual(second);
  });

  it('change the customer’s updated_at', async () => {
    const before = (await tenant.api.get<{ updated_at: string }>(customer)).body.updated_at;
    service.clock.advance(1000);
    await tenant.api.put(path(), {});
    const after = (await tenant.api.get<{ updated_at: string }>(customer)).body.updated_at;
    expect(Date.parse(after) - Date.parse(before)).toBeGreaterThanOrEqual(1000);
  });

  it('keep their value where a body is no object', async () => {
    const kept = { kept: name };
    await tenant.api.put(path(), kept);
    for (const body of [[], [{}], 'text', 1, true, null]) {
      const answer = await tenant.api.put(path(), body);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ detail: [{ loc: ['body'], type: 'dict_type' }] });
    }
    const absent = await tenant.api.put(path());
    expect(absent.status).toBe(422);
    expect(absent.body).toMatchObject({ detail: [{ loc: ['body'], type: 'missing' }] });
    expect((await tenant.api.get(path())).body).toEqual(kept);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const KIB = 1024;

let service: TestService;
let tenant: TestTenant;
let customer: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
  customer = `/v1/customers/${await createCustomer(tenant)}`;
});
afterAll(() => service.stop());

/** `{ a }` has this size as JSON. */
const text = (bytes: number) => 'x'.repeat(bytes - '{"a":""}'.length);
const list = (values: number) => Array.from({ length: values - 2 }, () => 0);
const large = (bytes: number) => ({ a: 'x'.repeat(bytes) });

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

  it('keep their value when the body is no object', async () => {
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

  it('have at most 256 KiB as JSON, 10,000 values and 32 levels', async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    for (const largest of [{ a: text(256 * KIB) }, { a: list(10_000) }, nested(32)]) {
      expect((await tenant.api.put(path(), largest)).status).toBe(200);
    }
    const halves = { a: text(129 * KIB), b: text(129 * KIB) };
    for (const [settings, loc] of [
      [{ a: 'x'.repeat(256 * KIB) }, ['body', 'a']],
      [halves, ['body']],
      [{ a: list(10_002) }, ['body', 'a']],
      [{ a: list(60_000) }, ['body', 'a']],
      [nested(33), ['body', 'a']],
      [nested(200), ['body', 'a']],
    ] as const) {
      const { status, body } = await tenant.api.put(path(), settings);
      expect([status, body]).toMatchObject([422, { detail: [{ loc, type: 'too_long' }] }]);
    }
    expect((await tenant.api.get(path())).body).toEqual(nested(32));
  });

  it('over the limits may be replaced by no larger ones', async () => {
    await service.database.query(`update customers set ${name} = $1`, [JSON.stringify(large(800 * KIB))]);
    expect((await tenant.api.get(path())).body).toEqual(large(800 * KIB));
    expect((await tenant.api.put(path(), large(801 * KIB))).body).toMatchObject({
      detail: [{ loc: ['body', 'a'], type: 'too_long' }],
    });
    expect((await tenant.api.put(path(), large(700 * KIB))).body).toEqual(large(700 * KIB));
    expect((await tenant.api.put(path(), large(800 * KIB))).status).toBe(422);
    expect((await tenant.api.put(path(), {})).status).toBe(200);
    expect((await tenant.api.put(path(), large(700 * KIB))).status).toBe(422);
  });

  it('of an unknown customer are checked for size before the 404', async () => {
    const unknown = `/v1/customers/${randomUUID()}/${name}`;
    expect((await tenant.api.put(unknown, { a: 'x'.repeat(300 * KIB) })).status).toBe(422);
    expect((await tenant.api.put(unknown, {})).status).toBe(404);
  });
});

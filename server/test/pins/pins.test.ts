import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCustomer, createIdentity } from '../support/customers.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { PinRoutes, type PinStatus } from '../support/pins.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const NO_PIN = { has_pin: false, is_active: false, is_locked: false, locked_until: null, created_at: null };
const A_PIN = { has_pin: true, is_active: true, is_locked: false, locked_until: null };

let service: TestService;
let tenant: TestTenant;
let stranger: TestTenant;
let instance: TestInstance;
let customer_id: string;
let path: string;
let internal: PinRoutes;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS });
  [tenant, stranger] = await Promise.all([service.createTenant(), service.createTenant()]);
});
beforeEach(async () => {
  instance = await insertInstance(service, tenant.tenant_id);
  customer_id = instance.customer_id;
  path = `/v1/customers/${customer_id}/pin`;
  internal = new PinRoutes(service.operations, instance.id);
});
afterAll(() => service.stop());

const hashes = () =>
  service.database.query<{ pin_hash: string }>('select pin_hash from pins where customer_id = $1', [
    customer_id,
  ]);

describe('a customer’s PIN', () => {
  it('is set, replaced and removed', async () => {
    expect(await tenant.api.get(path)).toMatchObject({ status: 200, body: NO_PIN });
    const first = await tenant.api.post<PinStatus>(path, { pin: '1234' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({ ...A_PIN, created_at: expect.any(String) as string });
    expect((await tenant.api.get(path)).body).toEqual(first.body);

    service.clock.advance(60_000);
    const same = `/v1/customers/${customer_id.toUpperCase()}/pin`;
    const second = await tenant.api.post<PinStatus>(same, { pin: '123456789012' });
    expect(second.status).toBe(200);
    expect(Date.parse(second.body.created_at ?? '')).toBeGreaterThan(Date.parse(first.body.created_at ?? ''));
    expect((await internal.verify('1234')).body.verified).toBe(false);
    expect((await internal.verify('123456789012')).body.verified).toBe(true);

    for (const _ of [1, 2]) {
      expect(await tenant.api.delete(path)).toMatchObject({ status: 204, text: '' });
      expect((await tenant.api.get(path)).body).toEqual(NO_PIN);
    }
  });

  it.each([
    ['123', 'string_too_short'],
    ['1234567890123', 'string_too_long'],
    ['12a4', 'string_pattern_mismatch'],
    ['1234\n', 'string_pattern_mismatch'],
    [' 1234', 'string_pattern_mismatch'],
    ['١٢٣٤', 'string_pattern_mismatch'],
    [1234, 'string_type'],
    [null, 'string_type'],
    [undefined, 'missing'],
  ])('is 4 to 12 digits, not %j', async (pin, type) => {
    for (const answer of [
      await tenant.api.post(path, { pin }),
      await service.operations.post(`${internal.path}/identities/${randomUUID()}/pin`, { pin }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'pin'], type }] });
      expect(answer.text).not.toContain(String(pin));
    }
  });

  it('is hashed with a pepper bound to its owner', async () => {
    const other = await insertInstance(service, tenant.tenant_id);
    for (const customer of [customer_id, other.customer_id]) {
      expect((await tenant.api.post(`/v1/customers/${customer}/pin`, { pin: '2468' })).status).toBe(201);
    }
    const [row] = await hashes();
    // The hasher of the tests shows its input.
    expect(row?.pin_hash).toMatch(/^plain:[0-9a-f]{64}$/);
    await service.database.query('update pins set pin_hash = $2 where customer_id = $1', [
      other.customer_id,
      row?.pin_hash,
    ]);
    const elsewhere = new PinRoutes(service.operations, other.id);
    expect((await elsewhere.verify('2468')).body.verified).toBe(false);
    expect((await internal.verify('2468')).body.verified).toBe(true);
  });

  it('is created once by ten concurrent requests', async () => {
    const pins = Array.from({ length: 10 }, (_, index) => `100${index}`);
    const answers = await Promise.all(pins.map((pin) => tenant.api.post(path, { pin })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(await hashes()).toHaveLength(1);
  });

  it('is inaccessible to other tenants', async () => {
    await tenant.api.post(path, { pin: '1234' });
    const foreign = [
      await stranger.api.get(path),
      await stranger.api.post(path, { pin: '9999' }),
      await stranger.api.delete(path),
      await tenant.api.get(`/v1/customers/${randomUUID()}/pin`),
    ];
    for (const answer of foreign) {
      expect(answer).toMatchObject({ status: 404, text: '{"detail":"Customer not found"}' });
    }
    expect((await internal.verify('1234')).body.verified).toBe(true);
  });
});

describe('an identity’s own PIN', () => {
  it('exists beside the customer’s PIN', async () => {
    const identity_id = await createIdentity(tenant, customer_id);
    await tenant.api.post(path, { pin: '1111' });
    const set = await internal.setOwn(identity_id.toUpperCase(), '2222');
    expect(set.status).toBe(201);
    expect(set.body).toEqual({ ...A_PIN, created_at: expect.any(String) as string });
    expect((await internal.setOwn(identity_id, '3333')).status).toBe(200);
    expect((await internal.verify('3333', { identity_id })).body.verified).toBe(true);
    expect((await internal.verify('1111', { identity_id })).body.verified).toBe(false);
    expect((await internal.verify('1111')).body.verified).toBe(true);

    for (const _ of [1, 2]) expect((await internal.removeOwn(identity_id)).status).toBe(204);
    expect((await internal.verify('1111', { identity_id })).body.verified).toBe(true);
    expect((await tenant.api.get(path)).body).toMatchObject(A_PIN);
  });

  it('ends with the identity', async () => {
    const identity_id = await createIdentity(tenant, customer_id);
    await internal.setOwn(identity_id, '2222');
    await tenant.api.delete(`/v1/customers/${customer_id}/identities/${identity_id}`);
    expect(await hashes()).toEqual([]);
  });

  it('is set only for identities that the instance serves', async () => {
    const elsewhere = await insertInstance(service, tenant.tenant_id);
    const theirs = await createIdentity(tenant, elsewhere.customer_id);
    for (const identity_id of [theirs, randomUUID()]) {
      const notFound = { status: 404, text: '{"detail":"Identity not found"}' };
      expect(await internal.setOwn(identity_id, '1234')).toMatchObject(notFound);
      expect(await internal.removeOwn(identity_id)).toMatchObject(notFound);
    }
  });
});

describe('GET /v1/me/pin', () => {
  it('is the PIN of the customer with the user’s address', async () => {
    const user = await service.login(tenant.admin_email);
    const mine = () => user.get('/v1/me/pin');
    expect(await mine()).toMatchObject({ status: 200, body: NO_PIN });
    const other = await createCustomer(tenant);
    await tenant.api.post(`/v1/customers/${other}/pin`, { pin: '1234' });
    const customer = await createCustomer(tenant, { email: tenant.admin_email.toUpperCase() });
    expect((await mine()).body).toEqual(NO_PIN);
    const { body } = await tenant.api.post(`/v1/customers/${customer}/pin`, { pin: '1234' });
    expect((await mine()).body).toEqual(body);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIdentity } from '../support/customers.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { PinRoutes, type PinStatus, type PinVerification, refused } from '../support/pins.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RIGHT = '1234';
const WRONG = '0000';

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let internal: PinRoutes;
let path: string;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  instance = await insertInstance(service, tenant.tenant_id);
  internal = new PinRoutes(service.operations, instance.id);
  path = `/v1/customers/${instance.customer_id}/pin`;
  await tenant.api.post(path, { pin: RIGHT });
});
afterAll(() => service.stop());

const addIdentity = () => createIdentity(tenant, instance.customer_id);
const addIdentities = (count: number) => Promise.all(Array.from({ length: count }, addIdentity));
const verify = async (pin: string, identity_id?: string) =>
  (await internal.verify(pin, { identity_id })).body;
const status = async () => (await tenant.api.get<PinStatus>(path)).body;
const isLockedFor = async (identity_id?: string) =>
  (await internal.required(instance.customer_id, identity_id)).body.is_locked;
const minutesLocked = async () =>
  Math.round((Date.parse((await status()).locked_until ?? '') - service.clock.now().getTime()) / MINUTE);
async function tryWrong(times: number, identity_id?: string): Promise<void> {
  for (let nth = 1; nth <= times; nth++) {
    expect(await verify(WRONG, identity_id)).toMatchObject({ error: 'pin_invalid' });
  }
}
const resetOf = (identity_id: string) =>
  tenant.api.delete(`/v1/customers/${instance.customer_id}/identities/${identity_id}/pin`);

describe('a pair of a PIN and a caller', () => {
  it('is locked by five wrong tries', async () => {
    const [first = '', second = ''] = await addIdentities(2);
    await tryWrong(5);
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    expect(await verify(RIGHT, first)).toMatchObject({ verified: true });
    await tryWrong(5, first);
    expect(await verify(RIGHT, first)).toEqual(refused('pin_locked', 0));
    expect(await verify(RIGHT, second)).toMatchObject({ verified: true });
    expect([await isLockedFor(), await isLockedFor(first), await isLockedFor(second)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('stays open after a stranger’s five wrong tries', async () => {
    const known = await addIdentity();
    const { customer_id } = instance;
    for (let nth = 1; nth <= 5; nth++) await internal.verify(WRONG, { customer_id });
    expect((await internal.verify(RIGHT, { customer_id })).body).toEqual(refused('pin_locked', 0));
    expect(await verify(RIGHT, known)).toMatchObject({ verified: true });
  });

  it('counts all calls without an identity as one caller', async () => {
    const { customer_id } = instance;
    await tryWrong(3);
    expect((await internal.verify(WRONG, { customer_id })).body).toEqual(refused('pin_invalid', 1));
    expect(await verify(WRONG)).toEqual(refused('pin_invalid', 0));
  });

  it('shows the latest lock of any pair in the status', async () => {
    const identity = await addIdentity();
    await tryWrong(5, identity);
    expect(await minutesLocked()).toBe(15);
    service.clock.advance(15 * MINUTE);
    expect(await status()).toMatchObject({ is_locked: false, locked_until: null });
    await tryWrong(5, identity);
    await tryWrong(5);
    expect(await status()).toMatchObject({ is_locked: true, is_active: true });
    expect(await minutesLocked()).toBe(30);
    service.clock.advance(15 * MINUTE);
    expect(await verify(RIGHT)).toMatchObject({ verified: true });
    expect(await verify(RIGHT, identity)).toEqual(refused('pin_locked', 0));
    expect(await minutesLocked()).toBe(15);
  });

  it('is cleared only by its own caller’s right PIN', async () => {
    const [first = '', second = ''] = await addIdentities(2);
    await tryWrong(3, first);
    expect(await verify(RIGHT, second)).toMatchObject({ verified: true });
    expect(await verify(WRONG, first)).toEqual(refused('pin_invalid', 1));
    expect(await verify(RIGHT, first)).toMatchObject({ verified: true, remaining_attempts: 5 });
    expect(await verify(WRONG, first)).toEqual(refused('pin_invalid', 4));
  });
});

describe('a PIN', () => {
  it('is locked for all by twenty wrong tries in a row', async () => {
    const [last = '', other = '', ...others] = await addIdentities(6);
    for (const identity of others) await tryWrong(4, identity);
    expect(await verify(WRONG, last)).toEqual(refused('pin_invalid', 3));
    expect(await verify(WRONG, last)).toEqual(refused('pin_invalid', 2));
    expect(await verify(WRONG, other)).toEqual(refused('pin_invalid', 1));
    expect(await verify(WRONG, other)).toEqual(refused('pin_invalid', 0));
    expect(await verify(RIGHT, other)).toEqual(refused('pin_locked', 0));
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    expect(await isLockedFor()).toBe(true);
    expect(await minutesLocked()).toBe(15);
    service.clock.advance(15 * MINUTE);
    expect(await verify(RIGHT)).toMatchObject({ verified: true });
    expect(await verify(WRONG)).toEqual(refused('pin_invalid', 4));
  });

  it('is inactive after a hundred wrong tries in a row', async () => {
    const identities = await addIdentities(20);
    for (const [index, identity] of identities.entries()) {
      await tryWrong(5, identity);
      if (index % 4 === 3) service.clock.advance(24 * HOUR);
    }
    expect(await status()).toMatchObject({ is_active: false });
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    await tenant.api.post(path, { pin: RIGHT });
    expect(await status()).toMatchObject({ is_active: true, is_locked: false });
    expect(await verify(RIGHT)).toMatchObject({ verified: true });
  });

  it('clears everybody’s tries when set again or removed', async () => {
    const identity = await addIdentity();
    for (const reset of [
      () => tenant.api.post<PinStatus>(path, { pin: RIGHT }),
      () => tenant.api.delete(path).then(() => tenant.api.post<PinStatus>(path, { pin: RIGHT })),
    ]) {
      await tryWrong(5);
      await tryWrong(5, identity);
      expect((await reset()).body).toMatchObject({ is_locked: false, locked_until: null });
      expect(await verify(RIGHT)).toMatchObject({ verified: true });
      expect(await verify(WRONG, identity)).toEqual(refused('pin_invalid', 4));
      expect(await verify(RIGHT, identity)).toMatchObject({ verified: true });
    }
  });
});

describe('an identity’s tries', () => {
  it('survive changes of its PIN', async () => {
    const identity = await addIdentity();
    await tryWrong(2, identity);
    await internal.setOwn(identity, '5678');
    expect(await verify(WRONG, identity)).toEqual(refused('pin_invalid', 2));
    await internal.setOwn(identity, '8765');
    expect(await verify(WRONG, identity)).toEqual(refused('pin_invalid', 1));
    await internal.removeOwn(identity);
    expect(await verify(WRONG, identity)).toEqual(refused('pin_invalid', 0));
    expect((await internal.setOwn(identity, '5678')).body).toMatchObject({ has_pin: true, is_locked: true });
    expect(await verify('5678', identity)).toEqual(refused('pin_locked', 0));
    expect(await isLockedFor(identity)).toBe(true);
  });

  it('end with a reset by an admin', async () => {
    const [identity = '', other = ''] = await addIdentities(2);
    await internal.setOwn(identity, '5678');
    await tryWrong(5, identity);
    await tryWrong(5, other);
    for (const _ of [1, 2]) expect(await resetOf(identity)).toMatchObject({ status: 204, text: '' });
    expect(await verify('5678', identity)).toEqual(refused('pin_invalid', 4));
    expect(await verify(RIGHT, identity)).toMatchObject({ verified: true });
    expect(await verify(RIGHT, other)).toEqual(refused('pin_locked', 0));
  });

  it('are reset only by an admin of the customer with the scope', async () => {
    const identity = await addIdentity();
    const stranger = await service.createTenant();
    const elsewhere = await insertInstance(service, tenant.tenant_id);
    const foreign = `/v1/customers/${elsewhere.customer_id}/identities/${identity}/pin`;
    expect(await tenant.api.delete(foreign)).toMatchObject({
      status: 404,
      text: '{"detail":"Identity not found"}',
    });
    const ours = `/v1/customers/${instance.customer_id}/identities/${identity}/pin`;
    expect(await stranger.api.delete(ours)).toMatchObject({
      status: 404,
      text: '{"detail":"Customer not found"}',
    });
  });

  it('are counted per customer on a shared instance', async () => {
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const second = await placeCustomer(service, shared.id);
    const routes = new PinRoutes(service.operations, shared.id);
    for (const customer of [shared.customer_id, second]) {
      await tenant.api.post(`/v1/customers/${customer}/pin`, { pin: RIGHT });
    }
    for (let nth = 1; nth <= 5; nth++) await routes.verify(WRONG, { customer_id: second });
    expect((await routes.verify(RIGHT, { customer_id: second })).body.error).toBe('pin_locked');
    expect((await routes.verify(RIGHT, { customer_id: shared.customer_id })).body.verified).toBe(true);
  });
});

const guesses = (count: number, identity_id?: string) =>
  Array.from({ length: count }, (_, index) => verify(`9${100 + index}`, identity_id));
const lefts = (results: PinVerification[]) =>
  results
    .filter(({ error }) => error === 'pin_invalid')
    .map(({ remaining_attempts }) => remaining_attempts)
    .toSorted((a, b) => a - b);

describe('parallel guesses', () => {
  it('get five tries each', async () => {
    const [first, second] = await addIdentities(2);
    const all = await Promise.all(
      [first, second, undefined].map((identity) => Promise.all(guesses(34, identity))),
    );
    for (const results of all) {
      expect(lefts(results)).toEqual([0, 1, 2, 3, 4]);
      expect(results.filter(({ error }) => error === 'pin_locked')).toHaveLength(29);
    }
    expect(await verify(RIGHT, await addIdentity())).toMatchObject({ verified: true });
  });

  it('get twenty tries together', async () => {
    const identities = await addIdentities(10);
    const results = (
      await Promise.all(identities.map((identity) => Promise.all(guesses(10, identity))))
    ).flat();
    expect(lefts(results)).toHaveLength(20);
    expect(results.filter(({ error }) => error === 'pin_locked')).toHaveLength(80);
    const [row] = await service.database.query<{ pin: number; own: number }>(
      `select p.attempts as pin, (select sum(attempts)::int from pin_tries t where t.customer_id = p.customer_id) as own
       from pins p where p.customer_id = $1`,
      [instance.customer_id],
    );
    expect(row).toEqual({ pin: 20, own: 20 });
    expect(await verify(RIGHT, await addIdentity())).toEqual(refused('pin_locked', 0));
  });
});

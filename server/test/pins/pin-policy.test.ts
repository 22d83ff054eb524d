import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIdentity } from '../support/customers.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { PinRoutes } from '../support/pins.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let path: string;

beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
});
beforeEach(async () => {
  instance = await insertInstance(service, tenant.tenant_id);
  path = `/v1/instances/${instance.id}/pin-policy`;
});

const defaults = () => ({
  instance_id: instance.id,
  hostname: expect.any(String),
  pin_applies_to: 'all',
  pin_required_skills: [] as string[],
  pin_session_ttl_minutes: 15,
  enforced: false,
  require_sender_token: false,
});

const internal = () => new PinRoutes(service.operations, instance.id);
const addIdentity = (role_override: string | null) =>
  createIdentity(tenant, instance.customer_id, { role_override });
const setPin = () => tenant.api.post(`/v1/customers/${instance.customer_id}/pin`, { pin: '1234' });
const required = async (identity_id?: string) =>
  (await internal().required(instance.customer_id, identity_id)).body.required;

describe('the policy', () => {
  it('keeps the fields that a change leaves out', async () => {
    expect(await tenant.api.get(path)).toMatchObject({ status: 200, body: defaults() });
    let policy: object = defaults();
    const changes = [
      { pin_applies_to: 'owner' },
      { pin_required_skills: ['timesheet', 'refund'] },
      {},
      { pin_session_ttl_minutes: 1440, pin_applies_to: 'customer' },
      { enforced: true },
      { require_sender_token: true },
      { pin_required_skills: [] },
    ];
    for (const change of changes) {
      policy = { ...policy, ...change };
      const answer = await tenant.api.patch(path, change);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(policy);
      expect((await tenant.api.get(path)).body).toEqual(policy);
    }
  });

  it('restores the default of a null field', async () => {
    const other = {
      pin_applies_to: 'owner',
      pin_required_skills: ['refund'],
      pin_session_ttl_minutes: 3,
      enforced: true,
      require_sender_token: true,
    };
    for (const name of Object.keys(other)) {
      await tenant.api.patch(path, other);
      const answer = await tenant.api.patch(path, { [name]: null });
      const body = { ...other, [name]: Reflect.get(defaults(), name) };
      expect(answer).toMatchObject({ status: 200, body });
    }
  });

  it('keeps all concurrent changes', async () => {
    const changes = [
      { pin_applies_to: 'owner' },
      { pin_required_skills: ['timesheet'] },
      { pin_session_ttl_minutes: 3 },
      { enforced: true },
    ];
    await Promise.all(changes.map((change) => tenant.api.patch(path, change)));
    expect((await tenant.api.get(path)).body).toEqual(Object.assign(defaults(), ...changes));
  });

  it('lists every fault of a change', async () => {
    const wrong = { pin_applies_to: 'nobody', pin_required_skills: ['a', 1], pin_session_ttl_minutes: 0 };
    const answer = await tenant.api.patch(path, wrong);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      detail: [
        { loc: ['body', 'pin_applies_to'], type: 'literal_error' },
        { loc: ['body', 'pin_required_skills', '1'], type: 'string_type' },
        { loc: ['body', 'pin_session_ttl_minutes'], type: 'greater_than_equal' },
      ],
    });
    const long = { pin_session_ttl_minutes: 1441, pin_required_skills: Array<string>(201).fill('a') };
    expect((await tenant.api.patch(path, long)).body).toMatchObject({
      detail: [{ type: 'too_long' }, { type: 'less_than_equal' }],
    });
    expect((await tenant.api.get(path)).body).toEqual(defaults());
  });
});

describe('check-required', () => {
  it('requires no PIN that is not set', async () => {
    const { customer_id } = instance;
    await tenant.api.patch(path, { pin_required_skills: ['timesheet'] });
    const answer = await internal().required(customer_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      required: false,
      has_pin: false,
      is_locked: false,
      pin_required_skills: ['timesheet'],
      pin_applies_to: 'all',
    });
    await setPin();
    expect((await internal().required(customer_id)).body).toMatchObject({ required: true, has_pin: true });
  });

  it('considers an identity’s own PIN', async () => {
    const [own, without] = await Promise.all([addIdentity(null), addIdentity(null)]);
    await internal().setOwn(own, '2222');
    const { customer_id } = instance;
    expect((await internal().required(customer_id, own)).body).toMatchObject({ required: true });
    expect((await internal().required(customer_id, without)).body).toMatchObject({ required: false });
    expect((await internal().required(customer_id)).body).toMatchObject({ required: false, has_pin: false });
  });

  it.each([
    ['all', true, true],
    ['owner', true, false],
    ['customer', false, true],
  ])('applies to %s', async (pin_applies_to, ofOwner, ofOthers) => {
    await setPin();
    await tenant.api.patch(path, { pin_applies_to });
    const [owner, other] = await Promise.all([addIdentity('owner'), addIdentity('foreman')]);
    expect(await required(owner)).toBe(ofOwner);
    expect(await required(other)).toBe(ofOthers);
    expect(await required()).toBe(ofOthers);
  });

  it('answers 404 for what the instance does not serve', async () => {
    const elsewhere = await insertInstance(service, tenant.tenant_id);
    const identity = await addIdentity(null);
    expect(await internal().required(elsewhere.customer_id)).toMatchObject({
      status: 404,
      text: '{"detail":"Customer not found"}',
    });
    const mismatch = await internal().required(elsewhere.customer_id, identity);
    expect(mismatch).toMatchObject({ status: 404, text: '{"detail":"Identity not found"}' });
    const nobody = await service.operations.post(`${internal().path}/pin/check-required`, {
      customer_id: instance.customer_id,
    });
    expect(nobody.body).toMatchObject({ detail: [{ loc: ['query', 'customer_id'], type: 'missing' }] });
  });
});

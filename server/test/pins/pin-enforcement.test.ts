import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { listChanges } from '../support/changes.ts';
import type { Client } from '../support/client.ts';
import { createIdentity } from '../support/customers.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { emptyDrive } from '../support/operations.ts';
import { PinRoutes, type PinStatus } from '../support/pins.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

const PIN = '1234';
const OWN = '5678';
const WRONG = '0000';
const ADDRESS = '61400000001';
const PIN_REQUIRED = { status: 403, text: '{"detail":"pin_required"}' };
const PIN_NOT_SET = { status: 403, text: '{"detail":"pin_not_set"}' };

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let crew: Crew;
let ana: Staff;
let runtime: Client;
let internal: PinRoutes;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, drive: emptyDrive, databaseWaits: PATIENT_WAITS });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  instance = await insertInstance(service, tenant.tenant_id);
  crew = new Crew(service, tenant, instance);
  ana = await crew.add({ name: 'Ana' });
  await crew.bind(ana, { channel_type: 'chatapp', channel_address: ADDRESS });
  await service.database.query(`update staff_bindings set state = 'verified' where person_id = $1`, [ana.id]);
  await tenant.api.post(`${crew.customer_path}/connections`, {
    provider: 'filesystem',
    credentials: { root: 'files' },
  });
  const q = service.service.services.db.tenant(tenant.tenant_id);
  const key = await addProxyKey(service.service.services, q, instance.id);
  runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
  internal = new PinRoutes(runtime, instance.id);
});
afterAll(() => service.stop());

const policy = (change: object, id = instance.id) =>
  tenant.api.patch(`/v1/instances/${id}/pin-policy`, { enforced: true, ...change });
const setPin = (customer_id = instance.customer_id, pin = PIN) =>
  tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin });
const sessionOf = async (pin: string, ids: object = {}, routes = internal) => {
  const { body } = await routes.verify(pin, ids);
  expect(body).toMatchObject({ verified: true });
  return body.session_token;
};
const addIdentity = (identity: { external_id?: string; role_override?: string } = {}) =>
  createIdentity(tenant, instance.customer_id, identity);

const me = `channel_type=chatapp&channel_address=${ADDRESS}`;
/** Bodies are malformed. */
const requests: Record<string, [method: string, path: () => string, json?: object]> = {
  list_staff: ['GET', () => `/staff?customer_id=${instance.customer_id}`],
  create_staff: ['POST', () => `/staff?customer_id=${instance.customer_id}`, {}],
  list_expiring_certs: ['GET', () => `/staff/expiring-certs?customer_id=${instance.customer_id}`],
  import_staff: ['POST', () => `/staff/import?customer_id=${instance.customer_id}`, {}],
  get_staff: ['GET', () => `/staff/${ana.id}`],
  update_staff: ['PATCH', () => `/staff/${ana.id}`, { name: 1 }],
  list_my_assignments: ['GET', () => `/worker/me/assignments?${me}`],
  list_my_certs: ['GET', () => `/worker/me/certs?${me}`],
  list_my_shifts: ['GET', () => `/worker/me/shifts?${me}`],
  list_my_timesheets: ['GET', () => `/worker/me/timesheets?${me}`],
  ask_eligibility: ['POST', () => `/eligibility?customer_id=${instance.customer_id}`, {}],
  get_my_eligibility: ['GET', () => `/worker/me/eligibility?${me}`],
  create_my_timesheet: ['POST', () => `/worker/me/timesheet?${me}`, {}],
  search_drive: ['GET', () => '/drive/search'],
  read_drive_file: ['GET', () => '/drive/read/file'],
};
const skillsOf: Record<string, string[]> = {
  staff_query: Object.keys(requests).filter((id) => /staff|expiring|ask_eligibility/.test(id)),
  worker_shifts: Object.keys(requests).filter((id) => id.includes('_my_')),
  timesheet: Object.keys(requests).filter((id) => id.includes('_my_')),
  drive_search: ['search_drive', 'read_drive_file'],
  eligibility: ['ask_eligibility', 'get_my_eligibility'],
};

async function ask(id: string, session: string | null = null, client = runtime) {
  const [method, path, json] = requests[id] ?? expect.unreachable();
  const headers: Record<string, string> = session === null ? {} : { 'x-pin-session': session };
  return client.request(method, `${internal.path}${path()}`, { json, headers });
}

const opened = async (session: string | null) => {
  const answers = await Promise.all(
    ['list_staff', 'list_my_shifts', 'search_drive'].map((id) => ask(id, session)),
  );
  return answers.map(({ status }) => status);
};

describe('the protected routes', () => {
  it('are those of staff, workers and the drive', () => {
    const declared = operations.filter(({ protectedBy }) => protectedBy).map(({ id }) => id);
    expect(declared.toSorted()).toEqual(Object.keys(requests).toSorted());
  });

  it.each(Object.keys(skillsOf))('need a session exactly where %s is required', async (skill) => {
    await setPin();
    await policy({ pin_required_skills: [skill] });
    const session = await sessionOf(PIN);
    for (const id of Object.keys(requests)) {
      const isProtected = skillsOf[skill]?.includes(id);
      const answer = await ask(id);
      if (isProtected) expect(answer, id).toMatchObject(PIN_REQUIRED);
      else expect([200, 422], id).toContain(answer.status);
      for (const wrong of ['', 'none', randomUUID()]) {
        if (isProtected) expect(await ask(id, wrong), id).toMatchObject(PIN_REQUIRED);
      }
      expect([200, 422], id).toContain((await ask(id, session)).status);
    }
  });

  it('refuse everybody while no PIN is set, but only under enforcement', async () => {
    await policy({ pin_required_skills: Object.keys(skillsOf), enforced: null });
    expect((await ask('list_staff')).status).toBe(200);
    await policy({});
    for (const id of Object.keys(requests)) expect(await ask(id), id).toMatchObject(PIN_NOT_SET);
    const identity = await addIdentity();
    await internal.setOwn(identity, OWN);
    for (const id of Object.keys(requests)) expect(await ask(id), id).toMatchObject(PIN_REQUIRED);
    const session = await sessionOf(OWN, { identity_id: identity });
    expect((await ask('list_staff', session)).status).toBe(200);
  });

  it('apply to the people of pin_applies_to', async () => {
    await setPin();
    await policy({ pin_required_skills: ['timesheet', 'staff_query'], pin_applies_to: 'owner' });
    expect((await ask('list_my_shifts')).status).toBe(200);
    expect((await ask('list_staff')).status).toBe(200);
    await addIdentity({ external_id: `+${ADDRESS}`, role_override: 'owner' });
    expect(await ask('list_my_shifts')).toMatchObject(PIN_REQUIRED);
    await policy({ pin_applies_to: 'customer' });
    expect((await ask('list_my_shifts')).status).toBe(200);
    expect(await ask('list_staff')).toMatchObject(PIN_REQUIRED);
  });

  it('accept a session of the PIN that applies to the worker', async () => {
    await setPin();
    await policy({ pin_required_skills: ['timesheet'] });
    const [worker, other] = [await addIdentity({ external_id: ADDRESS }), await addIdentity()];
    const ofCustomer = await sessionOf(PIN, { identity_id: worker });
    expect((await ask('list_my_shifts', ofCustomer)).status).toBe(200);
    await policy({ enforced: false });
    await internal.setOwn(worker, OWN);
    await policy({});
    const [ofOther, own] = [
      await sessionOf(PIN, { identity_id: other }),
      await sessionOf(OWN, { identity_id: worker }),
    ];
    expect(await ask('list_my_shifts', ofCustomer)).toMatchObject(PIN_REQUIRED);
    expect(await ask('list_my_shifts', ofOther)).toMatchObject(PIN_REQUIRED);
    expect((await ask('list_my_shifts', own)).status).toBe(200);
  });

  it('accept only the requested customer’s session on the instance', async () => {
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const second = await placeCustomer(service, shared.id);
    const routes = new PinRoutes(service.operations, shared.id);
    const person = await new Crew(service, tenant, { ...shared, customer_id: second }).add({ name: 'Bo' });
    await policy({ pin_required_skills: ['staff_query', 'drive_search'] }, shared.id);
    for (const customer of [shared.customer_id, second]) {
      await setPin(customer);
      await tenant.api.post(`/v1/customers/${customer}/connections`, {
        provider: 'filesystem',
        name: customer === second ? 'second' : 'both',
        credentials: { root: 'files' },
      });
    }
    await tenant.api.post(`/v1/customers/${second}/connections`, {
      provider: 'crm',
      name: 'both',
      credentials: {},
    });
    const sessions = [
      await sessionOf(PIN, { customer_id: shared.customer_id }, routes),
      await sessionOf(PIN, { customer_id: second }, routes),
    ];
    const statuses = async (path: string) =>
      Promise.all(
        [null, ...sessions].map(
          async (session) => (await routes.with(session).client.get(routes.path + path)).status,
        ),
      );
    expect(await statuses(`/staff?customer_id=${shared.customer_id}`)).toEqual([403, 200, 403]);
    expect(await statuses(`/staff/${person.id}`)).toEqual([403, 403, 200]);
    expect(await statuses(`/drive/search?customer_id=${second}`)).toEqual([403, 403, 200]);
    expect(await statuses('/drive/search?connection_name=second')).toEqual([403, 403, 200]);
    // The name alone does not tell whose PIN is needed.
    expect(await statuses('/drive/search?connection_name=both')).toEqual([403, 403, 403]);
    expect(await statuses('/drive/search')).toEqual([422, 422, 422]);
    expect(await statuses(`/staff/${ana.id}`)).toEqual([404, 404, 404]);
    expect(await statuses(`/staff?customer_id=${instance.customer_id}`)).toEqual([404, 404, 404]);
  });

  it('report a malformed request before a missing PIN', async () => {
    await setPin();
    await policy({ pin_required_skills: ['staff_query'] });
    const answer = await runtime.post(`${internal.path}/staff?customer_id=x`, { name: 1 });
    expect(answer.body).toMatchObject({
      detail: [{ loc: ['query', 'customer_id'] }, { loc: ['body', 'name'] }],
    });
  });

  it('refuse a session that has ended', async () => {
    await setPin();
    await policy({ pin_required_skills: ['staff_query'] });
    const session = await sessionOf(PIN);
    service.clock.advance(16 * 60_000);
    expect(await ask('list_staff', session)).toMatchObject(PIN_REQUIRED);
    const next = await sessionOf(PIN);
    await setPin();
    expect(await ask('list_staff', next)).toMatchObject(PIN_REQUIRED);
  });
});

describe('a session with a purpose', () => {
  it('is valid only for that purpose', async () => {
    await setPin();
    await policy({ pin_required_skills: ['staff_query', 'worker_shifts', 'drive_search'] });
    const all = await sessionOf(PIN, { purpose: null });
    const staff = await sessionOf(PIN, { purpose: 'staff_query' });
    const tool = await sessionOf(PIN, { purpose: 'crm__create_order' });
    expect(await opened(all)).toEqual([200, 200, 200]);
    expect(await opened(staff)).toEqual([200, 403, 403]);
    expect(await opened(tool)).toEqual([403, 403, 403]);
    const valid = async (session: string | null, purpose?: string) =>
      (await internal.session(session, purpose)).body.valid;
    expect([await valid(all), await valid(all, 'staff_query')]).toEqual([true, true]);
    expect([
      await valid(staff, 'staff_query'),
      await valid(staff, 'drive_search'),
      await valid(staff),
    ]).toEqual([true, false, false]);
    const none = (await internal.session(staff, 'drive_search')).body;
    expect(none).toEqual({ valid: false, expires_at: null });
  });

  it('does not change a PIN', async () => {
    await setPin();
    await policy({ pin_required_skills: ['staff_query'] });
    const identity = await addIdentity();
    const session = await sessionOf(PIN, { identity_id: identity, purpose: 'staff_query' });
    expect(await internal.with(session).setOwn(identity, OWN)).toMatchObject(PIN_REQUIRED);
  });
});

describe('an own PIN under an enforced policy', () => {
  let identity: string;
  beforeEach(async () => {
    await policy({});
    identity = await addIdentity();
  });
  const verifies = async (pin: string) =>
    (await internal.verify(pin, { identity_id: identity })).body.verified;

  it('needs proof although the customer’s PIN is locked', async () => {
    await setPin();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        internal.verify(String(9000 + index), { identity_id: identity }),
      ),
    );
    expect(await internal.setOwn(identity, WRONG)).toMatchObject(PIN_REQUIRED);
    expect(await internal.removeOwn(identity)).toMatchObject(PIN_REQUIRED);
    expect(await internal.setOwn(identity, WRONG, PIN)).toMatchObject({ status: 409 });
    expect((await internal.verify(WRONG, { identity_id: identity })).body).toMatchObject({
      verified: false,
      error: 'pin_locked',
    });
  });

  it('is set without proof where no PIN applies', async () => {
    expect((await internal.removeOwn(identity)).status).toBe(204);
    expect((await internal.setOwn(identity, OWN)).status).toBe(201);
    expect(await internal.setOwn(identity, WRONG)).toMatchObject(PIN_REQUIRED);
    expect(await internal.with('none').setOwn(identity, WRONG)).toMatchObject(PIN_REQUIRED);
    const session = await sessionOf(OWN, { identity_id: identity });
    expect((await internal.with(session).setOwn(identity, '8765')).status).toBe(200);
    expect(await internal.with(session).removeOwn(identity)).toMatchObject(PIN_REQUIRED);
    const next = await sessionOf('8765', { identity_id: identity });
    expect((await internal.with(next).removeOwn(identity)).status).toBe(204);
    expect((await internal.setOwn(identity, OWN)).status).toBe(201);
  });

  it('accepts a session of the customer’s PIN while it applies', async () => {
    await setPin();
    const ofCustomer = await sessionOf(PIN, { identity_id: identity });
    expect((await internal.with(ofCustomer).setOwn(identity, OWN)).status).toBe(201);
    const ofNobody = await sessionOf(PIN);
    expect(await internal.with(ofNobody).setOwn(identity, WRONG)).toMatchObject(PIN_REQUIRED);
  });

  it('counts a wrong current_pin as an attempt', async () => {
    await setPin();
    for (const _ of [1, 2, 3]) {
      expect(await internal.setOwn(identity, OWN, WRONG)).toMatchObject(PIN_REQUIRED);
    }
    expect((await internal.verify(WRONG, { identity_id: identity })).body.remaining_attempts).toBe(1);
    expect((await internal.setOwn(identity, OWN, PIN)).status).toBe(201);
    expect((await internal.verify(WRONG, { identity_id: identity })).body.remaining_attempts).toBe(4);
    for (let nth = 2; nth <= 5; nth++) await internal.setOwn(identity, WRONG, WRONG);
    expect(await internal.setOwn(identity, WRONG, OWN)).toMatchObject({ status: 409 });
    const reset = `/v1/customers/${instance.customer_id}/identities/${identity}/pin`;
    expect((await tenant.api.delete(reset)).status).toBe(204);
    expect((await internal.setOwn(identity, OWN, PIN)).status).toBe(201);
  });

  it('is audited with the status of the response', async () => {
    await setPin();
    const statuses: number[] = [];
    for (const [pin, current_pin] of [
      [OWN, PIN],
      [WRONG, OWN],
    ] as const) {
      statuses.push((await internal.setOwn(identity, pin, current_pin)).status);
    }
    expect(statuses).toEqual([201, 200]);
    const changes = await listChanges(tenant.api, '&operation=set_identity_pin');
    expect(changes.map(({ status }) => status)).toEqual(statuses.toReversed());
  });

  it('ignores current_pin without enforcement', async () => {
    await policy({ enforced: false });
    await setPin();
    expect((await internal.setOwn(identity, OWN, WRONG)).status).toBe(201);
    expect(await verifies(OWN)).toBe(true);
  });

  it('is set and changed once by concurrent requests', async () => {
    const pins = Array.from({ length: 10 }, (_, index) => `100${index}`);
    const first = await Promise.all(pins.map((pin) => internal.setOwn(identity, pin)));
    expect(first.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(first.filter(({ status }) => status === 403 || status === 409)).toHaveLength(9);
    const won = pins[first.findIndex(({ status }) => status === 201)] ?? '';
    const session = await sessionOf(won, { identity_id: identity });
    const changes = await Promise.all(pins.map((pin) => internal.with(session).setOwn(identity, `2${pin}`)));
    expect(changes.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('of an identity that the instance does not serve is not found', async () => {
    const elsewhere = await insertInstance(service, tenant.tenant_id);
    const theirs = await createIdentity(tenant, elsewhere.customer_id);
    for (const id of [theirs, randomUUID()]) {
      const answer: { status: number; text: string; body: PinStatus } = await internal.setOwn(id, OWN);
      expect(answer).toMatchObject({ status: 404, text: '{"detail":"Identity not found"}' });
    }
  });
});

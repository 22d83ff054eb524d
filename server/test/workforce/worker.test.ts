import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { placeCustomer } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

/** 20:00 on 30 January in New York. */
const NOW = new Date('2026-01-31T01:00:00.000Z');
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000).toISOString();

let service: TestService;
let tenant: TestTenant;
let crew: Crew;
let ada: Staff;
let address: { channel_type: string; channel_address: string };

beforeAll(async () => {
  service = await startTestService({ clock: () => NOW });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  crew = await Crew.gather(service, tenant, 'America/New_York');
  ada = await crew.add({
    name: 'Ada',
    certifications: [
      'bare',
      { type: 'today', expires_at: '2026-01-30', number: 'N1' },
      { type: 'over', expires_at: '2026-01-29' },
      { type: 'soon', expires_at: '2026-03-13' },
      { type: 'far', expires_at: '2026-03-14' },
      { type: 'earlier today', expires_at: '2026-01-30T19:59:59' },
    ],
  });
  address = { channel_type: 'chatapp', channel_address: `+49${randomUUID()}` };
});
afterAll(() => service.stop());

const me = (what: string, pair = address, of = crew) =>
  `${of.path}/worker/me/${what}?${new URLSearchParams(pair).toString()}`;
const get = <T = unknown>(what: string) => service.operations.get<T>(me(what));
const submit = (sheet: object) => service.operations.post<{ id: string }>(me('timesheet'), sheet);
const verify = async (response: string, of = crew) =>
  (await service.operations.post(`${of.path}/worker/verify`, { ...address, response })).body;
const sheet = { date: '2026-01-30', hours: 7.25 };

async function bound(code?: string): Promise<void> {
  await crew.bind(ada, { ...address, ...(code !== undefined && { code }) });
}
async function verified(): Promise<void> {
  await bound();
  expect(await verify('yes')).toMatchObject({ verified: true });
}
async function shift(starts: number, ends: number, person = ada): Promise<string> {
  const body = {
    person_id: person.id,
    starts_at: hours(starts),
    ends_at: hours(ends),
    site: 'Tower',
    job_id: 'J',
  };
  return (await tenant.api.post<{ id: string }>(`${crew.customer_path}/shifts`, body)).body.id;
}

describe('verify', () => {
  it('verifies by a yes and rejects by a no, permanently', async () => {
    await bound();
    expect(await verify('Yes 👍')).toEqual({
      state: 'verified',
      verified: true,
      person_id: ada.id,
      name: 'Ada',
    });
    expect(await verify('Nope')).toMatchObject({ state: 'rejected', verified: false });
    expect(await verify('yes')).toMatchObject({ state: 'rejected' });
  });

  it('ignores any other response', async () => {
    await bound();
    expect(await verify('who is this?')).toMatchObject({ state: 'unverified', verified: false });
    await verify('yes');
    expect(await verify('what?')).toMatchObject({ state: 'verified', verified: true });
  });

  it('needs the code of a binding that has one', async () => {
    await bound('AB-12');
    for (const response of ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'ab-12', 'AB-1', 'AB-123']) {
      expect(await verify(response)).toMatchObject({ state: 'unverified' });
    }
    expect(await verify(' AB-12 ')).toMatchObject({ state: 'verified' });
    for (let guess = 0; guess < 6; guess++) await verify(`guess ${guess}`);
    expect(await verify('guess')).toMatchObject({ state: 'verified' });
  });

  it('accepts a phone number with and without its plus', async () => {
    const digits = BigInt(`0x${randomUUID().slice(0, 8)}`)
      .toString()
      .padStart(10, '1');
    const [plus, bare] = [
      { ...address, channel_address: `+${digits}` },
      { ...address, channel_address: digits },
    ];
    address = plus;
    await bound('AB-12');
    address = bare;
    expect(await verify('AB-13')).toMatchObject({ state: 'unverified', person_id: ada.id });
    expect(await verify('AB-12')).toMatchObject({ state: 'verified', person_id: ada.id });
    for (const pair of [plus, bare])
      expect((await service.operations.get(me('certs', pair))).status).toBe(200);
    const bob = await crew.add({ name: 'Bob' });
    const taken = await tenant.api.post(`${crew.customer_path}/staff/${bob.id}/bindings`, bare);
    expect(taken.status).toBe(409);
  });

  it('rejects at the fifth of concurrent wrong codes', async () => {
    await bound('1234');
    await Promise.all(Array.from({ length: 20 }, (_, i) => verify(`${2000 + i}`)));
    expect(await verify('1234')).toMatchObject({ state: 'rejected', verified: false });
    expect((await get('certs')).status).toBe(403);
  });

  it('accepts the right code after four wrong ones', async () => {
    await bound('1234');
    for (const guess of ['1', '2', '3', '4']) await verify(guess);
    expect(await verify('1234')).toMatchObject({ state: 'verified' });
  });

  it('answers the fifth wrong code with the rejection', async () => {
    await bound('1234');
    for (const guess of ['2', '3', '4', '5'])
      expect(await verify(guess)).toMatchObject({ state: 'unverified' });
    expect(await verify('6')).toMatchObject({ state: 'rejected' });
  });
});

async function statuses(): Promise<number[]> {
  const lists = ['assignments', 'certs', 'shifts', 'timesheets'].map((what) => get(what));
  return (await Promise.all([...lists, submit(sheet)])).map(({ status }) => status);
}

describe('access', () => {
  it('is refused for an address without a verified binding', async () => {
    expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
    await bound();
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
    await verify('yes');
    expect(await statuses()).toEqual([200, 200, 200, 200, 201]);
    const other = await Crew.gather(service, tenant);
    expect(await verify('no', other)).toEqual({ detail: 'Worker not found' });
    expect((await service.operations.get(me('certs', address, other))).text).toBe(
      '{"detail":"Worker not found"}',
    );
    await placeCustomer(service, other.instance.id, crew.instance.customer_id);
    expect((await service.operations.get(me('certs', address, other))).status).toBe(200);
    await verify('no');
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
  });

  it('is refused for terminated staff', async () => {
    await verified();
    await crew.change(ada, { status: 'terminated' });
    expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
    expect(await verify('no')).toEqual({ detail: 'Worker not found' });
    await crew.change(ada, { status: 'on_leave' });
    expect(await statuses()).toEqual([200, 200, 200, 200, 201]);
  });

  it('is limited to the instance’s own runtime and tenant', async () => {
    await verified();
    const { services } = service.service;
    const q = services.db.tenant(tenant.tenant_id);
    const key = await addProxyKey(services, q, crew.instance.id);
    const runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
    expect((await runtime.get(me('certs'))).status).toBe(200);
    const stranger = await Crew.gather(service, await service.createTenant());
    expect((await runtime.get(me('certs', address, stranger))).status).toBe(401);
    expect((await service.operations.get(me('certs', address, stranger))).status).toBe(404);
    expect((await tenant.api.get(me('certs'))).status).toBe(401);
  });
});

describe('lists', () => {
  beforeEach(verified);

  it('certifications with days in the customer’s time zone', async () => {
    expect((await get('certs')).body).toEqual([
      { type: 'bare', days_left: null, status: 'valid' },
      { type: 'today', expires_at: '2026-01-30', number: 'N1', days_left: 0, status: 'expiring' },
      { type: 'over', expires_at: '2026-01-29', days_left: -1, status: 'expired' },
      { type: 'soon', expires_at: '2026-03-13', days_left: 42, status: 'expiring' },
      { type: 'far', expires_at: '2026-03-14', days_left: 43, status: 'valid' },
      { type: 'earlier today', expires_at: '2026-01-30T19:59:59', days_left: -1, status: 'expired' },
    ]);
  });

  it('current and coming shifts by time, then past ones', async () => {
    const bea = await crew.add({ name: 'Bea' });
    const oldest = await shift(-10_000, -9992);
    const later = await shift(48, 56);
    const now = await shift(-2, 6);
    const past = await shift(-30, -22);
    await shift(1, 2, bea);
    const { body } = await get<{ id: string }[]>('shifts');
    expect(body.map(({ id }) => id)).toEqual([now, later, past, oldest]);
    expect(body[0]).toEqual({
      id: now,
      job_id: 'J',
      site: 'Tower',
      starts_at: hours(-2),
      ends_at: hours(6),
      status: 'scheduled',
    });
  });

  it('assignments, including those without an end', async () => {
    const path = `${crew.customer_path}/assignments`;
    const add = async (period: object) =>
      (await tenant.api.post<{ id: string }>(path, { person_id: ada.id, title: 'Crane', ...period })).body.id;
    const open = await add({ starts_at: hours(-10_000) });
    const whenever = await add({});
    const next = await add({ starts_at: hours(5), ends_at: hours(6) });
    const over = await add({ starts_at: hours(-10_000), ends_at: hours(-9999) });
    const { body } = await get<{ id: string }[]>('assignments');
    expect(body).toEqual([
      {
        id: open,
        job_id: null,
        title: 'Crane',
        site: null,
        starts_at: hours(-10_000),
        ends_at: null,
        status: 'assigned',
      },
      expect.objectContaining({ id: next }),
      expect.objectContaining({ id: whenever, starts_at: null }),
      expect.objectContaining({ id: over }),
    ]);
  });

  it('timesheets, the latest day first', async () => {
    for (const date of ['2026-01-02', '2026-01-04', '2026-01-03']) await submit({ ...sheet, date });
    const { body } = await get<{ date: string }[]>('timesheets');
    expect(body.map(({ date }) => date)).toEqual(['2026-01-04', '2026-01-03', '2026-01-02']);
  });
});

const faults = async (body: object) =>
  ((await submit(body)).body as unknown as { detail: { loc: string[]; type: string }[] }).detail.map(
    ({ loc, type }) => [loc.at(-1), type],
  );

describe('a timesheet', () => {
  beforeEach(verified);

  it('is returned in the form of the list', async () => {
    const full = {
      ...sheet,
      hours: 0.1,
      description: 'Painting',
      job_id: 'J',
      rate: 19.99,
      shift_id: await shift(-9, -1),
    };
    const { status, body } = await submit(full);
    expect(status).toBe(201);
    expect(body).toEqual({ ...full, id: expect.any(String), status: 'submitted', warnings: [] });
    expect((await get('timesheets')).body).toEqual([body]);
    expect((await submit({ ...sheet, hours: 24, description: null })).body).toMatchObject({
      hours: 24,
      rate: null,
    });
  });

  it('is accepted once per shift', async () => {
    const shift_id = await shift(-9, -1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit({ ...sheet, shift_id })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await get<unknown[]>('timesheets')).body).toHaveLength(1);
  });

  it('is for the worker’s own shift', async () => {
    const bea = await crew.add({ name: 'Bea' });
    for (const shift_id of [randomUUID(), await shift(-9, -1, bea)]) {
      expect((await submit({ ...sheet, shift_id })).text).toBe('{"detail":"Shift not found"}');
    }
  });

  it('lists every fault', async () => {
    expect(await faults({ date: '30.1.2026', hours: 0, rate: '1', shift_id: 'x', job_id: 1 })).toEqual([
      ['date', 'date_from_datetime_parsing'],
      ['hours', 'greater_than'],
      ['job_id', 'string_type'],
      ['rate', 'float_type'],
      ['shift_id', 'uuid_parsing'],
    ]);
    expect(await faults({ hours: 24.5 })).toEqual([
      ['date', 'missing'],
      ['hours', 'less_than_equal'],
    ]);
  });
});

const mine = async () => (await get<{ id: string; warnings: string[] }[]>('timesheets')).body;
const warningsOf = async (id: string) => (await mine()).find((one) => one.id === id)?.warnings;
const sheetPath = (id: string) => `${crew.customer_path}/timesheets/${id}`;

describe('warnings of a timesheet', () => {
  beforeEach(verified);

  it('report a future day in the customer’s time zone', async () => {
    for (const [date, warnings] of [
      ['2026-01-30', []],
      ['2026-01-31', ['future']],
    ] as const) {
      const made = await submit({ ...sheet, date });
      expect(made).toMatchObject({ status: 201, body: { warnings } });
      const list = await tenant.api.get<{ items: { id: string }[] }>(`${crew.customer_path}/timesheets`);
      expect(list.body.items.find(({ id }) => id === made.body.id)).toMatchObject({ warnings });
      expect((await tenant.api.patch(sheetPath(made.body.id), { status: 'approved' })).body).toMatchObject({
        warnings,
      });
    }
  });

  it('report a day above 24 hours while earlier entries stand', async () => {
    const first = await submit({ ...sheet, hours: 20 });
    const exact = await submit({ ...sheet, hours: 4 });
    const over = await submit({ ...sheet, hours: 0.25 });
    const elsewhere = await submit({ ...sheet, hours: 24, date: '2026-01-29' });
    expect([first, exact, over, elsewhere].map(({ body }) => body)).toMatchObject([
      { warnings: [] },
      { warnings: [] },
      { warnings: ['over_24_h'] },
      { warnings: [] },
    ]);
    const reject = await tenant.api.patch(sheetPath(over.body.id), { status: 'rejected' });
    expect(reject.body).toMatchObject({ warnings: ['over_24_h'] });
    await tenant.api.patch(sheetPath(first.body.id), { status: 'rejected' });
    expect(await warningsOf(over.body.id)).toEqual([]);
    await tenant.api.patch(sheetPath(first.body.id), { status: 'submitted' });
    expect(await warningsOf(over.body.id)).toEqual(['over_24_h']);
  });

  it('appear on all but the first of concurrent entries', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit({ ...sheet, hours: 20 })));
    const warnings = answers.map(({ body }) => (body as unknown as { warnings: string[] }).warnings);
    expect(warnings.filter((codes) => codes.includes('over_24_h'))).toHaveLength(4);
  });
});

describe('an address that is bound with several customers of the instance', () => {
  it('needs the customer', async () => {
    const other = await Crew.gather(service, tenant);
    const ann = await other.add({ name: 'Ann' });
    await other.bind(ann, address);
    await bound();
    const verifyFor = (customer_id: string, response: string) =>
      service.operations.post(`${crew.path}/worker/verify?customer_id=${customer_id}`, {
        ...address,
        response,
      });
    // Each of the two instances serves only its own customer.
    expect(await verify('hello')).toMatchObject({ state: 'unverified', name: 'Ada' });
    await placeCustomer(service, crew.instance.id, other.instance.customer_id);
    const missing = { status: 422, body: { detail: [{ loc: ['query', 'customer_id'], type: 'missing' }] } };
    expect(await get('certs')).toMatchObject(missing);
    expect(await submit(sheet)).toMatchObject(missing);
    expect(await verify('yes')).toMatchObject(missing.body);
    const [hers, his] = [other.instance.customer_id, crew.instance.customer_id];
    expect((await verifyFor(hers, 'yes')).body).toMatchObject({ verified: true, name: 'Ann' });
    const mineAt = (customer_id: string) =>
      service.operations.get(me('certs', { ...address, customer_id } as typeof address));
    expect((await mineAt(hers)).status).toBe(200);
    expect((await mineAt(his)).status).toBe(403);
    expect((await mineAt(randomUUID())).text).toBe('{"detail":"Worker not found"}');
    // A rejected binding does not count beside another.
    expect((await verifyFor(his, 'no')).body).toMatchObject({ state: 'rejected' });
    expect((await get('certs')).status).toBe(200);
    expect((await mineAt(his)).status).toBe(403);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

interface Timesheet {
  id: string;
  status: string;
  customer_name: string | null;
  person_name: string | null;
}

interface List {
  items: Timesheet[];
  total: number;
}

interface Decided {
  updated: number;
  errors: { index: number; loc: string[]; msg: string; type: string }[];
}

let service: TestService;
let tenant: TestTenant;
let harbour: Crew;
let depot: Crew;
let ada: Staff;
let bea: Staff;

beforeAll(async () => {
  service = await sharedService('working');
});
beforeEach(async () => {
  tenant = await service.createTenant();
  harbour = await Crew.gather(service, tenant);
  depot = await Crew.gather(service, tenant);
  await tenant.api.patch(harbour.customer_path, { company_name: 'Harbour', email: 'harbour@example.com' });
  await tenant.api.patch(depot.customer_path, { email: 'depot@example.com' });
  ada = await enrolled(harbour, 'Ada');
  bea = await enrolled(depot, 'Bea');
});

/** A person who may submit hours. */
async function enrolled(crew: Crew, name: string): Promise<Staff> {
  const person = await crew.add({ name });
  const address = { channel_type: 'chatapp', channel_address: person.id };
  await crew.bind(person, address);
  await service.operations.post(`${crew.path}/worker/verify`, { ...address, response: 'yes' });
  return person;
}

async function submit(crew: Crew, person: Staff, sheet: object): Promise<string> {
  const path = `${crew.path}/worker/me/timesheet?channel_type=chatapp&channel_address=${person.id}`;
  const { status, body } = await service.operations.post<{ id: string }>(path, { hours: 8, ...sheet });
  expect(status).toBe(201);
  return body.id;
}

const list = async (query = '', api = tenant.api) => (await api.get<List>(`/v1/timesheets${query}`)).body;
const decide = (ids: unknown, status: unknown = 'approved') =>
  tenant.api.post<Decided>('/v1/timesheets/decide', { ids, status });

it('lists the timesheets of all customers with their names, by every filter', async () => {
  const one = await submit(harbour, ada, { date: '2026-01-05' });
  const two = await submit(depot, bea, { date: '2026-01-06' });
  await decide([two]);
  const { items, total } = await list();
  expect(total).toBe(2);
  expect(items).toMatchObject([
    { id: two, person_name: 'Bea', customer_name: 'depot@example.com' },
    { id: one, person_name: 'Ada', customer_name: 'Harbour' },
  ]);
  for (const [query, ids] of [
    ['status=submitted', [one]],
    [`customer_id=${depot.instance.customer_id}`, [two]],
    [`person_id=${ada.id}`, [one]],
    ['from=2026-01-06', [two]],
    ['to=2026-01-05', [one]],
    ['from=2026-01-05&to=2026-01-06', [two, one]],
    [`customer_id=${randomUUID()}`, []],
  ] as const) {
    expect(
      (await list(`?${query}`)).items.map(({ id }) => id),
      query,
    ).toEqual(ids);
  }
  const { body } = await tenant.api.get<List>(`${harbour.customer_path}/timesheets?to=2026-01-04`);
  expect(body.total).toBe(0);
  expect((await tenant.api.get('/v1/timesheets?from=yesterday')).body).toMatchObject({
    detail: [{ loc: ['query', 'from'], type: 'date_from_datetime_parsing' }],
  });
});

it('names customers, but nobody who was erased', async () => {
  await submit(harbour, ada, { date: '2026-01-05' });
  const key = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: ['staff:read'] });
  const reader = service.anonymous.with({ 'x-api-key': key });
  expect((await list('', reader)).items).toMatchObject([{ customer_name: 'Harbour', person_name: 'Ada' }]);
  await tenant.api.delete(`${harbour.customer_path}/staff/${ada.id}`);
  expect((await list()).items).toMatchObject([{ customer_name: 'Harbour', person_name: null }]);
});

it('decides several at once, each on its own', async () => {
  const one = await submit(harbour, ada, { date: '2026-01-05' });
  const two = await submit(depot, bea, { date: '2026-01-06' });
  const stranger = await service.createTenant();
  const other = await Crew.gather(service, stranger);
  const theirs = await submit(other, await enrolled(other, 'Eve'), { date: '2026-01-06' });
  const { status, body } = await decide([one.toUpperCase(), theirs, two, one]);
  expect(status).toBe(200);
  expect(body).toEqual({
    updated: 2,
    errors: [{ index: 1, loc: ['body', 'ids', '1'], msg: 'Timesheet not found', type: 'value_error' }],
  });
  expect((await list('?status=approved')).total).toBe(2);
  expect((await list('', stranger.api)).items).toMatchObject([{ id: theirs, status: 'submitted' }]);
});

it('pays no shift twice, however many decide at once', async () => {
  const times = { starts_at: '2026-01-05T06:00:00Z', ends_at: '2026-01-05T14:00:00Z' };
  const shift = await tenant.api.post<{ id: string }>(`${harbour.customer_path}/shifts`, {
    person_id: ada.id,
    ...times,
  });
  const sheet = { date: '2026-01-05', shift_id: shift.body.id };
  const sheets: string[] = [];
  for (const _ of [1, 2, 3]) {
    const id = await submit(harbour, ada, sheet);
    sheets.push(id);
    await decide([id], 'rejected');
  }
  const free = await submit(harbour, ada, { date: '2026-01-06' });
  const answers = await Promise.all(
    sheets.map((_, at) => decide([...sheets.slice(at), ...sheets.slice(0, at), free])),
  );
  for (const { body } of answers) expect(body.updated).toBe(2);
  expect(answers[0]?.body.errors).toHaveLength(2);
  expect(answers[0]?.body.errors[0]).toMatchObject({ msg: 'The shift has a timesheet already' });
  expect((await list('?status=approved')).total).toBe(2);
});

it('lists every fault of a decision', async () => {
  expect((await decide([randomUUID(), 'x'], 'paid')).body).toMatchObject({
    detail: [
      { loc: ['body', 'ids', '1'], type: 'uuid_parsing' },
      { loc: ['body', 'status'], type: 'literal_error' },
    ],
  });
  expect((await decide(Array.from({ length: 201 }, randomUUID))).body).toMatchObject({
    detail: [{ loc: ['body', 'ids'], type: 'too_long' }],
  });
  expect((await decide([])).body).toEqual({ updated: 0, errors: [] });
});

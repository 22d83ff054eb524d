import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

interface List {
  items: { id: string }[];
  total: number;
}

let service: TestService;
let tenant: TestTenant;
let crew: Crew;
let ada: Staff;

beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
});
beforeEach(async () => {
  crew = await Crew.gather(service, tenant);
  ada = await crew.add({ name: 'Ada' });
});

const period = { starts_at: '2026-03-28T22:00:00+01:00', ends_at: '2026-03-29T06:00:00+02:00' };

describe.each(['shifts', 'assignments'])('%s', (kind) => {
  const path = (of = crew) => `${of.customer_path}/${kind}`;

  it('are listed newest first', async () => {
    const bea = await crew.add({ name: 'Bea' });
    await tenant.api.patch(crew.customer_path, { company_name: 'Harbour' });
    const full = {
      person_id: ada.id,
      ...period,
      job_id: 'J-1',
      site: 'Tower',
      title: 'Crane',
      status: 'planned',
    };
    const one = await tenant.api.post<{ id: string }>(path(), full);
    expect(one.status).toBe(201);
    expect(one.body).toEqual({
      ...full,
      starts_at: '2026-03-28T21:00:00.000Z',
      ends_at: '2026-03-29T04:00:00.000Z',
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id: crew.instance.customer_id,
      customer_name: 'Harbour',
      person_name: 'Ada',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const two = await tenant.api.post<{ id: string }>(path(), { person_id: bea.id, ...period, site: null });
    expect(two.body).toMatchObject({ site: null, status: kind === 'shifts' ? 'scheduled' : 'assigned' });
    expect((await tenant.api.get(path())).body).toEqual({
      items: [two.body, one.body],
      page: 1,
      per_page: 20,
      total: 2,
    });
    expect((await tenant.api.get(`${path()}?person_id=${ada.id}`)).body).toMatchObject({
      items: [one.body],
      total: 1,
    });
    expect((await tenant.api.get(`${path()}?per_page=1&page=2`)).body).toMatchObject({
      items: [one.body],
      total: 2,
    });
  });

  it('end after they start', async () => {
    const body = { person_id: randomUUID(), starts_at: period.starts_at, ends_at: '2026-03-28T21:00:00Z' };
    expect(await tenant.api.post(path(), body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'ends_at'], type: 'value_error' }] },
    });
    expect((await tenant.api.post(path(), { ...body, ends_at: 'soon' })).status).toBe(422);
    expect(await tenant.api.post(path(), {})).toMatchObject({
      status: 422,
      body: {
        detail: expect.arrayContaining([
          expect.objectContaining({ loc: ['body', 'person_id'], type: 'missing' }),
        ]),
      },
    });
  });

  it('are changed field by field and deleted', async () => {
    const bea = await crew.add({ name: 'Bea' });
    const full = { person_id: ada.id, ...period, job_id: 'J-1', site: 'Tower', status: 'planned' };
    const { body: made } = await tenant.api.post<{ id: string }>(path(), full);
    const one = `${path()}/${made.id}`;
    const change = (changes: object) => tenant.api.patch<Record<string, unknown>>(one, changes);
    const moved = { person_id: bea.id, site: null, status: null, ends_at: '2026-03-29T07:00:00+02:00' };
    expect((await change({ ...moved, created_at: 'never', id: 'x' })).body).toEqual({
      ...made,
      ...moved,
      person_name: 'Bea',
      status: kind === 'shifts' ? 'scheduled' : 'assigned',
      ends_at: '2026-03-29T05:00:00.000Z',
      updated_at: expect.any(String),
    });
    for (const [field, time] of [
      ['ends_at', period.starts_at],
      ['starts_at', '2026-03-29T05:00:00Z'],
    ] as const) {
      expect(await change({ [field]: time })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', field], type: 'value_error' }] },
      });
    }
    const other = await Crew.gather(service, tenant);
    const eve = await other.add({ name: 'Eve' });
    for (const person_id of [randomUUID(), eve.id]) {
      expect((await change({ person_id })).text).toBe('{"detail":"Staff member not found"}');
    }
    const elsewhere = `${path(other)}/${made.id}`;
    for (const answer of [await tenant.api.patch(elsewhere, {}), await tenant.api.delete(elsewhere)]) {
      expect(answer.status).toBe(404);
    }
    expect((await tenant.api.delete(one)).status).toBe(204);
    expect((await tenant.api.delete(one)).status).toBe(404);
    expect((await tenant.api.get(path())).body).toMatchObject({ total: 0 });
  });

  it.each([
    ['2026-03-28T22:00:00+01', '2026-03-28T21:00:00.001Z', '2026-03-28T21:00:00.000Z'],
    ['2026-03-28t19:30:00-0130', '2026-03-28 22:00:01+01', '2026-03-28T21:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T01:00:01+01', '2017-01-01T00:00:00.000Z'],
  ])('accept every spelling of a time: %s', async (starts_at, ends_at, start) => {
    const person_id = ada.id;
    expect(await tenant.api.post(path(), { person_id, starts_at, ends_at })).toMatchObject({
      status: 201,
      body: { starts_at: start },
    });
    for (const end of [starts_at, '2016-12-31T23:59:59Z']) {
      const backwards = { person_id, starts_at: ends_at, ends_at: end };
      expect((await tenant.api.post(path(), backwards)).status).toBe(422);
    }
  });
});

const address = { channel_type: 'chatapp', channel_address: '1' };
const me = () => `${crew.path}/worker/me/timesheet?channel_type=chatapp&channel_address=${ada.id}`;
const list = async (query = '') =>
  (await tenant.api.get<List>(`${crew.customer_path}/timesheets${query}`)).body;

async function submit(sheet: object): Promise<{ id: string }> {
  const { status, body } = await service.operations.post<{ id: string }>(me(), sheet);
  expect(status).toBe(201);
  return body;
}

describe('timesheets', () => {
  beforeEach(async () => {
    const mine = { ...address, channel_address: ada.id };
    await crew.bind(ada, mine);
    await service.operations.post(`${crew.path}/worker/verify`, { ...mine, response: 'yes' });
  });

  it('are listed newest first, by status and person', async () => {
    const one = await submit({ date: '2026-01-02', hours: 7.5, rate: 21.35 });
    const two = await submit({ date: '2026-01-01', hours: 8 });
    const approved = await tenant.api.patch(`${crew.customer_path}/timesheets/${one.id}`, {
      status: 'approved',
    });
    expect(approved.body).toMatchObject({
      ...one,
      status: 'approved',
      hours: 7.5,
      rate: 21.35,
      person_id: ada.id,
    });
    expect(await list()).toMatchObject({
      items: [{ id: two.id }, approved.body],
      page: 1,
      per_page: 20,
      total: 2,
    });
    expect(await list('?status=approved')).toMatchObject({ items: [approved.body], total: 1 });
    expect(await list(`?status=submitted&person_id=${ada.id}`)).toMatchObject({
      items: [{ id: two.id }],
      total: 1,
    });
    expect(await list(`?person_id=${randomUUID()}`)).toMatchObject({ total: 0 });
    expect((await tenant.api.get(`${crew.customer_path}/timesheets?status=x`)).status).toBe(422);
  });

  it('can be submitted again after a rejection, which then stands', async () => {
    const { body: shift } = await tenant.api.post<{ id: string }>(`${crew.customer_path}/shifts`, {
      person_id: ada.id,
      ...period,
    });
    const sheet = { date: '2026-03-28', hours: 8, shift_id: shift.id };
    const first = await submit(sheet);
    const path = `${crew.customer_path}/timesheets/${first.id}`;
    expect((await service.operations.post(me(), sheet)).status).toBe(409);
    expect((await tenant.api.patch(path, { status: 'rejected' })).status).toBe(200);
    await submit({ ...sheet, hours: 7 });
    expect(await tenant.api.patch(path, { status: 'submitted' })).toMatchObject({ status: 409 });
  });

  it('stay when their shift is deleted', async () => {
    const path = `${crew.customer_path}/shifts`;
    const { body: shift } = await tenant.api.post<{ id: string }>(path, { person_id: ada.id, ...period });
    const { id } = await submit({ date: '2026-03-28', hours: 8, shift_id: shift.id });
    expect((await tenant.api.delete(`${path}/${shift.id}`)).status).toBe(204);
    expect(await list()).toMatchObject({ items: [{ id, shift_id: null, person_id: ada.id }] });
  });
});

it('lets an admin key create, read and change staff', async () => {
  const path = `${crew.customer_path}/staff`;
  const made = await tenant.api.post<Staff>(path, { name: 'Bea', skills: ['crane'] });
  expect(made).toMatchObject({ status: 201, body: { name: 'Bea', status: 'active' } });
  const one = `${path}/${made.body.id}`;
  expect((await tenant.api.get(one)).body).toEqual(made.body);
  const changed = await tenant.api.patch<Staff>(one, { status: 'terminated', skills: null });
  expect(changed.body).toMatchObject({ name: 'Bea', status: 'terminated', skills: [] });
  const other = await Crew.gather(service, tenant);
  const elsewhere = `${other.customer_path}/staff/${made.body.id}`;
  for (const answer of [
    await tenant.api.get(elsewhere),
    await tenant.api.patch(elsewhere, { name: 'Eve' }),
  ]) {
    expect(answer.text).toBe('{"detail":"Staff member not found"}');
  }
});

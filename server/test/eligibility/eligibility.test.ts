import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Eligibility } from '../../src/eligibility/eligibility.contract.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';

/** 20:00 on 30 January in New York, whose day that is. */
const NOW = new Date('2026-01-31T01:00:00.000Z');
const TODAY = { from: '2026-01-30T05:00:00.000Z', to: '2026-01-31T05:00:00.000Z' };
const crane = { kind: 'certification', value: 'Crane' };

let service: TestService;
let tenant: TestTenant;
let crew: Crew;

beforeAll(async () => {
  service = await startTestService({ clock: () => NOW, runsJobs: false });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  crew = await Crew.gather(service, tenant, 'America/New_York');
});
afterAll(() => service.stop());

const require = (key: string, body: object) =>
  tenant.api.put(`${crew.customer_path}/requirements/${key}`, body);
const ask = (body: object, client = tenant.api) =>
  client.post<Eligibility>(`${crew.customer_path}/eligibility`, body);
async function answerTo(body: object): Promise<Eligibility> {
  const { status, body: answer, text } = await ask(body);
  expect(status, text).toBe(200);
  return answer;
}
const codesOf = ({ people }: Eligibility) =>
  Object.fromEntries(people.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)]));

const give = (kind: string, person: { id: string } | undefined, work: object) =>
  tenant.api.post(`${crew.customer_path}/${kind}`, { person_id: person?.id, ...work });
const windowOf = async (body: object) => {
  const { from, to, warnings } = await answerTo({ demands: [{ kind: 'tier', value: 1 }], ...body });
  return [from, to, ...warnings];
};

it('tells of each person all reasons, eligible ones first and then by name', async () => {
  await crew.add({ name: 'Zoe', certifications: [{ type: 'crane', expires_at: '2026-01-30' }] });
  await crew.add({ name: 'Ada', certifications: [{ type: 'crane', expires_at: '2026-01-29' }] });
  const bob = await crew.add({ name: 'Bob', tier: 3, certifications: ['crane'], skills: ['Rigging'] });
  await crew.change(bob, { status: 'on_leave' });
  await require('pier', { site: 'Pier 4', demands: [crane] });
  await require('tower', { site: 'Tower', demands: [{ kind: 'skill', value: 'climbing' }] });
  const answer = await answerTo({ site: 'PIER 4', demands: [{ kind: 'tier', value: 1 }] });
  expect(answer).toMatchObject({
    ...TODAY,
    timezone: 'America/New_York',
    evaluated_at: NOW.toISOString(),
    demands: [
      { id: 'pier/1', ...crane, source: 'pier' },
      { id: 'request/1', kind: 'tier', value: 1, source: 'request' },
    ],
    totals: { eligible: 1, ineligible: 2, unknown: 0 },
    warnings: [],
    page: 1,
    total: 3,
  });
  expect(answer.people).toMatchObject([
    { name: 'Zoe', eligible: true, reasons: [], eligible_until: TODAY.to, unblocks_at: null },
    {
      name: 'Ada',
      eligible: false,
      reasons: [
        {
          code: 'certification_expired',
          demand_id: 'pier/1',
          value: 'Crane',
          since: TODAY.from,
          until: null,
        },
      ],
    },
    { name: 'Bob', reasons: [{ code: 'status_not_active', demand_id: null, value: 'on_leave' }] },
  ]);
  const two = await answerTo({ site: 'pier 4', from: '2026-01-30', to: '2026-01-31' });
  expect(codesOf(two).Zoe).toEqual(['certification_expires_during']);
});

it('calls nobody eligible where nothing is demanded', async () => {
  await crew.add({ name: 'Ada' });
  await crew.change(await crew.add({ name: 'Bob' }), { status: 'suspended' });
  const answer = await answerTo({ site: 'Moon' });
  expect(answer.warnings).toEqual(['site_unknown', 'no_demands']);
  expect(answer.totals).toEqual({ eligible: 0, ineligible: 1, unknown: 1 });
  expect(answer.people.map(({ eligible }) => eligible)).toEqual([null, false]);
  expect((await answerTo({ show: 'ineligible' })).people.map(({ name }) => name)).toEqual(['Bob']);
});

it('counts shifts and assignments at the place that is asked, and says when one is elsewhere', async () => {
  const at = { starts_at: '2026-01-30T14:00:00Z', ends_at: '2026-01-30T22:00:00Z' };
  const [ada, bob, cal, dee] = await Promise.all(
    ['Ada', 'Bob', 'Cal', 'Dee'].map((name) => crew.add({ name })),
  );
  await give('shifts', ada, { ...at, site: 'pier 4', job_id: 'J1' });
  await give('shifts', bob, { ...at, site: 'Tower', job_id: 'J1' });
  await give('shifts', cal, { ...at, site: 'Pier 4', job_id: 'J1', status: 'cancelled' });
  await give('assignments', dee, { site: 'Pier 4', job_id: 'j1' });
  const asked = { site: 'Pier 4', job_id: 'J1' };
  const answer = await answerTo({ ...asked, demands: [{ kind: 'on_shift' }] });
  expect(answer.people[0]).toMatchObject({
    name: 'Ada',
    eligible: true,
    eligible_until: '2026-01-30T22:00:00.000Z',
  });
  expect(codesOf(answer)).toEqual({
    Ada: [],
    Bob: ['on_shift_elsewhere'],
    Cal: ['not_on_shift'],
    Dee: ['not_on_shift'],
  });
  const assigned = await answerTo({ ...asked, demands: [{ kind: 'assigned' }] });
  expect(assigned.people[0]).toMatchObject({ name: 'Dee', eligible: true, eligible_until: null });
  const either = await answerTo({
    ...asked,
    demands: [{ any_of: [{ kind: 'assigned' }, { kind: 'skill', value: 'x' }] }],
  });
  expect(either.demands).toEqual([
    {
      id: 'request/1',
      kind: 'any_of',
      value: null,
      source: 'request',
      any_of: [
        { kind: 'assigned', value: null },
        { kind: 'skill', value: 'x' },
      ],
    },
  ]);
  expect(either.people[1]?.reasons).toMatchObject([
    {
      code: 'none_of',
      value: null,
      alternatives: [{ code: 'not_assigned' }, { code: 'skill_missing', value: 'x' }],
    },
  ]);
  expect(either.warnings).toEqual(['type_unknown']);
});

it('reads the window in the days of the customer', async () => {
  await crew.add({ name: 'Ada' });
  expect(await windowOf({ from: '2026-01-31T23:00:00' })).toEqual([
    '2026-02-01T04:00:00.000Z',
    '2026-02-01T05:00:00.000Z',
  ]);
  expect(await windowOf({ from: '2026-03-08' })).toEqual([
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
  ]);
  expect(await windowOf({ from: '2026-03-01', to: '2026-03-31' })).toEqual([
    '2026-03-01T05:00:00.000Z',
    '2026-04-01T04:00:00.000Z',
  ]);
  expect(await windowOf({ from: '2026-01-29' })).toEqual(['2026-01-29T05:00:00.000Z', TODAY.from, 'past']);
  const refused = [
    { from: '2026-03-01', to: '2026-04-01' },
    { from: '2026-02-02', to: '2026-02-01' },
    { to: '2026-01-29' },
    { from: 'soon' },
  ];
  for (const body of refused) expect((await ask(body)).status).toBe(422);
});

it('gives pages, of those that are shown', async () => {
  await crew.add({ name: 'A', skills: ['x'] });
  await crew.add({ name: 'B' });
  await crew.add({ name: 'C', skills: ['X'] });
  const body = { demands: [{ kind: 'skill', value: 'x' }], per_page: 2 };
  const names = async (more: object) => {
    const { people, total } = await answerTo({ ...body, ...more });
    return [total, ...people.map(({ name }) => name)];
  };
  expect(await names({})).toEqual([3, 'A', 'C']);
  expect(await names({ page: 2 })).toEqual([3, 'B']);
  expect(await names({ show: 'eligible' })).toEqual([2, 'A', 'C']);
  expect(await names({ show: 'ineligible' })).toEqual([1, 'B']);
  expect(await names({ page: 9 })).toEqual([3]);
  const [, b] = (await answerTo(body)).people;
  expect(await names({ person_ids: [b?.person_id, randomUUID()] })).toEqual([1, 'C']);
  expect(await names({ person_ids: [] })).toEqual([0]);
});

it('tells a runtime and a worker no status, and nothing of other customers or tenants', async () => {
  const ada = await crew.add({
    name: 'Ada',
    email: 'ada@example.com',
    availability_notes: 'never on Mondays',
  });
  await crew.change(ada, { status: 'suspended' });
  const path = `${crew.path}/eligibility?customer_id=${crew.instance.customer_id}`;
  const asked = await service.operations.post<Eligibility>(path, { demands: [crane] });
  expect(asked.body.people[0]?.reasons).toMatchObject([
    { code: 'status_not_active', value: null },
    { code: 'certification_missing' },
  ]);
  expect(asked.text).not.toMatch(/suspended|example|Mondays/);
  const other = await Crew.gather(service, await service.createTenant());
  const elsewhere = `${crew.path}/eligibility?customer_id=${other.instance.customer_id}`;
  expect((await service.operations.post(elsewhere, {})).status).toBe(404);
  expect((await ask({}, other.tenant.api)).text).toBe('{"detail":"Customer not found"}');
  const channel = { channel_type: 'chatapp', channel_address: `+49${randomUUID()}` };
  await crew.bind(ada, channel);
  const me = `${crew.path}/worker/me/eligibility?${new URLSearchParams({ ...channel, site: 'Pier 4' }).toString()}`;
  expect((await service.operations.get(me)).status).toBe(403);
  await service.operations.post(`${crew.path}/worker/verify`, { ...channel, response: 'yes' });
  await crew.add({ name: 'Bob' });
  const mine = await service.operations.get<Eligibility>(me);
  expect(mine.body).toMatchObject({
    total: 1,
    people: [{ name: 'Ada', eligible: false, reasons: [{ value: null }] }],
  });
});

it('judges many people in the order of their names, from one moment', async () => {
  await service.database.query(
    `insert into staff (tenant_id, customer_id, name, role, tier, skills)
     select $1, $2, 'P' || lpad(n::text, 5, '0'), 'employee', 1 + n % 5, '["x"]' from generate_series(1, 1203) n`,
    [tenant.tenant_id, crew.instance.customer_id],
  );
  const body = { demands: [{ kind: 'tier', value: 5 }], per_page: 200, page: 2 };
  const answer = await answerTo(body);
  expect(answer.totals).toEqual({ eligible: 240, ineligible: 963, unknown: 0 });
  expect(answer.people[39]?.name).toBe('P01199');
  expect(answer.people[40]).toMatchObject({ name: 'P00001', eligible: false });
  expect((await ask(body)).text).toBe((await ask(body)).text);
});

it('refuses more demands than it can explain', async () => {
  for (const key of ['a', 'b', 'c']) {
    const any_of = Array.from({ length: 10 }, () => ({ kind: 'tier', value: 1 }));
    await require(key, { demands: Array.from({ length: 40 }, () => ({ any_of })) });
  }
  expect((await ask({})).status).toBe(409);
});

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';

let service: TestService;
let tenant: TestTenant;
let of: string;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
});
beforeEach(async () => {
  of = (await Crew.gather(service, tenant)).customer_path;
});

interface Answer {
  demands?: unknown;
  detail?: { loc: string[]; type: string }[];
}

const put = (key: string, body: object) => tenant.api.put<Answer>(`${of}/requirements/${key}`, body);
const crane = { kind: 'certification', value: 'crane' };

it('are made, replaced as a whole, listed by their keys and removed', async () => {
  const any_of = [crane, { kind: 'tier', value: 3 }];
  const made = await put('pier-4', { site: 'Pier 4', title: 'Lift', demands: [crane, { any_of }] });
  expect(made).toMatchObject({
    status: 200,
    body: { key: 'pier-4', site: 'Pier 4', job_id: null, title: 'Lift' },
  });
  expect(made.body.demands).toEqual([crane, { any_of }]);
  const replaced = await put('pier-4', { job_id: 'J1', demands: [] });
  expect(replaced.body).toMatchObject({ site: null, job_id: 'J1', title: null, demands: [] });
  await put('a.b_c', { demands: [{ kind: 'on_shift' }] });
  expect((await tenant.api.get(`${of}/requirements`)).body).toMatchObject({
    items: [{ key: 'a.b_c', demands: [{ kind: 'on_shift', value: null }] }, { key: 'pier-4' }],
    total: 2,
  });
  expect((await tenant.api.get(`${of}/requirements/pier-4`)).body).toEqual(replaced.body);
  expect((await tenant.api.delete(`${of}/requirements/pier-4`)).status).toBe(204);
  expect((await tenant.api.get(`${of}/requirements/pier-4`)).status).toBe(404);
  expect((await tenant.api.delete(`${of}/requirements/pier-4`)).status).toBe(404);
});

it('are told every fault of their demands', async () => {
  const demands = [
    {},
    { kind: 'skill' },
    { kind: 'skill', value: 3 },
    { kind: 'tier', value: 6 },
    { kind: 'on_shift', value: 'Pier 4' },
    { kind: 'skill', value: 'x', any_of: [crane, crane] },
    { any_of: [crane, { kind: 'assigned', value: 1 }] },
  ];
  const { status, body } = await put('faulty', { demands });
  expect(status).toBe(422);
  expect(body.detail?.map(({ loc, type }) => [loc.slice(2).join('.'), type])).toEqual([
    ['0.kind', 'missing'],
    ['1.value', 'missing'],
    ['2.value', 'value_error'],
    ['3.value', 'value_error'],
    ['4.value', 'value_error'],
    ['5.any_of', 'value_error'],
    ['6.any_of.1.value', 'value_error'],
  ]);
});

it.each([
  ['too many demands', { demands: Array.from({ length: 51 }, () => crane) }],
  [
    'too many bytes',
    { demands: Array.from({ length: 50 }, () => ({ kind: 'skill', value: '😀'.repeat(100) })) },
  ],
  ['one alternative', { demands: [{ any_of: [crane] }] }],
  ['too many alternatives', { demands: [{ any_of: Array.from({ length: 11 }, () => crane) }] }],
  ['an unknown kind', { demands: [{ kind: 'mood', value: 'good' }] }],
  ['no demands', {}],
])('refuse %s', async (_, body) => {
  expect((await put('refused', body)).status).toBe(422);
});

it.each(['Pier', 'a%20b', 'x'.repeat(65)])('refuse the key %s', async (key) => {
  expect((await put(key, { demands: [] })).status).toBe(422);
});

it('are 200 of a customer at most, with several made at once', async () => {
  await service.database.query(
    `insert into requirements (tenant_id, customer_id, key, demands)
     select $1, $2, 'r' || n, '[]' from generate_series(1, 199) n`,
    [tenant.tenant_id, of.split('/').at(-1)],
  );
  const answers = await Promise.all(['x', 'y', 'z'].map((key) => put(key, { demands: [] })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect((await put('r7', { demands: [crane] })).status).toBe(200);
});

it('of another tenant are not found', async () => {
  await put('pier-4', { demands: [] });
  const other = await service.createTenant();
  const path = `${of}/requirements/pier-4`;
  const answers = await Promise.all([
    other.api.get(path),
    other.api.put(path, { demands: [] }),
    other.api.delete(path),
    other.api.get(`/v1/customers/${randomUUID()}/requirements/pier-4`),
  ]);
  for (const { status, text } of answers)
    expect([status, text]).toEqual([404, '{"detail":"Customer not found"}']);
});

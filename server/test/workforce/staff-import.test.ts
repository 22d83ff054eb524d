import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';

interface Result {
  created: number;
  updated: number;
  errors: { index: number; loc: string[]; msg: string; type: string }[];
}

let service: TestService;
let tenant: TestTenant;
let admin: Client;
let crew: Crew;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  admin = await service.login(tenant.admin_email);
});
beforeEach(async () => {
  crew = await Crew.gather(service, tenant);
});
afterAll(() => service.stop());

const routes = () =>
  [
    [service.operations, crew.staffPath('/import')],
    [admin, `${crew.customer_path}/staff/import`],
  ] as const;

it('creates the valid items and reports the invalid one', async () => {
  for (const [client, path] of routes()) {
    const staff = Array.from({ length: 200 }, (_, i) => ({
      name: `P${String(i).padStart(3, '0')}`,
      skills: ['s'],
    }));
    const items = staff.with(3, { name: '', skills: ['s'] });
    const { status, body } = await client.post<Result>(path, { staff: items });
    expect(status).toBe(200);
    expect(body).toEqual({
      created: 199,
      updated: 0,
      errors: [
        {
          index: 3,
          loc: ['body', 'staff', '3', 'name'],
          msg: 'String should have at least 1 character',
          type: 'string_too_short',
        },
      ],
    });
  }
  expect((await service.operations.get(crew.staffPath('?skills=s'))).body).toMatchObject({ total: 398 });
});

it('reports every fault of every invalid item, in order', async () => {
  const staff = [
    null,
    { name: 'Ada', role: 'contractor', certifications: ['C'], tier: 4, email: null },
    'Bea',
    {},
    { name: 'Cid', tier: 9, certifications: [{ type: 'C', expires_at: 'x' }] },
    { name: 'Dan' },
    [],
  ];
  const { body } = await service.operations.post<Result>(crew.staffPath('/import'), { staff });
  expect(body.created).toBe(2);
  expect(body.errors).toMatchObject([
    { index: 0, loc: ['body', 'staff', '0'], type: 'dict_type' },
    { index: 2, loc: ['body', 'staff', '2'], type: 'dict_type' },
    { index: 3, loc: ['body', 'staff', '3', 'name'], type: 'missing' },
    { index: 4, loc: ['body', 'staff', '4', 'certifications', '0', 'expires_at'], type: 'value_error' },
    { index: 4, loc: ['body', 'staff', '4', 'tier'], type: 'less_than_equal' },
    { index: 6, loc: ['body', 'staff', '6'], type: 'dict_type' },
  ]);
  expect(await crew.names('')).toEqual(['Ada', 'Dan']);
  expect(await crew.names('cert_type=C&tier=4')).toEqual(['Ada']);
});

it('reads a text with an end in the same way by every route', async () => {
  const read = ['A', { type: 'B', expires_at: '2030-01-31' }, { type: 'I:S', expires_at: '2030-01-31' }];
  const given = ['A', 'B: 2030-01-31', 'I:S:31/01/2030'];
  for (const [client, path] of routes()) {
    const staff = [
      { name: 'Ada', certifications: given, inductions: ['Pier 4:2030/1/31'], external_id: path },
    ];
    expect((await client.post(path, { staff })).body).toMatchObject({ created: 1, errors: [] });
  }
  const added = await tenant.api.post(`${crew.customer_path}/staff`, { name: 'Ada', certifications: given });
  expect(added.body).toMatchObject({ certifications: read });
  for (const ada of await all()) expect(ada).toMatchObject({ certifications: read });
  expect(await crew.names('cert_type=I:S&induction_site=Pier 4')).toEqual(['Ada', 'Ada']);
});

it('reports an end that is no day, or one of two', async () => {
  for (const end of ['', 'soon', '2030-02-30', '03/04/2030', '31/01/30', '2030-01-31T10:00:00Z']) {
    const staff = [{ name: 'Ada', certifications: ['A', `B:${end}`] }];
    for (const [client, path] of routes()) {
      expect((await client.post(path, { staff })).body, end).toMatchObject({
        created: 0,
        errors: [{ loc: ['body', 'staff', '0', 'certifications', '1'], type: 'value_error' }],
      });
    }
  }
});

it('creates nothing for an empty list and for invalid items', async () => {
  for (const [client, path] of routes()) {
    expect((await client.post(path, { staff: [] })).body).toEqual({ created: 0, updated: 0, errors: [] });
    expect((await client.post(path, { staff: [{}] })).body).toMatchObject({
      created: 0,
      errors: [{ index: 0 }],
    });
  }
});

it('refuses anything but a list of at most 200', async () => {
  for (const [client, path] of routes()) {
    for (const [body, fault] of [
      [{}, { loc: ['body', 'staff'], type: 'missing' }],
      [{ staff: {} }, { loc: ['body', 'staff'], type: 'list_type' }],
      [
        { staff: Array.from({ length: 201 }, () => ({ name: 'x' })) },
        { loc: ['body', 'staff'], type: 'too_long' },
      ],
    ] as const) {
      expect(await client.post(path, body)).toMatchObject({ status: 422, body: { detail: [fault] } });
    }
  }
  expect(await crew.names('')).toEqual([]);
});

it('stores no item when the database refuses one', async () => {
  const { database } = service;
  await database.query(`alter table staff add constraint no_eve check (name <> 'Eve')`);
  const staff = [{ name: 'Ada' }, { name: 'Eve' }];
  expect((await service.operations.post(crew.staffPath('/import'), { staff })).status).toBe(500);
  await database.query('alter table staff drop constraint no_eve');
  expect(await crew.names('')).toEqual([]);
});

const send = (staff: object[]) => service.operations.post<Result>(crew.staffPath('/import'), { staff });
const all = async () =>
  (await service.operations.get<{ staff: Record<string, unknown>[] }>(crew.staffPath())).body.staff;

describe('external_id', () => {
  it('updates the given fields of an existing record', async () => {
    const first = await send([
      { name: 'Ada', external_id: 'E-1', skills: ['crane'], tier: 3, email: 'ada@example.com' },
      { name: 'Bea', external_id: 'E-2' },
    ]);
    expect(first.body).toEqual({ created: 2, updated: 0, errors: [] });
    const [ada] = await all();
    await service.operations.patch(`${crew.path}/staff/${String(ada?.id)}`, { status: 'on_leave' });
    for (const [client, path] of routes()) {
      const again = await client.post(path, {
        staff: [
          { name: 'Cid' },
          { name: 'Ada L.', external_id: 'E-1', tier: 4, email: null, status: 'terminated' },
        ],
      });
      expect(again.body).toEqual({ created: 1, updated: 1, errors: [] });
    }
    expect(await all()).toMatchObject([
      { id: ada?.id, name: 'Ada L.', skills: ['crane'], tier: 4, email: null, status: 'on_leave' },
      { name: 'Bea', external_id: 'E-2' },
      { name: 'Cid', external_id: null },
      { name: 'Cid', external_id: null },
    ]);
    expect(await crew.names('skills=crane&tier=4')).toEqual(['Ada L.']);
  });

  it('occurs once in an import', async () => {
    const { body } = await send([
      { name: 'Ada', external_id: 'E-1' },
      { name: 'Bea', external_id: 'E-1' },
      { name: 'Cid', external_id: '' },
    ]);
    expect(body).toMatchObject({
      created: 1,
      errors: [
        { index: 1, loc: ['body', 'staff', '1', 'external_id'], type: 'value_error' },
        { index: 2, loc: ['body', 'staff', '2', 'external_id'], type: 'string_too_short' },
      ],
    });
    expect(await crew.names('')).toEqual(['Ada']);
  });

  it('belongs to one person of a customer', async () => {
    await crew.add({ name: 'Ada', external_id: 'E-1' });
    const bea = await crew.add({ name: 'Bea' });
    expect(
      (await service.operations.post(crew.staffPath(), { name: 'Cid', external_id: 'E-1' })).status,
    ).toBe(409);
    const path = `${crew.customer_path}/staff/${bea.id}`;
    expect((await tenant.api.patch(path, { external_id: 'E-1' })).status).toBe(409);
    expect((await tenant.api.patch(path, { external_id: 'E-2' })).body).toMatchObject({ external_id: 'E-2' });
    const other = await Crew.gather(service, tenant);
    await other.add({ name: 'Ada', external_id: 'E-1' });
  });

  it('is created once by concurrent imports, without a deadlock', async () => {
    const staff = Array.from({ length: 60 }, (_, n) => ({
      name: `P${n}`,
      external_id: String(n),
      skills: [`s${n}`],
    }));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => send(n % 2 ? staff : staff.toReversed())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(60);
    expect((await service.operations.get(crew.staffPath('?skills=s7'))).body).toMatchObject({ total: 1 });
  });
});

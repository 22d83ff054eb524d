import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';

interface Result {
  created: number;
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

it('creates the 199 valid items and reports the other', async () => {
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

it('creates nothing for an empty list and for invalid items', async () => {
  for (const [client, path] of routes()) {
    expect((await client.post(path, { staff: [] })).body).toEqual({ created: 0, errors: [] });
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

it('writes all items in one statement: where the database refuses one, none is stored', async () => {
  const { database } = service;
  await database.query(`alter table staff add constraint no_eve check (name <> 'Eve')`);
  const staff = [{ name: 'Ada' }, { name: 'Eve' }];
  expect((await service.operations.post(crew.staffPath('/import'), { staff })).status).toBe(500);
  await database.query('alter table staff drop constraint no_eve');
  expect(await crew.names('')).toEqual([]);
});

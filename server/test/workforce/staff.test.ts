import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placeCustomer } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

interface Page {
  page: number;
  per_page: number;
  total: number;
  staff: Staff[];
}

/** 20:00 on 30 January in New York, 02:00 on the 31st in Berlin. */
const NOW = new Date('2026-01-31T01:00:00.000Z');

let service: TestService;
let tenant: TestTenant;
let crew: Crew;

beforeAll(async () => {
  service = await startTestService({ clock: () => NOW });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  crew = await Crew.gather(service, tenant);
});
afterAll(() => service.stop());

const get = <T>(path: string) => service.operations.get<T>(path);
const count = async ({ instance }: Crew) =>
  (await service.database.query('select from staff where customer_id = $1', [instance.customer_id])).length;
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000).toISOString().slice(0, 10);

const certified = (name: string, ...ends: (string | null)[]) => ({
  name,
  skills: ['k'],
  certifications: ends.map((expires_at) => ({ type: 'C', expires_at })),
  inductions: ends.map((expires_at) => ({ site: 'S', expires_at })),
});
const cert = (type: string, expires_at?: string) => ({ type, expires_at });

describe('create', () => {
  it('returns the record with initial values', async () => {
    expect(await crew.add({ name: ' Ada ', hair: 'red' })).toEqual({
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id: crew.instance.customer_id,
      name: ' Ada ',
      email: null,
      phone: null,
      role: 'employee',
      skills: [],
      certifications: [],
      inductions: [],
      tier: 1,
      status: 'active',
      availability_notes: null,
      external_id: null,
      created_at: NOW.toISOString(),
      updated_at: NOW.toISOString(),
    });
    const full = {
      name: 'Grace',
      email: 'grace@example.com',
      phone: '+49 151 1',
      role: 'contractor',
      skills: ['Forklift', 'first aid'],
      certifications: [
        'IPAF',
        { type: 'CSCS', number: 7, expires_at: '2027-02-28', card: { colour: 'gold' } },
      ],
      inductions: ['Tower', { site: 'Bridge', completed_at: 'long ago', expires_at: null }],
      tier: 5,
      availability_notes: 'not on Fridays',
    };
    const grace = await crew.add(full);
    expect(grace).toMatchObject(full);
    expect((await get(`${crew.path}/staff/${grace.id}`)).body).toEqual(grace);
    expect(await crew.add({ ...full, email: null, role: null, tier: null, skills: null })).toMatchObject({
      email: null,
      role: 'employee',
      tier: 1,
      skills: [],
    });
  });

  it('lists every fault', async () => {
    const { status, body } = await service.operations.post(`${crew.path}/staff`, {
      name: 'x'.repeat(201),
      email: 'nobody',
      phone: 7,
      role: 'boss',
      skills: ['a', 1],
      certifications: [{ type: 'CSCS', expires_at: '2026-02-30' }, 5, { type: 1 }],
      inductions: {},
      tier: 6,
      availability_notes: [],
    });
    expect(status).toBe(422);
    expect((body as unknown as { detail: { loc: string[]; type: string }[] }).detail).toMatchObject([
      { loc: ['query', 'customer_id'], type: 'missing' },
      { loc: ['body', 'name'], type: 'string_too_long' },
      { loc: ['body', 'email'], type: 'value_error' },
      { loc: ['body', 'phone'], type: 'string_type' },
      { loc: ['body', 'role'], type: 'literal_error' },
      { loc: ['body', 'skills', '1'], type: 'string_type' },
      { loc: ['body', 'certifications', '0', 'expires_at'], type: 'value_error' },
      { loc: ['body', 'certifications', '1'], type: 'value_error' },
      { loc: ['body', 'certifications', '2', 'type'], type: 'string_type' },
      { loc: ['body', 'inductions'], type: 'list_type' },
      { loc: ['body', 'tier'], type: 'less_than_equal' },
      { loc: ['body', 'availability_notes'], type: 'string_type' },
    ]);
  });

  it('accepts only a day or a time as an end', async () => {
    const ends = [
      '2026-01-31 09:30:00',
      '2026-01-31T09:30:00.123456+15:59',
      '2026-01-31T09:30:00Z',
      '0001-01-01',
    ];
    const certifications = ends.map((expires_at) => ({ type: 'A', expires_at }));
    expect((await crew.add({ name: 'Ada', certifications })).certifications).toEqual(certifications);
    for (const expires_at of [
      '',
      'soon',
      '0000-01-01',
      '2026-01-31T24:00:00Z',
      '2026-01-31T09:30:00+16:00',
      7,
    ]) {
      const staff = { name: 'Ada', inductions: [{ site: 'A', expires_at }] };
      expect((await service.operations.post(crew.staffPath(), staff)).status, String(expires_at)).toBe(422);
    }
  });
});

describe('change', () => {
  it('changes the given fields and clears those with null', async () => {
    const ada = await crew.add({
      name: 'Ada',
      email: 'a@example.com',
      skills: ['x'],
      tier: 3,
      role: 'supplier',
    });
    const path = `${crew.path}/staff/${ada.id}`;
    expect(await crew.change(ada, { status: 'on_leave', hair: 'red' })).toEqual({
      ...ada,
      status: 'on_leave',
    });
    expect(await crew.change(ada, { email: null, skills: null, tier: null, role: null })).toEqual({
      ...ada,
      status: 'on_leave',
      email: null,
      skills: [],
      tier: 1,
      role: 'employee',
    });
    const { status, body } = await service.operations.patch(path, { name: null, status: 'gone', tier: 0 });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: [
        { loc: ['body', 'name'], type: 'string_type' },
        { loc: ['body', 'tier'], type: 'greater_than_equal' },
        { loc: ['body', 'status'], type: 'literal_error' },
      ],
    });
  });

  it('makes a search find the new values', async () => {
    const ada = await crew.add({ name: 'Ada', skills: ['x', 'X', 'y'], certifications: ['A'] });
    await crew.add({ name: 'Bea', skills: ['x'] });
    expect(await crew.names('skills=x')).toEqual(['Ada', 'Bea']);
    await crew.change(ada, {
      name: 'Zoe',
      skills: ['z', 'y'],
      status: 'inactive',
      tier: 2,
      certifications: [],
    });
    expect(await crew.names('skills=x')).toEqual(['Bea']);
    expect(await crew.names('skills=z')).toEqual(['Zoe']);
    expect(await crew.names('skills=y,z')).toEqual(['Zoe']);
    expect(await crew.names('cert_type=A')).toEqual([]);
    expect(await crew.names('status=active')).toEqual(['Bea']);
    expect(await crew.names('tier=2')).toEqual(['Zoe']);
    expect(await crew.names('')).toEqual(['Bea', 'Zoe']);
  });

  it('keeps counts exact under concurrent changes', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, (_, i) => crew.add({ name: `P${i}` })));
    await Promise.all(
      people.map((person, i) =>
        crew.change(person, { status: i % 2 ? 'active' : 'inactive', skills: i % 4 ? ['a'] : ['b'] }),
      ),
    );
    const answers = await Promise.all(
      ['', 'status=inactive', 'skills=a', 'skills=b', 'skills=a&status=active'].map((query) =>
        crew.names(query),
      ),
    );
    expect(answers.map(({ length }) => length)).toEqual([20, 10, 15, 5, 10]);
  });
});

describe('search', () => {
  it('combines its filters', async () => {
    await crew.add({
      name: 'Ada',
      skills: ['a', 'b', 'c'],
      certifications: ['C'],
      inductions: ['S'],
      tier: 2,
    });
    const bea = await crew.add({ name: 'Bea', skills: ['A', 'b'], certifications: [{ type: 'C' }] });
    await crew.add({ name: 'Cid', skills: ['a'], inductions: [{ site: 'S' }], tier: 2 });
    await crew.add({ name: 'Dan', certifications: [{ name: 'C' }] });
    await crew.change(bea, { status: 'suspended' });
    for (const [query, names] of [
      ['', ['Ada', 'Bea', 'Cid', 'Dan']],
      ['skills=a', ['Ada', 'Bea', 'Cid']],
      ['skills=A,%20b%20,,B', ['Ada', 'Bea']],
      ['skills=,', ['Ada', 'Bea', 'Cid', 'Dan']],
      ['skills=a,b,c', ['Ada']],
      ['skills=a,b,nothing', []],
      ['skills=a%25', []],
      ['cert_type=c', ['Ada', 'Bea', 'Dan']],
      ['induction_site=S', ['Ada', 'Cid']],
      ['skills=a&induction_site=S', ['Ada', 'Cid']],
      ['skills=a,b&cert_type=C&induction_site=S', ['Ada']],
      ['skills=a&induction_site=S&tier=2&status=active', ['Ada', 'Cid']],
      ['skills=a,b&tier=1', ['Bea']],
      ['skills=a,b&status=active', ['Ada']],
      ['status=suspended', ['Bea']],
      ['tier=2', ['Ada', 'Cid']],
      ['tier=7', []],
    ] as const) {
      expect(await crew.names(query), query).toEqual(names);
    }
  });

  it('pages in the order of names, then ids', async () => {
    const made: Staff[] = [];
    for (const name of ['b', 'Ä', 'a', 'B', 'a']) made.push(await crew.add({ name, skills: ['s', 't'] }));
    const order = made.toSorted((x, y) =>
      x.name === y.name ? (x.id < y.id ? -1 : 1) : x.name < y.name ? -1 : 1,
    );
    expect(order.map(({ name }) => name)).toEqual(['B', 'a', 'a', 'b', 'Ä']);
    for (const filter of ['', '&skills=s', '&skills=s,t']) {
      const page = async (number: number) =>
        (await get<Page>(crew.staffPath(`?per_page=2&page=${number}${filter}`))).body;
      expect(await page(1)).toEqual({ page: 1, per_page: 2, total: 5, staff: order.slice(0, 2) });
      expect(await page(3)).toEqual({ page: 3, per_page: 2, total: 5, staff: order.slice(4) });
      for (const end of [4, 2_147_483_647]) {
        expect(await page(end)).toEqual({ page: end, per_page: 2, total: 5, staff: [] });
      }
    }
    expect((await get<Page>(crew.staffPath())).body).toMatchObject({ page: 1, per_page: 50 });
  });

  it('counts a certification until it ends in the customer’s time zone', async () => {
    const people = [
      certified('none', null),
      certified('30th', '2026-01-30'),
      certified('31st', '2026-01-31'),
      certified('past instant', '2026-01-31T00:59:59Z'),
      certified('coming instant', '2026-01-30T20:00:01-05:00'),
      certified('at 21:00', '2026-01-30T21:00:00'),
      certified('renewed', '2020-01-01', '2030-01-01'),
      { ...certified('not certified', null), certifications: [{ type: 'C', expires_at: '2020-01-01' }] },
      { ...certified('not inducted', null), inductions: [{ site: 'S', expires_at: '2020-01-01' }] },
    ];
    const berlin = await Crew.gather(service, tenant, 'Europe/Berlin');
    const newYork = await Crew.gather(service, tenant, 'America/New_York');
    for (const person of people) await Promise.all([berlin.add(person), newYork.add(person)]);
    expect(await berlin.names('cert_type=C')).toEqual(expect.arrayContaining(['none', 'not inducted']));
    expect(await berlin.names('induction_site=S')).toEqual(expect.arrayContaining(['none', 'not certified']));
    for (const filter of ['cert_type=C&induction_site=S', 'cert_type=C&induction_site=S&skills=k']) {
      expect(await berlin.names(filter)).toEqual(['31st', 'coming instant', 'none', 'renewed']);
      expect(await newYork.names(filter)).toEqual([
        '30th',
        '31st',
        'at 21:00',
        'coming instant',
        'none',
        'renewed',
      ]);
    }
  });
});

describe('expiring certs', () => {
  it('are those that end within the given days, soonest first', async () => {
    const ada = await crew.add({
      name: 'Ada',
      certifications: [
        cert('late', days(42)),
        'bare',
        cert('soon', days(3)),
        cert('over', days(-1)),
        cert('never'),
      ],
    });
    const bea = await crew.add({
      name: 'Bea',
      certifications: [cert('today', days(0)), cert('far', days(43))],
    });
    await crew.add({
      name: 'Cid',
      certifications: [cert('far', days(43))],
      inductions: [{ site: 's', expires_at: days(1) }],
    });
    const gone = await crew.add({ name: 'Dan', certifications: [cert('soon', days(1))] });
    await crew.change(gone, { status: 'terminated' });
    const path = (query = '') => crew.staffPath(`/expiring-certs${query}`);
    expect((await get(path())).body).toEqual([
      { ...bea, expiring_certifications: [{ ...cert('today', days(0)), days_left: 0 }] },
      {
        ...ada,
        expiring_certifications: [
          { ...cert('soon', days(3)), days_left: 3 },
          { ...cert('late', days(42)), days_left: 42 },
        ],
      },
    ]);
    const within = async (count: number) =>
      (await get<Staff[]>(path(`?within_days=${count}`))).body.map(({ name }) => name);
    expect(await within(1)).toEqual(['Bea']);
    expect(await within(43)).toEqual(['Bea', 'Ada', 'Cid']);
    expect((await get(path('?within_days=0'))).status).toBe(422);
    expect((await get(path('?within_days=366'))).status).toBe(422);
  });

  it('leave out terminated staff', async () => {
    const staff = await Crew.gather(service, tenant);
    for (const status of ['active', 'inactive', 'on_leave', 'suspended', 'terminated']) {
      const person = await staff.add({ name: status, certifications: [cert('C', days(1))] });
      await staff.change(person, { status });
    }
    const { body } = await get<Staff[]>(staff.staffPath('/expiring-certs'));
    expect(body.map(({ name }) => name)).toEqual(['active', 'inactive', 'on_leave', 'suspended']);
  });

  it('count days in the customer’s time zone', async () => {
    const newYork = await Crew.gather(service, tenant, 'America/New_York');
    const ends = (name: string, ...times: string[]) =>
      newYork.add({ name, certifications: times.map((expires_at) => ({ type: 'C', expires_at })) });
    await ends('Ada', '2026-02-01', '2026-01-30T20:00:01-05:00');
    await ends('Bea', '2026-02-02T00:00:00-05:00');
    await ends('Cid', '2026-01-30T19:59:59-05:00', '2026-02-01T23:59:59');
    const { body } = await get<object[]>(newYork.staffPath('/expiring-certs?within_days=2'));
    expect(body).toMatchObject([
      { name: 'Ada', expiring_certifications: [{ days_left: 0 }, { days_left: 2 }] },
      { name: 'Cid', expiring_certifications: [{ days_left: 2 }] },
    ]);
  });

  it('are ordered by moment within a day', async () => {
    const newYork = await Crew.gather(service, tenant, 'America/New_York');
    const ends = (name: string, ...times: string[]) =>
      newYork.add({ name, certifications: times.map((expires_at) => ({ type: 'C', expires_at })) });
    await ends('Ada', '2026-01-30');
    await ends('Bea', '2026-01-30T21:00:00');
    await ends('Cid', '2026-01-30T19:00:00', '2026-01-30T20:30:00-05:00');
    await ends('Dan', '2026-01-31');
    await ends('Eve', '2026-01-31T00:00:00', '2026-02-03');
    const { body } = await get<Staff[]>(newYork.staffPath('/expiring-certs'));
    expect(body.map(({ name }) => name)).toEqual(['Cid', 'Bea', 'Ada', 'Eve', 'Dan']);
  });
});

describe('a customer that the instance does not serve', () => {
  it('gets 404, as do its staff', async () => {
    const other = await Crew.gather(service, tenant);
    const person = await other.add({ name: 'Ada' });
    const stranger = await Crew.gather(service, await service.createTenant());
    const { id } = await stranger.add({ name: 'Eve' });
    const answer = await get(crew.staffPath('?skills=a,b', stranger.instance.customer_id));
    expect(answer).toMatchObject({ status: 404, text: '{"detail":"Customer not found"}' });
    for (const person_id of [randomUUID(), person.id, id]) {
      const path = `${crew.path}/staff/${person_id}`;
      for (const { status, text } of [await get(path), await service.operations.patch(path, { name: 'x' })]) {
        expect({ status, text }).toEqual({ status: 404, text: '{"detail":"Staff member not found"}' });
      }
    }
    expect(await other.names('')).toEqual(['Ada']);
    await placeCustomer(service, crew.instance.id, other.instance.customer_id);
    expect((await get(`${crew.path}/staff/${person.id}`)).body).toEqual(person);
    await service.database.query('update deployments set released_at = now() where customer_id = $1', [
      other.instance.customer_id,
    ]);
    expect((await get(`${crew.path}/staff/${person.id}`)).status).toBe(404);
    expect((await get(crew.staffPath('', other.instance.customer_id))).status).toBe(404);
    const added = await service.operations.post(crew.staffPath('', other.instance.customer_id), {
      name: 'Ada',
    });
    expect(added.status).toBe(404);
    expect(await count(other)).toBe(1);
  });
});

describe('the dashboard', () => {
  it('lists staff for an admin’s token but not for a key', async () => {
    const ada = await crew.add({ name: 'Ada', skills: ['a', 'b'] });
    await crew.change(await crew.add({ name: 'Bea', skills: ['a'] }), { status: 'inactive' });
    const admin = await service.login(tenant.admin_email);
    const path = `${crew.customer_path}/staff`;
    expect((await admin.get(path)).body).toMatchObject({ page: 1, per_page: 50, total: 2 });
    for (const filter of ['skills=a,b', 'skills=a&status=active', 'status=active']) {
      expect((await admin.get(`${path}?${filter}`)).body).toEqual({
        page: 1,
        per_page: 50,
        total: 1,
        staff: [{ ...ada, customer_name: null }],
      });
    }
    expect((await admin.get(`${path}?per_page=201`)).status).toBe(422);
    expect((await tenant.api.get(path)).status).toBe(401);
  });
});

it('excludes exactly the people whose certification of the skill has lapsed', async () => {
  const crane = { skills: ['Crane', 'rigging'] };
  await crew.add({ name: 'Bare', ...crane });
  await crew.add({ name: 'Ended', ...crane, certifications: [cert('crane', '2026-01-29')] });
  await crew.add({
    name: 'Renewed',
    ...crane,
    certifications: [cert('crane', '2025-01-29'), cert('CRANE', '2027-01-29')],
  });
  await crew.add({ name: 'Other', ...crane, certifications: [cert('first aid', '2020-01-01')] });
  await crew.add({ name: 'Rigger', ...crane, certifications: ['crane', cert('rigging', '2020-01-01')] });
  expect(await crew.names('skills=crane')).toEqual(
    ['Bare', 'Ended', 'Other', 'Renewed', 'Rigger'].toSorted(),
  );
  expect(await crew.names('skills=crane&exclude_lapsed=true')).toEqual([
    'Bare',
    'Other',
    'Renewed',
    'Rigger',
  ]);
  expect(await crew.names('skills=crane,rigging&exclude_lapsed=true')).toEqual(['Bare', 'Other', 'Renewed']);
  expect(await crew.names('skills=crane&cert_type=crane&exclude_lapsed=true')).toEqual(['Renewed', 'Rigger']);
});

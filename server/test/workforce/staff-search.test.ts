import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { daysLeft, expiryOf } from '../../src/workforce/expiry.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

/** FUZZ_SEED and FUZZ_RUNS change them. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_131);
const RUNS = Number(process.env.FUZZ_RUNS ?? 15);
const SHRINKS_FOR_MS = 60_000;

let now = new Date('2026-03-29T00:00:00.000Z');
let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

/** With 1,200, a block of staff_sets holds four staff instead of 4,096. */
const spreadNumbers = (distance: number) =>
  service.database.query(`alter table staff alter column number set increment by ${distance}`);

interface Filters {
  skills: string[];
  cert_type: string;
  induction_site: string;
  status: string;
  tier: number;
  exclude_lapsed: boolean;
}

/** Around the night in which Berlin's clocks go forward, and far off. */
const ENDS = [
  '2026-03-28',
  '2026-03-29',
  '2026-03-29T12:00:00',
  '2026-03-28T23:00:00Z',
  '2026-03-29T12:00:00-04:00',
  '2025-01-01',
  '2027-12-31',
];
/** When those end in Berlin or New York, and far off. */
const MOMENTS = [
  '2026-03-28T23:00:00Z',
  '2026-03-29T04:00:00Z',
  '2026-03-29T10:00:00Z',
  '2026-03-29T16:00:00Z',
  '2026-03-29T22:00:00Z',
  '2026-03-30T04:00:00Z',
  '2024-06-01T00:00:00Z',
  '2028-01-01T12:00:00Z',
];

const name = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', 'Ä', ' ', '😀', '\uffee'),
  minLength: 1,
  maxLength: 3,
});
const skills = fc.array(fc.constantFrom('Lift', 'LIFT', 'weld', 'first aid'), { maxLength: 3 });
const expires_at = fc.option(fc.constantFrom(...ENDS));
const qualifications = (label: 'type' | 'site') =>
  fc.array(
    fc.oneof(
      fc.constantFrom('X', 'Y'),
      fc.record({ [label]: fc.constantFrom('x', 'Y', 'LIFT', 'weld'), expires_at }),
      fc.record({ name: fc.constantFrom('X', 'y'), expires_at }),
      fc.record({ expires_at }),
    ),
    { maxLength: 3 },
  );
const profile = {
  name,
  skills,
  certifications: qualifications('type'),
  inductions: qualifications('site'),
  tier: fc.integer({ min: 1, max: 2 }),
};
const status = fc.constantFrom('active', 'on_leave');
const person = fc.record(profile);
const changes = fc.record({ ...profile, status }, { requiredKeys: [] });

const everyFilter = fc.record({
  skills: fc.subarray(['lift', 'Weld', 'first aid'], { minLength: 1, maxLength: 2 }),
  cert_type: fc.constantFrom('x', 'Y'),
  induction_site: fc.constantFrom('X', 'y', 'none'),
  status,
  tier: fc.integer({ min: 1, max: 2 }),
  exclude_lapsed: fc.boolean(),
});
/** More filters would match hardly anybody. */
const filters: fc.Arbitrary<Partial<Filters>> = fc
  .tuple(
    everyFilter,
    fc.subarray(['skills', 'cert_type', 'induction_site', 'status', 'tier', 'exclude_lapsed'] as const, {
      maxLength: 2,
    }),
  )
  .map(([all, chosen]) => Object.fromEntries(chosen.map((key) => [key, all[key]])));

const search = fc.record({
  filters,
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.integer({ min: 1, max: 20 }),
});

const step = fc.oneof(
  fc.record({ step: fc.constant('add' as const), staff: fc.array(person, { minLength: 1, maxLength: 30 }) }),
  fc.record({ step: fc.constant('change' as const), index: fc.nat(), changes }),
  fc.record({
    step: fc.constant('wait' as const),
    moment: fc.constantFrom(...MOMENTS),
    offsetMs: fc.integer({ min: -1, max: 1 }),
  }),
  fc.record({ step: fc.constant('remove' as const), index: fc.nat() }),
  fc.record({
    step: fc.constant('search' as const),
    searches: fc.array(search, { minLength: 1, maxLength: 4 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Search = typeof search extends fc.Arbitrary<infer T> ? T : never;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The filter's meaning, implemented a second time. */
function has(elements: unknown, label: string, wanted: string | undefined, timezone: string): boolean {
  if (wanted === undefined) return true;
  return (elements as (string | Record<string, unknown>)[]).some((one) => {
    const element = typeof one === 'string' ? { [label]: one } : one;
    const called = element[label] ?? element.name;
    return (
      typeof called === 'string' &&
      same(called, wanted) &&
      (daysLeft(expiryOf(element), timezone, now) ?? 0) >= 0
    );
  });
}

const hasLapsed = (staff: Staff, type: string, timezone: string) =>
  has(
    (staff.certifications as (string | Record<string, unknown>)[]).map((one) =>
      typeof one === 'string' ? one : { ...one, expires_at: null },
    ),
    'type',
    type,
    timezone,
  ) && !has(staff.certifications, 'type', type, timezone);

const matches = (staff: Staff, wanted: Partial<Filters>, timezone: string) =>
  (wanted.skills ?? []).every((skill) => (staff.skills as string[]).some((one) => same(one, skill))) &&
  !(wanted.exclude_lapsed && (wanted.skills ?? []).some((skill) => hasLapsed(staff, skill, timezone))) &&
  has(staff.certifications, 'type', wanted.cert_type, timezone) &&
  has(staff.inductions, 'site', wanted.induction_site, timezone) &&
  (wanted.status === undefined || staff.status === wanted.status) &&
  (wanted.tier === undefined || staff.tier === wanted.tier);

const inOrder = (a: Staff, b: Staff) =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || (a.id < b.id ? -1 : 1);

const allOf = ({ instance }: Crew) =>
  service.database.query<Staff>('select * from staff where customer_id = $1', [instance.customer_id]);

async function check(crew: Crew, { filters, page, per_page }: Search, stored: Staff[], timezone: string) {
  const query = new URLSearchParams({
    customer_id: crew.instance.customer_id,
    page: String(page),
    per_page: String(per_page),
    ...Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, String(value)])),
  });
  const path = `${crew.path}/staff?${query.toString()}`;
  const { body } = await service.operations.get<{ total: number; staff: Staff[] }>(path);
  const found = stored.filter((one) => matches(one, filters, timezone)).toSorted(inOrder);
  expect(body.total, path).toBe(found.length);
  expect(
    body.staff.map(({ id }) => id),
    path,
  ).toEqual(found.slice((page - 1) * per_page, page * per_page).map(({ id }) => id));
}

async function run(crew: Crew, one: Step, timezone: string): Promise<void> {
  if (one.step === 'wait') {
    now = new Date(Date.parse(one.moment) + one.offsetMs);
    return;
  }
  if (one.step === 'add') {
    const { body } = await service.operations.post(crew.staffPath('/import'), { staff: one.staff });
    expect(body).toMatchObject({ created: one.staff.length, errors: [] });
    return;
  }
  const stored = await allOf(crew);
  if (one.step === 'search') {
    for (const search of one.searches) await check(crew, search, stored, timezone);
    return;
  }
  const person = stored[one.index % stored.length];
  if (!person) return;
  if (one.step === 'change') await crew.change(person, one.changes);
  else await service.database.query('delete from staff where id = $1', [person.id]);
}

it('finds the same staff as a filter over all records', async () => {
  await spreadNumbers(1200);
  onTestFinished(async () => {
    await spreadNumbers(1);
  });
  let shrinksUntil = Number.POSITIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Europe/Berlin', 'America/New_York'),
      fc.array(step, { minLength: 10, maxLength: 40 }),
      async (timezone, steps) => {
        // Shrinking a failure may take very long. An interrupted run would go on beside the next tests, and move `now`.
        if (performance.now() > shrinksUntil) return;
        try {
          const crew = await Crew.gather(service, tenant, timezone);
          for (const one of steps) await run(crew, one, timezone);
        } catch (error) {
          shrinksUntil = Math.min(shrinksUntil, performance.now() + SHRINKS_FOR_MS);
          throw error;
        }
      },
    ),
    { seed: SEED, numRuns: RUNS },
  );
});

it('finds frequent and rare matches on every page', async () => {
  const crew = await Crew.gather(service, tenant);
  await service.database.query(
    `insert into staff (tenant_id, customer_id, name, role, tier, skills)
     select tenant_id, id, 'P' || to_char(n, 'FM0000'), 'employee', 1 + n % 2, to_jsonb(array_remove(array[
       case when n % 3 > 0 then 'often' end, case when n > 1700 then 'late' end, case when n % 500 = 7 then 'rare' end],
       null))
     from customers, generate_series(1, 2000) n where id = $1`,
    [crew.instance.customer_id],
  );
  const stored = await allOf(crew);
  for (const filters of [
    {},
    { skills: ['often'] },
    { skills: ['often'], tier: 2 },
    { skills: ['late'] },
    { skills: ['often', 'late'], tier: 1 },
    { skills: ['rare'] },
    { skills: ['rare', 'late'] },
    { skills: ['none'] },
  ]) {
    for (const [page, per_page] of [
      [1, 50],
      [20, 50],
      [2, 7],
      [1, 200],
    ] as const) {
      await check(crew, { filters, page, per_page }, stored, 'UTC');
    }
  }
});

describe('concurrent writers', () => {
  it('neither lose nor duplicate anybody', async () => {
    const crew = await Crew.gather(service, tenant);
    const skills = ['x', 'y', 'z'];
    const write = async (writer: number) => {
      const staff = Array.from({ length: 12 }, (_, n) => ({ name: `P${n} ${writer}`, skills }));
      const { body } = await service.operations.post(crew.staffPath('/import'), { staff });
      expect(body).toMatchObject({ created: 12, errors: [] });
      const person = await crew.add({ name: `Q${writer}`, skills });
      await crew.change(person, { name: `A${writer}`, skills: ['x', 'y'], status: 'on_leave' });
      return crew.names('skills=x,y&per_page=200');
    };
    const seen = await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    for (const [writer, names] of seen.entries()) {
      expect(new Set(names).size).toBe(names.length);
      // Each writer finds its own staff, because their creation was answered before.
      expect(names.filter((name) => new RegExp(`^(P\\d+ |A)${writer}$`).test(name))).toHaveLength(13);
    }
    expect(await crew.names('skills=z&per_page=200')).toHaveLength(144);
    expect(await crew.names('skills=x,y&status=on_leave')).toHaveLength(12);
  });

  it('leave the terms of a person’s last change', async () => {
    const crew = await Crew.gather(service, tenant);
    const ada = await crew.add({ name: 'Ada', skills: ['0'] });
    const skills = Array.from({ length: 10 }, (_, n) => `${n}`);
    await Promise.all(skills.map((skill) => crew.change(ada, { skills: [skill, 'all'], tier: 2 })));
    const [{ skills: last } = { skills: [] }] = await allOf(crew);
    const found = await Promise.all(skills.map((skill) => crew.names(`skills=${skill}`)));
    expect(skills.filter((_, n) => found[n]?.length === 1)).toEqual([(last as string[])[0]]);
    expect(await crew.names('skills=all&tier=2')).toEqual(['Ada']);
    expect(await crew.names('tier=1')).toEqual([]);
  });
});

it('follows a change of the customer’s time zone', async () => {
  const crew = await Crew.gather(service, tenant, 'Europe/Berlin');
  now = new Date('2026-03-28T23:30:00Z');
  await crew.add({ name: 'Ada', certifications: [{ type: 'C', expires_at: '2026-03-28' }] });
  expect(await crew.names('cert_type=C')).toEqual([]);
  await service.database.query(`update customers set timezone = 'America/New_York' where id = $1`, [
    crew.instance.customer_id,
  ]);
  expect(await crew.names('cert_type=C')).toEqual(['Ada']);
});

it.each([
  ['2026-03-28', '2026-03-28T23:00:00Z'],
  ['2026-03-31', '2026-03-31T22:00:00Z'],
  ['2026-03-31T23:59:59.999', '2026-03-31T21:59:59.999Z'],
  ['2026-03-31T23:30:00-02:00', '2026-04-01T01:30:00Z'],
  ['2026-12-31', '2026-12-31T23:00:00Z'],
])('ends %s of Berlin at %s', async (expires_at, end) => {
  const crew = await Crew.gather(service, tenant, 'Europe/Berlin');
  await crew.add({
    name: 'Ada',
    skills: ['s'],
    inductions: ['I'],
    certifications: [{ type: 'C', expires_at }],
  });
  for (const [offsetMs, names] of [
    [-86_400_000, ['Ada']],
    [-1, ['Ada']],
    [0, []],
    [1, []],
    [86_400_000, []],
  ] as const) {
    now = new Date(Date.parse(end) + offsetMs);
    expect(await crew.names('cert_type=C')).toEqual(names);
    expect(await crew.names('cert_type=C&induction_site=I&skills=s,S')).toEqual(names);
  }
});

it('forgets deleted staff', async () => {
  const crew = await Crew.gather(service, tenant);
  const people: Staff[] = [];
  for (const name of ['Ada', 'Bea', 'Cid']) people.push(await crew.add({ name, skills: ['s'] }));
  await service.database.query('delete from staff where id = $1', [people[0]?.id]);
  expect(await crew.names('skills=s')).toEqual(['Bea', 'Cid']);
  expect(await crew.names('')).toEqual(['Bea', 'Cid']);
});

it('ignores only the case of letters, in any alphabet', async () => {
  const crew = await Crew.gather(service, tenant);
  await crew.add({ name: 'Ada', skills: ['Übung'] });
  await crew.add({ name: 'Bea', skills: ['ubung'] });
  expect(await crew.names(`skills=${encodeURIComponent('ÜBUNG')}`)).toEqual(['Ada']);
});

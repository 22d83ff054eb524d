import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { daysLeft, expiryOf } from '../../src/workforce/expiry.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';
import { type Holder, holdStaff, shrinkStaffChunks, staffFaults } from '../support/staff-faults.ts';

/** The same searches in every run; FUZZ_SEED and FUZZ_RUNS look elsewhere. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_131);
const RUNS = Number(process.env.FUZZ_RUNS ?? 20);

let now = new Date('2026-03-29T00:00:00.000Z');
let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  tenant = await service.createTenant();
  await shrinkStaffChunks(service.database);
});
afterAll(() => service.stop());

interface Filters {
  skills: string[];
  cert_type: string;
  induction_site: string;
  status: string;
  tier: number;
}

/** Ends of days and times around the night in which Berlin's clocks go forward, and some far off. */
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
      fc.record({ [label]: fc.constantFrom('x', 'Y'), expires_at }),
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
});
/** Few of them together, or there would hardly be anybody to find. */
const filters: fc.Arbitrary<Partial<Filters>> = fc
  .tuple(
    everyFilter,
    fc.subarray(['skills', 'cert_type', 'induction_site', 'status', 'tier'] as const, { maxLength: 2 }),
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
  // From here on another writer has the locks, or no longer.
  fc.record({ step: fc.constant('hold' as const), held: fc.boolean() }),
  fc.record({
    step: fc.constant('search' as const),
    searches: fc.array(search, { minLength: 1, maxLength: 4 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether one of the elements names itself so and has not ended: what the filter means, told anew. */
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

const matches = (staff: Staff, wanted: Partial<Filters>, timezone: string) =>
  (wanted.skills ?? []).every((skill) => (staff.skills as string[]).some((one) => same(one, skill))) &&
  has(staff.certifications, 'type', wanted.cert_type, timezone) &&
  has(staff.inductions, 'site', wanted.induction_site, timezone) &&
  (wanted.status === undefined || staff.status === wanted.status) &&
  (wanted.tier === undefined || staff.tier === wanted.tier);

const inOrder = (a: Staff, b: Staff) =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || (a.id < b.id ? -1 : 1);

/** The staff as they are kept, filtered here. */
async function expected({ instance }: Crew, wanted: Partial<Filters>, timezone: string): Promise<string[]> {
  const rows = await service.database.query<Staff>('select * from staff where customer_id = $1', [
    instance.customer_id,
  ]);
  const found = rows.filter((one) => matches(one, wanted, timezone));
  return found.toSorted(inOrder).map(({ id }) => id);
}

async function check(crew: Crew, wanted: Partial<Filters>, page: number, per_page: number, timezone: string) {
  const query = new URLSearchParams({
    customer_id: crew.instance.customer_id,
    page: String(page),
    per_page: String(per_page),
    // An array's text is its elements with commas in between.
    ...Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, String(value)])),
  });
  const path = `${crew.path}/staff?${query.toString()}`;
  const { body } = await service.operations.get<{ total: number; staff: Staff[] }>(path);
  const ids = await expected(crew, wanted, timezone);
  expect(body.total, path).toBe(ids.length);
  expect(
    body.staff.map(({ id }) => id),
    path,
  ).toEqual(ids.slice((page - 1) * per_page, page * per_page));
}

async function change(crew: Crew, index: number, changes: object) {
  const customer = [crew.instance.customer_id];
  const rows = await service.database.query<Staff>('select * from staff where customer_id = $1', customer);
  const one = rows[index % rows.length];
  if (one) await crew.change(one, changes);
}

async function run(crew: Crew, one: Step, timezone: string): Promise<void> {
  if (one.step === 'add') {
    const { body } = await service.operations.post(crew.staffPath('/import'), { staff: one.staff });
    expect(body).toEqual({ created: one.staff.length, errors: [] });
  }
  if (one.step === 'change') await change(crew, one.index, one.changes);
  if (one.step === 'search') {
    for (const { filters, page, per_page } of one.searches)
      await check(crew, filters, page, per_page, timezone);
  }
}

it('finds whom a filter of all staff finds, whatever was added, changed and ended', async () => {
  const zones = ['Europe/Berlin', 'America/New_York'];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const crews = await Promise.all(zones.map((zone) => Crew.gather(service, tenant, zone)));
      let holder: Holder | undefined;
      try {
        for (const one of steps) {
          if (one.step === 'wait') now = new Date(Date.parse(one.moment) + one.offsetMs);
          if (one.step === 'hold') {
            await holder?.release();
            holder = one.held ? await holdStaff(service.database) : undefined;
          }
          await Promise.all(crews.map((crew, i) => run(crew, one, zones[i] ?? '')));
        }
      } finally {
        await holder?.release();
      }
      // Whoever writes next files what was noted.
      for (const crew of crews) await crew.add({ name: 'Zoe' });
      expect(await staffFaults(service.database)).toEqual([]);
    }),
    // Making a failure smaller may take for ever.
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 60_000 },
  );
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SimpleDemand } from './demands.contract.ts';
import { judge, simpleDemandsOf, unblocksAt } from './judge.ts';
import type { CountedDemand, Question, Window } from './people-judge.port.ts';
import { PersonRecord, type StoredPerson } from './person-record.ts';
import { toReason } from './reasons.ts';
import { ZoneClock } from './zone-clock.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-28T12:00:00Z');
const place = { site: 'Pier 4', job_id: null, title: null };

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Beirut', 'Pacific/Kiritimati', 'Pacific/Niue');
const types = fc.constantFrom('crane', 'Crane', 'forklift');
/** Around the night in which Europe's clocks change. */
const days = fc.constantFrom('2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', 'in spring', null);
const times = fc.option(
  fc.integer({ min: -72, max: 72 }).map((hours) => NOW + hours * HOUR_MS),
  { nil: null },
);
const certificate = fc.record({ type: types, issued_at: days, expires_at: days });
const work = fc.tuple(fc.constantFrom('pier 4', 'Tower', null), fc.constant(null), times, times);

const people: fc.Arbitrary<StoredPerson> = fc.tuple(
  fc.constant('p'),
  fc.constant('Cal'),
  fc.constantFrom('active', 'active', 'suspended'),
  fc.constantFrom('employee', 'contractor'),
  fc.integer({ min: 1, max: 5 }),
  fc.array(types, { maxLength: 2 }),
  fc.array(fc.oneof(types, certificate), { maxLength: 4 }),
  fc.array(fc.record({ site: types, completed_at: days, expires_at: days }), { maxLength: 2 }),
  fc.array(work, { maxLength: 2 }),
  fc.array(work, { maxLength: 2 }),
);

const simple = fc.oneof(
  fc.record({
    kind: fc.constantFrom('skill' as const, 'certification' as const, 'induction' as const),
    value: types,
  }),
  fc.record({ kind: fc.constant('tier' as const), value: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('role' as const), value: fc.constantFrom('Employee', 'contractor') }),
  fc.record({ kind: fc.constantFrom('on_shift' as const, 'assigned' as const), value: fc.constant(null) }),
);
const demandOf = fc.oneof(
  simple.map((one) => ({ ...one, source: 'request' })),
  fc
    .array(simple, { minLength: 2, maxLength: 4 })
    .map((any_of) => ({ kind: 'any_of' as const, value: null, source: 'request', any_of })),
);
const demands: fc.Arbitrary<CountedDemand[]> = fc
  .array(demandOf, { maxLength: 4 })
  .map((all) => all.map((demand, index) => ({ id: `request/${index + 1}`, ...demand })));
const windows: fc.Arbitrary<Window> = fc
  .tuple(fc.integer({ min: -48, max: 48 }), fc.integer({ min: 1, max: 49 }))
  .map(([start, hours]) => ({ from: NOW + start * HOUR_MS, to: NOW + (start + hours) * HOUR_MS }));

const cases = fc.record({ zone: zones, person: people, demands, window: windows });
interface Case {
  zone: string;
  person: StoredPerson;
  demands: CountedDemand[];
  window: Window;
}

const recordOf = ({ person, zone }: Pick<Case, 'person' | 'zone'>) =>
  new PersonRecord(person, new ZoneClock(zone));
const askedBy = ({ demands: all, window }: Case): Question => ({ place, demands: all, window });
const verdictOf = (one: Case) => judge(recordOf(one), askedBy(one));

it('makes nobody eligible by one more demand, and tells the other reasons as before', () => {
  fc.assert(
    fc.property(cases, demandOf, (one, added) => {
      const before = verdictOf(one);
      const after = verdictOf({ ...one, demands: [...one.demands, { id: 'request/9', ...added }] });
      if (before.eligible === false) expect(after.eligible).toBe(false);
      expect(after.gaps.slice(0, before.gaps.length)).toEqual(before.gaps);
      const ends = [before.eligible_until, after.eligible_until].map((end) => end ?? Infinity);
      if (after.eligible) expect(ends[1]).toBeLessThanOrEqual(ends[0] ?? Infinity);
    }),
  );
});

it('calls somebody eligible exactly where something is demanded and no reason is left', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { eligible, gaps } = verdictOf(one);
      expect(eligible).toBe(gaps.length > 0 ? false : one.demands.length > 0 ? true : null);
    }),
  );
});

it('tells the status first, then one reason for each unmet demand in their order, the same each time', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { gaps } = verdictOf(one);
      const order = [null, ...one.demands.map(({ id }) => id)];
      const places = gaps.map(({ demand_id }) => order.indexOf(demand_id));
      expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b));
      const reader = { clock: new ZoneClock(one.zone), isRuntime: false };
      const told = () =>
        JSON.stringify(verdictOf(one).gaps.map(({ gap, demand_id }) => toReason(gap, demand_id, reader)));
      expect(told()).toBe(told());
    }),
  );
});

/** The record after the remedy of a simple demand, or of the status. */
function remedied(person: StoredPerson, demand: SimpleDemand | undefined): StoredPerson {
  const { kind, value } = demand ?? { kind: 'status', value: null };
  const [id, name, status, role, tier, skills, certifications, inductions, shifts, assignments] = person;
  const here = ['PIER 4', null, null, null] as const;
  return [
    id,
    name,
    kind === 'status' ? 'active' : status,
    kind === 'role' ? String(value) : role,
    kind === 'tier' ? Number(value) : tier,
    kind === 'skill' ? [...skills, String(value)] : skills,
    kind === 'certification' ? [...certifications, { type: value }] : certifications,
    kind === 'induction' ? [...inductions, { site: value }] : inductions,
    kind === 'on_shift' ? [...(shifts ?? []), here] : shifts,
    kind === 'assigned' ? [...(assignments ?? []), here] : assignments,
  ];
}

it('drops each reason once its remedy is done', () => {
  fc.assert(
    fc.property(cases, (one) => {
      for (const { gap, demand_id } of verdictOf(one).gaps) {
        const demand = one.demands.find(({ id }) => id === demand_id);
        const person = remedied(one.person, simpleDemandsOf(demand ? [demand] : [])[0]);
        const left = verdictOf({ ...one, person }).gaps.map((each) => each.demand_id);
        expect(left, gap.code).not.toContain(demand_id);
      }
    }),
  );
});

it('is eligible from unblocks_at on, and not before within the window', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { window } = one;
      if (verdictOf(one).eligible !== false) return;
      const at = unblocksAt(recordOf(one), askedBy(one));
      if (at === null) return;
      expect(at).toBeGreaterThan(window.from);
      const to = at < window.to ? window.to : at + window.to - window.from;
      expect(verdictOf({ ...one, window: { from: at, to } }).eligible).toBe(true);
      for (let from = window.from; from < Math.min(at, window.to); from += HOUR_MS)
        expect(verdictOf({ ...one, window: { from, to: window.to } }).eligible).toBe(false);
    }),
  );
});

it('keeps who is eligible until eligible_until, and no longer', () => {
  const ofTerms = demands.map((all) =>
    all.filter(({ kind }) => kind === 'certification' || kind === 'induction'),
  );
  fc.assert(
    fc.property(fc.record({ zone: zones, person: people, demands: ofTerms, window: windows }), (one) => {
      const { eligible, eligible_until } = verdictOf(one);
      if (!eligible || eligible_until === null) return;
      const until = (to: number) => verdictOf({ ...one, window: { from: one.window.from, to } }).eligible;
      expect(until(eligible_until)).toBe(true);
      expect(until(eligible_until + 1)).toBe(false);
    }),
  );
});

it('ends a certificate at midnight of its customer', () => {
  const person: StoredPerson = [
    'p',
    'Cal',
    'active',
    'employee',
    1,
    [],
    [{ type: 'crane', expires_at: '2026-03-28' }],
    [],
    null,
    null,
  ];
  const asked = [{ id: 'a/1', kind: 'certification' as const, value: 'CRANE', source: 'a' }];
  const clock = new ZoneClock('Europe/Berlin');
  const window = { from: clock.startOfDay('2026-03-28'), to: clock.endOfDay('2026-03-28') };
  const one = { zone: clock.timezone, person, demands: asked, window };
  expect(verdictOf(one)).toMatchObject({ eligible: true, eligible_until: window.to });
  expect(verdictOf({ ...one, window: { ...window, to: window.to + 1 } }).gaps).toMatchObject([
    { gap: { code: 'certification_expires_during', since: window.to } },
  ]);
  expect(verdictOf({ ...one, zone: 'Pacific/Niue', window: { ...window, to: window.to + 1 } }).eligible).toBe(
    true,
  );
  expect(verdictOf({ ...one, zone: 'Pacific/Kiritimati' }).eligible).toBe(false);
});

import type { SimpleDemand } from './demands.contract.ts';
import type { CountedDemand, Place, Question, Window } from './people-judge.port.ts';
import type { PersonRecord, Term, Work } from './person-record.ts';

/** A demand that is not met; moments in milliseconds, null where there is none. */
export interface Gap {
  code: GapCode;
  value: SimpleDemand['value'];
  /** Where this began or begins. */
  since: number | null;
  /** Where it ends by itself. */
  until: number | null;
  /** The record is there, but its time cannot be read. */
  isUnreadable?: true;
  /** The gap of each demand of an any_of. */
  alternatives?: Gap[];
}

export type GapCode =
  | 'status_not_active'
  | 'skill_missing'
  | 'tier_too_low'
  | 'role_not_allowed'
  | `${'certification' | 'induction'}_${'missing' | 'expired' | 'expires_during' | 'not_yet_valid'}`
  | 'not_on_shift'
  | 'on_shift_elsewhere'
  | 'not_assigned'
  | 'assigned_elsewhere'
  | 'none_of';

export interface Verdict {
  /** null where nothing is demanded, so nobody can be called eligible. */
  eligible: boolean | null;
  /** The status first, then in the order of the demands. */
  gaps: { gap: Gap; demand_id: string | null }[];
  /** When the first record of those that count ends; null without an end, and where not eligible. */
  eligible_until: number | null;
}

/** Met until that moment (Infinity without an end), or not. */
type Finding = { until: number } | { gap: Gap };

/** A function of its arguments alone: the same data give the same verdict. */
export function judge(person: PersonRecord, { place, demands, window }: Question): Verdict {
  const gaps: Verdict['gaps'] = [];
  const { status } = person;
  if (status !== 'active') gaps.push({ gap: gapOf('status_not_active', status), demand_id: null });
  let until = Infinity;
  for (const demand of demands) {
    const finding = find(person, demand, place, window);
    if ('gap' in finding) gaps.push({ gap: finding.gap, demand_id: demand.id });
    else until = Math.min(until, finding.until);
  }
  const eligible = gaps.length > 0 ? false : demands.length > 0 || null;
  return { eligible, gaps, eligible_until: eligible && until < Infinity ? until : null };
}

/**
 * The first moment from which the records, as they are, meet every demand: to the end of the window, or for as long as
 * the window is where that has passed. null where time alone does not help.
 */
export function unblocksAt(person: PersonRecord, question: Question): number | null {
  const { window, demands } = question;
  if (person.status !== 'active') return null;
  const starts = new Set(
    simpleDemandsOf(demands)
      .flatMap((demand) => person.termsOf(demand))
      .map(({ from }) => from)
      .filter((from) => from > window.from && from < Infinity),
  );
  for (const from of [...starts].toSorted((a, b) => a - b)) {
    const to = from < window.to ? window.to : from + (window.to - window.from);
    if (judge(person, { ...question, window: { from, to } }).eligible) return from;
  }
  return null;
}

/** Each demand that stands for itself. */
export const simpleDemandsOf = (demands: readonly CountedDemand[]): SimpleDemand[] =>
  demands.flatMap(({ kind, value, any_of }) => any_of ?? (kind === 'any_of' ? [] : [{ kind, value }]));

function find(person: PersonRecord, demand: CountedDemand, place: Place, window: Window): Finding {
  const { kind, value, any_of } = demand;
  if (kind !== 'any_of') return findOne(person, { kind, value }, place, window);
  const findings = (any_of ?? []).map((one) => findOne(person, one, place, window));
  const met = findings.flatMap((finding) => ('gap' in finding ? [] : [finding.until]));
  if (met.length > 0) return { until: Math.max(...met) };
  const alternatives = findings.flatMap((finding) => ('gap' in finding ? [finding.gap] : []));
  const ends = alternatives.flatMap(({ until }) => (until === null ? [] : [until]));
  const until = ends.length > 0 ? Math.min(...ends) : null;
  return { gap: { ...gapOf('none_of', null), until, alternatives } };
}

function findOne(person: PersonRecord, demand: SimpleDemand, place: Place, window: Window): Finding {
  const { kind, value } = demand;
  switch (kind) {
    case 'skill':
      return has(person.hasSkill(value), 'skill_missing', value);
    case 'role':
      return has(person.hasRole(value), 'role_not_allowed', value);
    case 'tier':
      return has(person.tier >= Number(value), 'tier_too_low', value);
    case 'certification':
    case 'induction':
      return findTerm(kind, value, person.termsOf(demand), window);
    case 'on_shift':
      return findWork(person.shifts, place, window, ['not_on_shift', 'on_shift_elsewhere']);
    default:
      return findWork(person.assignments, place, window, ['not_assigned', 'assigned_elsewhere']);
  }
}

const gapOf = (code: GapCode, value: SimpleDemand['value']): Gap => ({
  code,
  value,
  since: null,
  until: null,
});

const has = (isMet: boolean, code: GapCode, value: SimpleDemand['value']): Finding =>
  isMet ? { until: Infinity } : { gap: gapOf(code, value) };

/** One term has to cover the whole window; of those that do not, the one that comes closest is told. */
function findTerm(
  kind: 'certification' | 'induction',
  value: SimpleDemand['value'],
  terms: readonly Term[],
  window: Window,
): Finding {
  const readable = terms.filter(({ isReadable }) => isReadable);
  const begun = readable.filter(({ from }) => from <= window.from);
  const until = begun.reduce((latest, { to }) => Math.max(latest, to), -Infinity);
  if (until >= window.to) return { until };
  if (terms.length === 0) return { gap: gapOf(`${kind}_missing`, value) };
  const coming = Math.min(
    ...readable.filter(({ from, to }) => from > window.from && to > from).map(({ from }) => from),
  );
  const later = coming < Infinity ? coming : null;
  if (until > window.from) return { gap: { ...gapOf(`${kind}_expires_during`, value), since: until } };
  if (later !== null) return { gap: { ...gapOf(`${kind}_not_yet_valid`, value), until: later } };
  if (begun.length > 0) return { gap: { ...gapOf(`${kind}_expired`, value), since: until } };
  const unread = terms.find(({ isReadable }) => !isReadable);
  const code =
    unread && !unread.isEndReadable ? (`${kind}_expired` as const) : (`${kind}_not_yet_valid` as const);
  return { gap: { ...gapOf(code, value), isUnreadable: true } };
}

function findWork(
  work: readonly Work[],
  place: Place,
  window: Window,
  [none, elsewhere]: readonly [GapCode, GapCode],
): Finding {
  const overlapping = work.filter(({ from, to }) => from < window.to && to > window.from);
  const here = overlapping.filter((one) => one.isAt(place));
  if (here.length > 0) return { until: Math.max(...here.map(({ to }) => to)) };
  const [first] = overlapping;
  if (!first) return { gap: gapOf(none, null) };
  return { gap: { ...gapOf(elsewhere, null), since: finite(first.from), until: finite(first.to) } };
}

const finite = (moment: number) => (Number.isFinite(moment) ? moment : null);

import { readNamedEnd } from '../platform/contract/named-ends.ts';
import { isJsonObject } from '../platform/json/json-object.ts';
import type { SimpleDemand } from './demands.contract.ts';
import type { Place } from './people-judge.port.ts';
import type { ZoneClock } from './zone-clock.ts';

/** A certificate or an induction in its time; without bounds, minus Infinity and Infinity. */
export interface Term {
  from: number;
  to: number;
  isReadable: boolean;
  isEndReadable: boolean;
}

/** A shift or an assignment. */
export interface Work {
  from: number;
  to: number;
  isAt: (place: Place) => boolean;
}

/** As eligibility.db.ts reads it; works are [site, job_id, starts_at, ends_at] with times in milliseconds. */
export type StoredPerson = readonly [
  id: string,
  name: string,
  status: string,
  role: string,
  tier: number,
  skills: readonly string[],
  certifications: readonly unknown[],
  inductions: readonly unknown[],
  shifts: readonly StoredWork[] | null,
  assignments: readonly StoredWork[] | null,
];
type StoredWork = readonly [
  site: string | null,
  job_id: string | null,
  from: number | null,
  to: number | null,
];

const lower = (value: unknown) => String(value).toLowerCase();

/** Everything in a staff record that can be demanded, read when it is first asked for. */
export class PersonRecord {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly tier: number;
  readonly shifts: readonly Work[];
  readonly assignments: readonly Work[];
  readonly #role: string;
  readonly #skills: readonly string[];
  readonly #qualifications: { certification: readonly unknown[]; induction: readonly unknown[] };
  readonly #clock: ZoneClock;
  readonly #terms = new Map<string, Term[]>();

  constructor(stored: StoredPerson, clock: ZoneClock) {
    const [id, name, status, role, tier, skills, certification, induction, shifts, assignments] = stored;
    this.id = id;
    this.name = name;
    this.status = status;
    this.tier = tier;
    this.shifts = (shifts ?? []).map(workOf);
    this.assignments = (assignments ?? []).map(workOf);
    this.#role = role;
    this.#skills = skills;
    this.#qualifications = { certification, induction };
    this.#clock = clock;
  }

  hasSkill(value: SimpleDemand['value']): boolean {
    return this.#skills.some((skill) => lower(skill) === lower(value));
  }

  hasRole(value: SimpleDemand['value']): boolean {
    return lower(this.#role) === lower(value);
  }

  /** Those of the demanded type or site; none for another kind of demand. */
  termsOf({ kind, value }: SimpleDemand): readonly Term[] {
    if (kind !== 'certification' && kind !== 'induction') return [];
    const wanted = lower(value);
    const key = `${kind}:${wanted}`;
    const known = this.#terms.get(key);
    if (known) return known;
    const label = kind === 'certification' ? 'type' : 'site';
    const begin = kind === 'certification' ? 'issued_at' : 'completed_at';
    const terms = this.#qualifications[kind]
      .map((element) => qualificationOf(element, label))
      .filter(({ name }) => name.toLowerCase() === wanted)
      .map(({ fields }) => this.#termOf(fields[begin], fields.expires_at));
    this.#terms.set(key, terms);
    return terms;
  }

  /** An unreadable time never counts. */
  #termOf(begin: unknown, end: unknown): Term {
    const from = isAbsent(begin) ? -Infinity : this.#clock.startOf(begin);
    const to = isAbsent(end) ? Infinity : this.#clock.endOf(end);
    const isEndReadable = to !== undefined;
    const isReadable = from !== undefined && isEndReadable;
    return { from: from ?? Infinity, to: to ?? -Infinity, isReadable, isEndReadable };
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** A text may hold its end, as an import reads it. */
function qualificationOf(element: unknown, label: string): { name: string; fields: Record<string, unknown> } {
  if (isJsonObject(element)) {
    const name = element[label] ?? element.name;
    return { name: typeof name === 'string' ? name : '', fields: element };
  }
  const { name, end } = readNamedEnd(String(element)) ?? { name: String(element), end: null };
  return { name, fields: { expires_at: end } };
}

function workOf([site, job_id, from, to]: StoredWork): Work {
  return {
    from: from ?? -Infinity,
    to: to ?? Infinity,
    isAt: (place) => isOne(site, place.site) && isOne(job_id, place.job_id),
  };
}

const isOne = (own: string | null, asked: string | null) =>
  asked === null || (own !== null && own.toLowerCase() === asked.toLowerCase());

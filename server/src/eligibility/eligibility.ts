import type { Queryable, TenantDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { found, tryAgain } from '../platform/errors.ts';
import type { JsonText } from '../platform/json/json-text.ts';
import type { WorkEligibility } from '../workforce/work-check.contract.ts';
import type { WorkToCheck } from '../workforce/work-check.port.ts';
import { countDemands } from './counted-demands.ts';
import type { DemandRequest } from './demands.contract.ts';
import { readDemands } from './demands.ts';
import type { Eligibility, Show, Warning } from './eligibility.contract.ts';
import {
  findPeople,
  findRequirementsAt,
  findUnknowns,
  nextPeople,
  openPeople,
  type PeopleToJudge,
  type Unknowns,
} from './eligibility.db.ts';
import { judge, simpleDemandsOf } from './judge.ts';
import type { CountedDemand, PeopleJudge, Place, Window } from './people-judge.port.ts';
import { PersonRecord, type StoredPerson } from './person-record.ts';
import { toReason } from './reasons.ts';
import { windowOf, windowOfWork } from './window.ts';
import { ZoneClock } from './zone-clock.ts';

/** A request; absent and null are the same. */
export interface Asked {
  site?: string | null | undefined;
  job_id?: string | null | undefined;
  title?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  demands?: readonly DemandRequest[] | undefined;
  person_ids?: readonly string[] | undefined;
  show: Show;
  page: number;
  per_page: number;
}

interface Asking {
  customer_id: string;
  /** Raises 404, which stops later statements. */
  customer: Query<unknown>;
  /** Runtimes are told no status. */
  isRuntime: boolean;
  /** Where the request has its fields. */
  part: 'body' | 'query';
}

/** Seconds of work for a customer's whole staff would be of no use to anybody. */
const DEADLINE_MS = 20_000;

/** Computed from the records of one moment; nothing is stored. */
export async function explainEligibility(
  q: TenantDb,
  peopleJudge: PeopleJudge,
  { customer_id, customer, isRuntime, part }: Asking,
  request: Asked,
): Promise<JsonText<Eligibility>> {
  const requested = readDemands(request.demands ?? [], [part, 'demands']);
  const place = placeOf(request);
  const { at } = await q.run({ customer, at: findRequirementsAt(customer_id, place) });
  const { timezone, requirements } = found('Customer', at);
  const { now } = q;
  const window = windowOf(new ZoneClock(timezone), request, now, part);
  const demands = countDemands(requirements, requested);
  const { show, page, per_page, person_ids } = request;
  const warnings = await warningsOf(q, customer_id, { place, demands, window });
  const asked = {
    timezone,
    now: now.getTime(),
    isRuntime,
    place,
    demands,
    window,
    warnings,
    show,
    page,
    per_page,
  };
  const wanted = { customer_id, window, ...worksFor(demands) };
  return q.transaction((tx) => peopleJudge.judge(asked, chunksOf(tx, wanted, person_ids)));
}

const placeOf = ({
  site,
  job_id,
  title,
}: Partial<Record<keyof Place, string | null | undefined>>): Place => ({
  site: site ?? null,
  job_id: job_id ?? null,
  title: title ?? null,
});

const worksFor = (demands: readonly CountedDemand[]) => {
  const kinds = new Set(simpleDemandsOf(demands).map(({ kind }) => kind));
  return { withShifts: kinds.has('on_shift'), withAssignments: kinds.has('assigned') };
};

async function* chunksOf(
  tx: Queryable,
  wanted: PeopleToJudge,
  person_ids: readonly string[] | undefined,
): AsyncGenerator<string> {
  if (person_ids) {
    const people = await tx.run(findPeople(wanted, person_ids));
    if (people !== null) yield people;
    return;
  }
  const deadline = Date.now() + DEADLINE_MS;
  let { people } = await tx.run({ opened: openPeople(wanted), people: nextPeople() });
  while (people !== undefined) {
    if (Date.now() > deadline)
      throw tryAgain('The staff could not be judged in time; name people in person_ids');
    yield people;
    people = await tx.run(nextPeople());
  }
}

async function warningsOf(
  q: Queryable,
  customer_id: string,
  { place, demands, window }: { place: Place; demands: readonly CountedDemand[]; window: Window },
): Promise<Warning[]> {
  const typed = simpleDemandsOf(demands).filter(({ kind }) => TYPED.some((one) => one === kind));
  const unknowns = await q.run(
    findUnknowns(
      customer_id,
      place,
      typed.map(({ kind }) => kind),
      typed.map(({ value }) => String(value)),
    ),
  );
  const isPast = window.to <= q.now.getTime();
  return [
    ...NAMES_OF_UNKNOWNS.filter((name) => unknowns[name]),
    ...(demands.length === 0 ? (['no_demands'] as const) : []),
    ...(isPast ? (['past'] as const) : []),
  ];
}

/** Kinds whose values are names of the customer's own. */
const TYPED = ['skill', 'certification', 'induction'] as const;
const NAMES_OF_UNKNOWNS = [
  'site_unknown',
  'job_unknown',
  'type_unknown',
] as const satisfies (keyof Unknowns)[];

/** Judges work that the transaction has written, by the person's record, which it holds from here on. */
export async function checkWork(tx: Queryable, work: WorkToCheck): Promise<WorkEligibility> {
  const { customer_id, person_id } = work;
  const place = placeOf(work);
  const at = found('Customer', await tx.run(findRequirementsAt(customer_id, place)));
  const clock = new ZoneClock(at.timezone);
  const window = windowOfWork(clock, work, tx.now);
  const demands = countDemands(at.requirements, []);
  const wanted = { customer_id, window, withShifts: true, withAssignments: true };
  const text = await tx.run(findPeople(wanted, [person_id]));
  const [stored] = JSON.parse(found('Staff member', text)) as StoredPerson[];
  const person = new PersonRecord(found('Staff member', stored), clock);
  const { eligible, gaps } = judge(person, { place, demands, window });
  const reader = { clock, isRuntime: false };
  return { eligible, reasons: gaps.map(({ gap, demand_id }) => toReason(gap, demand_id, reader)) };
}

import { sql } from '../platform/db/sql.ts';
import type { Demand } from './demands.contract.ts';
import type { Place, Window } from './people-judge.port.ts';

/** People of one text: small enough for a thread to judge in some milliseconds. */
const PEOPLE_OF_CHUNK = 500;

export interface CountingRequirements {
  timezone: string;
  /** In the order of their keys. */
  requirements: { key: string; demands: Demand[] }[];
}

/** Those that count at the place; undefined for an unknown customer. */
export const findRequirementsAt = (customer_id: string, { site, job_id, title }: Place) =>
  sql<CountingRequirements>`
    select c.timezone, coalesce((
      select json_agg(json_build_object('key', r.key, 'demands', r.demands) order by r.key) from requirements r
      where r.customer_id = c.id
        and (r.site is null or lower_case(r.site) = lower_case(${site}))
        and (r.job_id is null or lower_case(r.job_id) = lower_case(${job_id}))
        and (r.title is null or lower_case(r.title) = lower_case(${title}))), '[]') as requirements
    from customers c where c.id = ${customer_id}`.first();

export interface Unknowns {
  site_unknown: boolean;
  job_unknown: boolean;
  type_unknown: boolean;
}

/** Names in the question that no record of the customer has, so they may be slips of the pen. @param kinds of `values` */
export const findUnknowns = (
  customer_id: string,
  { site, job_id }: Place,
  kinds: readonly string[],
  values: readonly string[],
) =>
  sql<Unknowns>`
    select
      a.site is not null
        and not exists (select from staff_terms t where t.customer_id = a.customer_id and t.term = staff_term('induction', a.site))
        and not exists (select from requirements r where r.customer_id = a.customer_id and lower_case(r.site) = lower_case(a.site))
        and not exists (select from shifts s where s.customer_id = a.customer_id and lower_case(s.site) = lower_case(a.site))
        and not exists (select from assignments w where w.customer_id = a.customer_id and lower_case(w.site) = lower_case(a.site))
        as site_unknown,
      a.job_id is not null
        and not exists (select from requirements r where r.customer_id = a.customer_id and lower_case(r.job_id) = lower_case(a.job_id))
        and not exists (select from shifts s where s.customer_id = a.customer_id and lower_case(s.job_id) = lower_case(a.job_id))
        and not exists (select from assignments w where w.customer_id = a.customer_id and lower_case(w.job_id) = lower_case(a.job_id))
        as job_unknown,
      exists (
        select from unnest(${kinds}::text[], ${values}::text[]) as d (kind, value)
        where not exists (select from staff_terms t where t.customer_id = a.customer_id and t.term = staff_term(d.kind, d.value)))
        as type_unknown
    from (select ${customer_id}::uuid as customer_id, ${site}::text as site, ${job_id}::text as job_id) a`.one();

export interface PeopleToJudge {
  customer_id: string;
  window: Window;
  /** True where a demand asks for them. */
  withShifts: boolean;
  withAssignments: boolean;
}

const time = (moment: number) => new Date(moment);

/** Named people as one text of JSON; null where there is none. */
export const findPeople = (
  { customer_id, window, withShifts, withAssignments }: PeopleToJudge,
  person_ids: readonly string[],
) =>
  sql<{ people: string | null }>`
    select json_agg(person order by place)::text as people
    from staff_to_judge(${customer_id}, ${time(window.from)}, ${time(window.to)}, ${withShifts}, ${withAssignments},
                        ${person_ids}::uuid[])`
    .one()
    .map(({ people }) => people);

/** Opens a cursor over texts of JSON: all of one moment, however long they take to be read. */
export const openPeople = ({ customer_id, window, withShifts, withAssignments }: PeopleToJudge) =>
  sql`
    declare people no scroll cursor for
    select (place - 1) / ${PEOPLE_OF_CHUNK}::integer as chunk, json_agg(person order by place)::text as people
    from staff_to_judge(${customer_id}, ${time(window.from)}, ${time(window.to)}, ${withShifts}, ${withAssignments}, null)
    group by 1 order by 1`;

/** undefined at the end. */
export const nextPeople = () =>
  sql<{ people: string }>`fetch next from people`.first().map((row) => row?.people);

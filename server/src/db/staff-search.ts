import type { StaffStatus } from '../contract/staff.ts';
import type { Queryable } from './database.ts';
import { fragment, sql } from './sql.ts';
import { type StaffRow, staffColumns } from './staff.ts';

/** What a person can be found by; `person`, with the value '', is everybody. */
export interface StaffTerm {
  kind: 'person' | 'skill' | 'certification' | 'induction';
  value: string;
}

export interface StaffSearch {
  customer_id: string;
  status: StaffStatus | null;
  tier: number | null;
  now: Date;
}

type FoundStaff = StaffRow & { total: number };

const inOrder = fragment('order by name, person_id');

/**
 * Those who bear one term. Its index gives them in order, so a page reads what it shows; the total is kept, unless what
 * is searched can expire.
 */
export const listStaffByTerm = (
  q: Queryable,
  search: StaffSearch,
  { kind, value }: StaffTerm,
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<FoundStaff>`
      with matching as not materialized (
        select t.name, t.person_id from staff_terms t
        where t.customer_id = ${search.customer_id} and t.kind <> 'expiry'
          and t.kind = ${kind} and t.value = lower(${value}) and t.valid_until > ${search.now}
          and (${search.status}::text is null or t.status = ${search.status})
          and (${search.tier}::integer is null or t.tier = ${search.tier})
      )
      select ${staffColumns},
        case when ${kind} in ('person', 'skill') then (
          select coalesce(sum(c.persons), 0)::bigint from staff_counts c
          where c.customer_id = ${search.customer_id} and c.kind = ${kind} and c.value = lower(${value})
            and (${search.status}::text is null or c.status = ${search.status})
            and (${search.tier}::integer is null or c.tier = ${search.tier})
        ) else (select count(*) from matching) end as total
      from (select * from matching ${inOrder} limit ${limit} offset ${offset}) m
      join staff s on s.id = m.person_id
      order by m.name, m.person_id`,
  );

/**
 * Those who bear every term: the first two by a join, the others by a look at what is left. Planned for its values each
 * time (in the same round trip), because the right way to join depends on how many bear each.
 */
export async function listStaffByTerms(
  q: Queryable,
  search: StaffSearch,
  [first, second, ...others]: readonly [StaffTerm, StaffTerm, ...StaffTerm[]],
  limit: number,
  offset: number,
): Promise<FoundStaff[]> {
  const planned = q.rows(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
  const found = q.rows(
    sql<FoundStaff>`
      with matching as not materialized (
        select t.name, t.person_id from staff_terms t
        join staff_terms u on u.tenant_id = t.tenant_id and u.customer_id = t.customer_id
          and u.name = t.name and u.person_id = t.person_id
        where t.customer_id = ${search.customer_id} and t.kind <> 'expiry'
          and t.kind = ${first.kind} and t.value = lower(${first.value}) and t.valid_until > ${search.now}
          and u.customer_id = ${search.customer_id} and u.kind <> 'expiry'
          and u.kind = ${second.kind} and u.value = lower(${second.value}) and u.valid_until > ${search.now}
          and (${search.status}::text is null or t.status = ${search.status})
          and (${search.tier}::integer is null or t.tier = ${search.tier})
          and (${others.length} = 0 or not exists (
            select from unnest(${others.map(({ kind }) => kind)}::text[],
                               ${others.map(({ value }) => value)}::text[]) as o (kind, value)
            where not exists (
              select from staff_terms x
              where x.customer_id = t.customer_id and x.kind <> 'expiry' and x.kind = o.kind
                and x.value = lower(o.value) and x.name = t.name and x.person_id = t.person_id
                and x.valid_until > ${search.now})))
      )
      select ${staffColumns}, (select count(*) from matching) as total
      from (select * from matching ${inOrder} limit ${limit} offset ${offset}) m
      join staff s on s.id = m.person_id
      order by m.name, m.person_id`,
  );
  return (await Promise.all([found, planned]))[0];
}

/** How many of a customer's staff bear each of the terms, expired or not; a term that nobody bears is left out. */
export const countTerms = (q: Queryable, customer_id: string, terms: readonly StaffTerm[]) =>
  q.rows(
    sql<{ position: number; persons: number }>`
      select o.position, sum(c.persons)::bigint as persons
      from unnest(${terms.map(({ kind }) => kind)}::text[], ${terms.map(({ value }) => value)}::text[])
        with ordinality as o (kind, value, position)
      join staff_counts c on c.customer_id = ${customer_id} and c.kind = o.kind and c.value = lower(o.value)
      group by o.position order by 2, 1`,
  );

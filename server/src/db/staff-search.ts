import type { StaffStatus } from '../contract/staff.ts';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';
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

const kindsOf = (terms: readonly StaffTerm[]) => terms.map(({ kind }) => kind);
const valuesOf = (terms: readonly StaffTerm[]) => terms.map(({ value }) => value);

/**
 * Those who bear a term and all others. The term's index gives them in order, so a page reads what it shows. For the
 * others each entry is first held against the signature, and looked up only when that says perhaps. The total of one
 * term is kept, unless it can expire; else it is counted in the index.
 */
export const listStaffByTerms = (
  q: Queryable,
  search: StaffSearch,
  { kind, value }: StaffTerm,
  others: readonly StaffTerm[],
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<StaffRow & { total: number }>`
      with others as materialized (
        select o.kind, lower(o.value) as value
        from unnest(${kindsOf(others)}::text[], ${valuesOf(others)}::text[]) as o (kind, value)
      ),
      mask as materialized (select coalesce(bit_or(term_bits(kind, value)), 0) as bits from others),
      matching as not materialized (
        select t.name, t.person_id from staff_terms t
        where t.customer_id = ${search.customer_id} and t.kind <> 'expiry'
          and t.kind = ${kind} and t.value = lower(${value}) and t.valid_until > ${search.now}
          and (${search.status}::text is null or t.status = ${search.status})
          and (${search.tier}::integer is null or t.tier = ${search.tier})
          and t.signature & (select bits from mask) = (select bits from mask)
          and (${others.length} = 0 or not exists (
            select from others o where not exists (
              select from staff_terms x
              where x.customer_id = t.customer_id and x.kind <> 'expiry' and x.kind = o.kind and x.value = o.value
                and x.name = t.name and x.person_id = t.person_id and x.valid_until > ${search.now})))
      )
      select ${staffColumns},
        case when ${others.length} = 0 and ${kind} in ('person', 'skill') then (
          select coalesce(sum(c.persons), 0)::bigint from staff_counts c
          where c.customer_id = ${search.customer_id} and c.kind = ${kind} and c.value = lower(${value})
            and (${search.status}::text is null or c.status = ${search.status})
            and (${search.tier}::integer is null or c.tier = ${search.tier})
        ) else (select count(*) from matching) end as total
      from (select * from matching order by name, person_id limit ${limit} offset ${offset}) m
      join staff s on s.id = m.person_id
      order by m.name, m.person_id`,
  );

/** How many of a customer's staff bear each of the terms, expired or not; a term that nobody bears is left out. */
export const countTerms = (q: Queryable, customer_id: string, terms: readonly StaffTerm[]) =>
  q.rows(
    sql<{ position: number; persons: number }>`
      select o.position, c.persons
      from unnest(${kindsOf(terms)}::text[], ${valuesOf(terms)}::text[])
        with ordinality as o (kind, value, position)
      cross join lateral (
        select sum(persons)::bigint as persons from staff_counts
        where customer_id = ${customer_id} and kind = o.kind and value = lower(o.value)
      ) c
      where c.persons > 0 order by 2, 1`,
  );

import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Few persons to a chunk, so that a test's few staff are cut into many. */
export const shrinkStaffChunks = (database: TestDatabase) =>
  database.query(
    `create or replace function staff_chunk_size() returns integer language sql immutable return 8`,
  );

/** Where what staff are filed by differs from what it would be if it were made anew. */
export async function staffFaults(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ fault: string }>(`
    with records as (
      select s.*, c.timezone, d.settled_at
      from staff s join customers c on c.id = s.customer_id left join staff_directories d on d.customer_id = s.customer_id
    ),
    bearing as (
      select s.id, t.term, max(t.ends_at) as ends_at from records s
      cross join lateral staff_terms(s.status, s.tier, s.skills, s.certifications, s.inductions, s.timezone) t
      group by s.id, t.term
    ),
    filed as (
      select p.person_id, t.term, t.ends_at from staff_places p
      cross join lateral unnest(p.terms, p.ends_at) as t (term, ends_at)
    ),
    bits as (
      select p.person_id, b.term from staff_bitmaps b cross join lateral slots_of(b.bits) as s (slot)
      left join staff_places p on p.customer_id = b.customer_id and p.chunk = b.chunk and p.slot = s.slot
    ),
    ends as (
      select s.id, q.kind, q.term, q.ends_at,
             q.term is not null and q.ends_at = max(q.ends_at) over (partition by s.id, q.term) as is_last
      from records s cross join lateral staff_qualifications(s.certifications, s.inductions, s.timezone) q
    ),
    chunks as (
      select c.*, row_number() over by_name as place, lead(from_name) over by_name as next_name,
             lead(from_id) over by_name as next_id
      from staff_chunks c window by_name as (partition by customer_id order by from_name, from_id)
    )
    select 'a note: ' || person_id as fault from staff_notes
    union all
    select 'no place: ' || s.name from staff s left join staff_places p on p.person_id = s.id and p.name = s.name
    where p.chunk is null
    union all
    select 'a place of nobody: ' || p.name from staff_places p left join staff s on s.id = p.person_id where s.id is null
    union all
    select 'the wrong chunk: ' || p.name from staff_places p left join chunks c using (customer_id, chunk)
    where c.chunk is null or (p.name, p.person_id) < (c.from_name, c.from_id)
       or (p.name, p.person_id) >= (c.next_name, c.next_id)
    union all
    select 'a slot not given out: ' || p.name from staff_places p join chunks c using (customer_id, chunk)
    where p.slot >= c.used
    union all
    select 'too many slots: ' || chunk from chunks where used > staff_chunk_size()
    union all
    select 'out of order: ' || c.chunk from chunks c join staff_directories d using (customer_id)
    where d.chunk_order[c.chunk + 1] is distinct from c.place
    union all
    select 'filed wrongly: ' || term from (table filed except table bearing) t
    union all
    select 'not filed: ' || term from (table bearing except table filed) t
    union all
    select 'a bit too many: ' || term from (
      table bits except select b.id, b.term from bearing b join records s using (id) where b.ends_at > s.settled_at) t
    union all
    select 'a bit too few: ' || term from (
      select b.id, b.term from bearing b join records s using (id) where b.ends_at > s.settled_at except table bits) t
    union all
    select 'an expiry too many: ' || coalesce(term, '') from (
      select person_id, kind, term, ends_at, is_last from staff_expiries except all
      select distinct * from ends where ends_at < 'infinity') t
    union all
    select 'an expiry too few: ' || coalesce(term, '') from (
      select * from ends where ends_at < 'infinity' except
      select person_id, kind, term, ends_at, is_last from staff_expiries) t`);
  return rows.map(({ fault }) => fault);
}

/** A writer that has the locks of all customers' staff. */
export interface Holder {
  /** Safe to call again. */
  release(): Promise<void>;
}

/** As another transaction that writes staff would, until it is released. */
export async function holdStaff(database: TestDatabase): Promise<Holder> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await client.query('select from staff_directories for no key update');
  let ended: Promise<void> | undefined;
  const end = async () => {
    await client.query('rollback');
    await client.end();
  };
  return { release: () => (ended ??= end()) };
}

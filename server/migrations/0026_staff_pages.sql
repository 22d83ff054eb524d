-- A page of staff by filters, for less: what is done once for each chunk is done for those of the page alone, and while
-- something has ended that the bits still show, as in the hour after a midnight, chunks are no longer compared with
-- each other.

-- The slots whose bit is set. (Cutting the text at its ones is some ten times as fast as asking for each bit, and the
-- length of digits in bytes is known, where that in characters is counted.)
create or replace function slots_of(bits bit(4096)) returns setof integer
  language sql immutable parallel safe
  as $$
select (sum(octet_length(gap) + 1) over (order by n rows unbounded preceding))::integer - 1
from string_to_table(bits::text, '1') with ordinality as g (gap, n) where n <= bit_count(bits)
$$;

-- One page of those who bear all terms, in the order of names, each with the total. `offset 0` keeps a subquery from
-- being planned with its surroundings: statistics do not know how few an AND leaves. The settings are those of the
-- other functions on staff (0022).
create or replace function search_staff(
  customer uuid, kinds text[], labels text[], moment timestamptz, page_size integer, skipped integer)
  returns table (person_id uuid, total bigint)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set join_collapse_limit = 1
  set enable_seqscan = off
  set jit = off
  as $$
begin
  return query
  with wanted as materialized (
    select distinct staff_term(kind, label) as term from unnest(kinds, labels) as t (kind, label)
  ),
  noted as materialized (select distinct n.person_id from staff_notes n where n.customer_id = customer),
  -- What is filed of them may be wrong, so their records are asked.
  hidden as materialized (
    select p.chunk, ~bit_or(slot_bit(p.slot)) as others
    from noted n
    cross join lateral (select p.chunk, p.slot from staff_places p where p.person_id = n.person_id offset 0) p
    group by p.chunk
  ),
  asked as materialized (
    select f.chunk, s.name, s.id
    from noted n
    cross join lateral (select * from staff s where s.id = n.person_id offset 0) s
    cross join lateral (select c.timezone from customers c where c.id = customer offset 0) c
    cross join lateral find_staff_chunk(s.tenant_id, customer, s.name, s.id) f
    where not exists (
      select term from wanted
      except
      select t.term from staff_terms(s.status, s.tier, s.skills, s.certifications, s.inductions, c.timezone) t
      where t.ends_at > moment)
  ),
  -- By a clock that is behind, these have not ended yet: either way the bit is the other one.
  ended as materialized (
    select e.term, p.chunk, bit_or(slot_bit(p.slot)) as bits
    from staff_directories d cross join wanted w
    cross join lateral (
      select e.term, e.person_id from staff_expiries e
      where e.customer_id = customer and e.term = w.term and e.is_last
        and e.ends_at > least(d.settled_at, moment) and e.ends_at <= greatest(d.settled_at, moment)
      offset 0
    ) e
    cross join lateral (select p.chunk, p.slot from staff_places p where p.person_id = e.person_id offset 0) p
    where d.customer_id = customer
    group by e.term, p.chunk
  ),
  filed as not materialized (
    select w.term, b.chunk, b.bits
    from wanted w
    cross join lateral (
      select b.chunk, b.bits from staff_bitmaps b where b.customer_id = customer and b.term = w.term offset 0
    ) b
  ),
  -- Who is found by bits, and how many with those who were asked. Only while something has ended that the bits still
  -- show are they put right, which costs as much as the AND.
  found as materialized (
    select b.chunk, b.bits, coalesce(bit_count(b.bits), 0)::integer + b.asked as here
    from (
      select b.chunk, case when count(b.terms) = (select count(*) from wanted) then bit_and(b.bits) end as bits,
             count(b.asked)::integer as asked
      from (
        select chunk, bits, 1 as terms, null::integer as asked from filed where not exists (select from ended)
        union all
        select b.chunk, bit_xor(b.bits), 1, null
        from (table filed union all table ended) b
        where exists (select from ended)
        group by b.term, b.chunk
        union all
        select chunk, others, null, null from hidden
        union all
        select chunk, null, null, 1 from asked
      ) b
      group by b.chunk
    ) b
    where b.bits is not null or b.asked > 0
  ),
  -- Unpacked once; where it is long, it is kept compressed.
  chunk_order as materialized (
    select array(select unnest(d.chunk_order)) as places from staff_directories d where d.customer_id = customer
  ),
  counted as materialized (
    select chunk, here, sum(here) over (order by (select places from chunk_order)[chunk + 1]) as upto
    from found where here > 0
  ),
  page as materialized (
    select array_agg(chunk) as chunks, min(upto - here) as before
    from counted where upto > skipped and upto - here < skipped + page_size
  ),
  shown as materialized (select * from found where chunk = any ((select chunks from page)::integer[]))
  select p.id, (select max(upto) from counted)
  from (
    select p.name, p.person_id as id
    from shown f cross join lateral slots_of(f.bits) as b (slot) cross join lateral (
      select p.name, p.person_id from staff_places p
      where p.customer_id = customer and p.chunk = f.chunk and p.slot = b.slot offset 0
    ) p
    where f.here <= 256
    union all
    select p.name, p.person_id
    from shown f cross join lateral (
      select p.name, p.person_id from staff_places p
      where p.customer_id = customer and p.chunk = f.chunk and get_bit(f.bits, p.slot) = 1 offset 0
    ) p
    where f.here > 256
    union all
    select a.name, a.id from asked a where a.chunk = any ((select chunks from page)::integer[])
    order by name, id
    limit page_size offset skipped - (select before from page)
  ) p
  order by p.name, p.id;
end $$;

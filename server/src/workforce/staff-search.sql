-- Intersects one bitmap of staff per term (staff_sets). `unlapsed` excludes people whose certifications of the type have
-- all expired. Runs with the settings of its callers. Bit n of the set of block b is staff number 4096 * b + n; `rarest` is the term that fewest have.
create or replace function matching_staff(
  customer uuid, kinds text[], labels text[], moment timestamptz,
  out blocks integer[], out sets bit varying[], out amount bigint, out rarest text)
  language plpgsql stable
  as $$
declare
  wanted text[] := array(
    select '' union
    select staff_term(kind, label) from unnest(kinds, labels) w (kind, label) where kind <> 'unlapsed');
  watched text[] := array(
    select distinct staff_term('certification', label) from unnest(kinds, labels) w (kind, label) where kind = 'unlapsed');
  utc timestamp := moment at time zone 'UTC';
  here timestamp := (select moment at time zone c.timezone from customers c where c.id = customer);
  -- Bitmaps are per month: a term that ends later this month needs the exact comparison with ends_at.
  this_month date := date_trunc('month', greatest(utc, here));
begin
  with valid (term, block, bits) as (
    select s.term, s.block, s.bits from staff_sets s
    where s.customer_id = customer and s.term = any (wanted || watched) and s.ends_in > this_month
    union all
    select t.term, t.number / 4096, set_bit(B'0'::bit(4096), t.number % 4096, 1) from staff_terms t
    where t.customer_id = customer and t.term = any (wanted || watched)
      and t.ends_at < this_month + interval '1 month'
      and t.ends_at > least(utc, here) and t.ends_at > case when t.is_local then here else utc end
      and t.ends_at < 'infinity'
  ),
  of_terms as (select v.term, v.block, bit_or(v.bits) as bits from valid v group by v.term, v.block),
  lapsed as (
    select h.block, bit_or(h.bits & ~coalesce(v.bits, B'0'::bit(4096))) as bits
    from (
      select s.term, s.block, bit_or(s.bits) as bits from staff_sets s
      where s.customer_id = customer and s.term = any (watched) group by s.term, s.block
    ) h
    left join of_terms v on v.term = h.term and v.block = h.block
    group by h.block
  ),
  matches as (
    select m.block, m.bits & ~coalesce(l.bits, B'0'::bit(4096)) as bits
    from (
      select t.block, bit_and(t.bits) as bits from of_terms t where t.term = any (wanted)
      group by t.block having count(*) = cardinality(wanted)
    ) m
    left join lapsed l on l.block = m.block
  )
  select array_agg(m.block), array_agg(m.bits), sum(bit_count(m.bits)),
         (select t.term from of_terms t where t.term = any (wanted)
          group by t.term order by sum(bit_count(t.bits)) limit 1)
  into blocks, sets, amount, rarest from matches m;
end $$;

-- Pages by name through the rarest term, which reads no more staff than the page has.
create or replace function search_staff(
  customer uuid, kinds text[], labels text[], moment timestamptz, page_size integer, skipped integer)
  returns table (person_id uuid, total bigint)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  blocks integer[];
  sets bit varying[];
  amount bigint;
  rarest text;
begin
  select m.* into blocks, sets, amount, rarest from matching_staff(customer, kinds, labels, moment) m;
  if amount is null or amount <= skipped then return; end if;
  return query
  select p.id, amount
  from (
    select distinct t.name, t.person_id as id from staff_terms t
    where t.customer_id = customer and t.term = rarest
      and get_bit(sets[array_position(blocks, t.number / 4096)], t.number % 4096) = 1
    order by t.name, t.person_id limit page_size offset skipped) p;
end $$;

-- As search_staff, of those whose name, e-mail address or external id contains a text, in another order. Reads all staff
-- of the customer.
create or replace function find_staff(
  customer uuid, kinds text[], labels text[], moment timestamptz, part text, sorted_by text, is_descending boolean,
  page_size integer, skipped integer)
  returns table (person_id uuid, total bigint, place bigint)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  blocks integer[];
  sets bit varying[];
begin
  select m.blocks, m.sets into blocks, sets from matching_staff(customer, kinds, labels, moment) m;
  return query
  select p.id, p.total, row_number() over ()
  from (
    select s.id, count(*) over () as total
    from staff s
    where s.customer_id = customer
      and get_bit(sets[array_position(blocks, s.number / 4096)], s.number % 4096) = 1
      and contains_text(part, s.name, s.email, s.external_id)
    order by case when sorted_by = 'name' and not is_descending then s.name end,
             case when sorted_by = 'name' and is_descending then s.name end desc,
             case when sorted_by = 'tier' and not is_descending then s.tier end,
             case when sorted_by = 'tier' and is_descending then s.tier end desc,
             case when sorted_by = 'created_at' and not is_descending then s.created_at end,
             case when sorted_by = 'created_at' and is_descending then s.created_at end desc,
             s.name, s.id
    limit page_size offset skipped) p;
end $$;

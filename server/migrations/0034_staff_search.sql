-- Staff search, in place of the index of 0022 and 0026. A staff record has terms, such as "skill:forklift". staff_terms
-- has a row for each, in the order of names: a page is a walk along the rarest wanted term. staff_sets has the same as
-- bits: the AND of the wanted terms' sets tells the exact total, and which rows of the walk match.
drop function search_staff, settle_staff, file_staff_anew, file_all_staff, index_new_staff, index_changed_staff,
  index_gone_staff, file_or_note_staff, file_staff, cut_staff_chunks, renew_staff_expiries, count_staff_notes,
  lock_staff_directory, open_staff_directory, find_staff_chunk, staff_terms, staff_qualifications, slots_of, slot_bit,
  staff_chunk_size, ends_at cascade;
drop table staff_directories, staff_chunks, staff_places, staff_bitmaps, staff_notes, staff_expiries;

alter table staff add column number integer generated always as identity;

create table staff_terms (
  tenant_id uuid not null,
  customer_id uuid not null,
  -- The empty term is that of all staff.
  term text collate "C" not null,
  name text collate "C" not null,
  person_id uuid not null,
  number integer not null,
  -- By the clock of the customer's time zone (is_local), else in UTC; infinity where the term has no end.
  ends_at timestamp not null,
  is_local boolean not null,
  primary key (tenant_id, customer_id, term, name, person_id, ends_at, is_local) include (number)
);
create index staff_terms_number on staff_terms (number);
create index staff_terms_end on staff_terms (tenant_id, customer_id, term, ends_at) include (is_local, number, person_id)
  where ends_at < 'infinity';

create table staff_sets (
  tenant_id uuid not null,
  customer_id uuid not null,
  term text collate "C" not null,
  -- The month of ends_at.
  ends_in date not null,
  -- Bit n of block b is staff number 4096 * b + n.
  block integer not null,
  bits bit(4096) not null,
  primary key (tenant_id, customer_id, term, ends_in, block)
) with (fillfactor = 75);

-- A qualification is a string, or an object with a type (certification) or a site (induction), else a name. A day ends
-- when it is over. Terms ignore case (staff_term, 0022).
create function staff_terms_of(status text, tier integer, skills jsonb, certifications jsonb, inductions jsonb)
  returns table (term text, ends_at timestamp, is_local boolean)
  language sql stable parallel safe
  as $$
select term, timestamp 'infinity', false from unnest(array['', 'status:' || status, 'tier:' || tier]) as term
union
select staff_term('skill', skill), 'infinity', false from jsonb_array_elements_text(skills) skill
union
select staff_term(kind, case jsonb_typeof(element) when 'object' then coalesce(element ->> label, element ->> 'name', '')
                                                   else element #>> '{}' end),
       case when expiry is null then 'infinity'
            when length(expiry) = 10 then expiry::date + interval '1 day'
            when is_local then expiry::timestamp
            else expiry::timestamptz at time zone 'UTC' end,
       is_local
from (values ('certification', 'type', certifications), ('induction', 'site', inductions)) as q (kind, label, elements)
cross join lateral jsonb_array_elements(elements) element
cross join lateral (select element ->> 'expires_at') e (expiry)
cross join lateral (select expiry is not null and expiry !~* '(z|[+-]\d\d:\d\d)$') l (is_local)
$$;

-- Removes the terms of past versions, adds those of present ones, and flips the bits of either. The empty term comes
-- first, so a transaction that writes to a block has the block to itself until it ends: no deadlock.
create function file_staff_terms() returns trigger
  language plpgsql
  as $$
begin
  with removed as (
    delete from staff_terms where tg_argv[0] = 'past' and number in (select number from versions) returning *
  ),
  added as (
    insert into staff_terms
    select v.tenant_id, v.customer_id, t.term, v.name, v.id, v.number, t.ends_at, t.is_local
    from versions v cross join lateral staff_terms_of(v.status, v.tier, v.skills, v.certifications, v.inductions) t
    where tg_argv[0] = 'present' returning *
  )
  insert into staff_sets as s
  select tenant_id, customer_id, term, date_trunc('month', ends_at), number / 4096,
         bit_or(set_bit(B'0'::bit(4096), number % 4096, 1))
  from (table removed union all table added) changes
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (tenant_id, customer_id, term, ends_in, block) do update set bits = s.bits # excluded.bits;
  return null;
end $$;
create trigger staff_terms_insert after insert on staff
  referencing new table as versions for each statement execute function file_staff_terms('present');
create trigger staff_terms_update_present after update on staff
  referencing new table as versions for each statement execute function file_staff_terms('present');
-- Adds the terms of the staff of before, which have no past yet. Forced row-level security would hide them.
alter table staff no force row level security;
update staff set name = name;
alter table staff force row level security;
-- By its name it runs before staff_terms_update_present.
create trigger staff_terms_update_past after update on staff
  referencing old table as versions for each statement execute function file_staff_terms('past');
create trigger staff_terms_delete after delete on staff
  referencing old table as versions for each statement execute function file_staff_terms('past');
call enable_tenant_rls('staff_terms');
call enable_tenant_rls('staff_sets');

-- One page of the staff that have all terms, in the order of names, each with the total.
create function search_staff(
  customer uuid, kinds text[], labels text[], moment timestamptz, page_size integer, skipped integer)
  returns table (person_id uuid, total bigint)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  wanted text[] := array(select '' union select staff_term(kind, label) from unnest(kinds, labels) w (kind, label));
  utc timestamp := moment at time zone 'UTC';
  here timestamp := (select moment at time zone c.timezone from customers c where c.id = customer);
  -- A term that ends in a later month is valid by both clocks; of this month, ends_at tells.
  this_month date := date_trunc('month', greatest(utc, here));
  rarest text;
  blocks integer[];
  sets bit(4096)[];
  found bigint;
begin
  with valid (term, block, bits) as (
    select s.term, s.block, s.bits from staff_sets s
    where s.customer_id = customer and s.term = any (wanted) and s.ends_in > this_month
    union all
    select t.term, t.number / 4096, set_bit(B'0'::bit(4096), t.number % 4096, 1) from staff_terms t
    where t.customer_id = customer and t.term = any (wanted) and t.ends_at < this_month + interval '1 month'
      and t.ends_at > least(utc, here) and t.ends_at > case when t.is_local then here else utc end
      and t.ends_at < 'infinity'
  ),
  of_terms as (select v.term, v.block, bit_or(v.bits) as bits from valid v group by v.term, v.block),
  matches as (
    select t.block, bit_and(t.bits) as bits from of_terms t group by t.block having count(*) = cardinality(wanted)
  )
  select array_agg(m.block), array_agg(m.bits), sum(bit_count(m.bits)),
         (select t.term from of_terms t group by t.term order by sum(bit_count(t.bits)) limit 1)
  into blocks, sets, found, rarest from matches m;
  if found is null or found <= skipped then return; end if;
  return query
  select p.id, found
  from (
    select distinct t.name, t.person_id as id from staff_terms t
    where t.customer_id = customer and t.term = rarest
      and get_bit(sets[array_position(blocks, t.number / 4096)], t.number % 4096) = 1
    order by t.name, t.person_id limit page_size offset skipped) p;
end $$;

-- What staff are searched by, anew: the exact total and any page of any combination of filters at the cost of a page,
-- however many staff a customer has. A customer's staff stand in chunks, each a range of names, so that chunks in order
-- are staff in the order of names. In its chunk a person has a slot, and each term has a row of bits per chunk: who
-- bears it. A search is the AND of its terms' bits: their count is the total, and tells which chunks hold the page.
--
-- Bits are shared by many persons, so writing them is one transaction's at a time. Nobody waits for it: who finds a
-- customer's bits locked leaves a note of the persons written, whom searches then look at one by one, and the next
-- writer files them with its own.
drop trigger index_new_staff on staff;
drop trigger index_changed_staff on staff;
drop function index_new_staff();
drop function index_changed_staff();
drop function terms_of(jsonb, jsonb, jsonb, text);
drop function term_bits(text, text);
drop table staff_terms;
drop table staff_counts;

-- One row for each customer with staff, and the lock of what is filed of them: all below but notes and expiries.
create table staff_directories (
  tenant_id uuid not null,
  customer_id uuid not null,
  -- The moment whose expiries the bits show: a bit is set where the term ends after it. A search corrects for what
  -- ended between it and its own now, so it need not be exact, only near.
  settled_at timestamptz not null default now(),
  -- Of chunk n, at n + 1: which one it is in the order of names.
  chunk_order integer[] not null default '{1}',
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);

create table staff_chunks (
  tenant_id uuid not null,
  customer_id uuid not null,
  -- From 0, without a gap.
  chunk integer not null,
  -- It holds the persons from here to where the next one begins; the first begins before every name.
  from_name text collate "C" not null,
  from_id uuid not null,
  -- Slots given out so far. One that a person left is given out again only when the chunk is cut.
  used integer not null,
  primary key (tenant_id, customer_id, chunk),
  unique (tenant_id, customer_id, from_name, from_id),
  foreign key (tenant_id, customer_id) references staff_directories (tenant_id, customer_id)
) with (fillfactor = 50);

-- Persons as they are filed.
create table staff_places (
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid primary key,
  name text collate "C" not null,
  -- What the person bears, and when each ends: of several of a type the last one, infinity where one has no end.
  terms text[] not null,
  ends_at timestamptz[] not null,
  -- Null only while a writer looks for one.
  chunk integer,
  slot integer
) with (fillfactor = 90, autovacuum_vacuum_insert_scale_factor = 0.02);

create unique index staff_places_slot on staff_places (tenant_id, customer_id, chunk, slot) include (name, person_id)
  where chunk is not null;

create table staff_bitmaps (
  tenant_id uuid not null,
  customer_id uuid not null,
  -- kind:value, the value without case. person: everybody; status:…, tier:…, skill:…, certification:…, induction:….
  term text collate "C" not null,
  chunk integer not null,
  bits bit(4096) not null,
  primary key (tenant_id, customer_id, term, chunk)
) with (fillfactor = 75);

-- Persons who were written while their customer's lock was another's.
create table staff_notes (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null
);
create index staff_notes_customer on staff_notes (tenant_id, customer_id, person_id);

-- Each moment at which something of a person's ends.
create table staff_expiries (
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('certification', 'induction')),
  -- Null of what has neither a type (or site) nor a name.
  term text collate "C",
  ends_at timestamptz not null,
  -- Whether the person then bears the term no more: of several of a type the last one ends, and none is without end.
  is_last boolean not null
);
create index staff_expiries_term on staff_expiries (tenant_id, customer_id, term, ends_at) include (person_id)
  where is_last;
create index staff_expiries_kind on staff_expiries (tenant_id, customer_id, kind, ends_at) include (person_id);
create index staff_expiries_person on staff_expiries (person_id);

create function staff_chunk_size() returns integer language sql immutable parallel safe return 4096;

create function slot_bit(slot integer) returns bit(4096)
  language sql immutable parallel safe
  return set_bit(B'0'::bit(4096), slot, 1);

-- The slots whose bit is set. (Cutting the text at its ones is some ten times as fast as asking for each bit.)
create function slots_of(bits bit(4096)) returns setof integer
  language sql immutable parallel safe
  as $$
select (sum(length(gap) + 1) over (order by n))::integer - 1
from string_to_table(bits::text, '1') with ordinality as g (gap, n) where n <= bit_count(bits)
$$;

-- Case is folded by Unicode's rules where the server has them, else by those of its locale.
do $$
begin
  execute format(
    'create function staff_term(kind text, value text) returns text language sql immutable parallel safe
     return kind || '':'' || lower(value %s)',
    case when getdatabaseencoding() = 'UTF8' and exists (select from pg_collation where collname = 'und-x-icu')
         then 'collate "und-x-icu"' end);
end $$;

-- The certifications and inductions of a person, each with its end. An element is a bare string, or an object with a
-- type (of a certification) or a site (of an induction), else a name.
create function staff_qualifications(certifications jsonb, inductions jsonb, time_zone text)
  returns table (kind text, term text, ends_at timestamptz)
  language sql stable parallel safe
  as $$
select 'certification',
       staff_term('certification',
         case jsonb_typeof(e) when 'object' then coalesce(e ->> 'type', e ->> 'name') else e #>> '{}' end),
       ends_at(e ->> 'expires_at', time_zone)
from jsonb_array_elements(certifications) e
union all
select 'induction',
       staff_term('induction',
         case jsonb_typeof(e) when 'object' then coalesce(e ->> 'site', e ->> 'name') else e #>> '{}' end),
       ends_at(e ->> 'expires_at', time_zone)
from jsonb_array_elements(inductions) e
$$;

-- What a person is found by, and until when; a term may come several times.
create function staff_terms(
  status text, tier integer, skills jsonb, certifications jsonb, inductions jsonb, time_zone text)
  returns table (term text, ends_at timestamptz)
  language sql stable parallel safe
  as $$
select term, 'infinity'::timestamptz
from unnest(array['person:', 'status:' || status, 'tier:' || tier]) as term
union all
select staff_term('skill', skill), 'infinity' from jsonb_array_elements_text(skills) skill
union all
select term, ends_at from staff_qualifications(certifications, inductions, time_zone)
where term is not null
$$;

-- The chunk that a person of this name belongs to, and how many of its slots were given out.
create function find_staff_chunk(tenant uuid, customer uuid, name text, id uuid)
  returns table (chunk integer, used integer)
  language sql stable parallel safe
  as $$
select c.chunk, c.used from staff_chunks c
where c.tenant_id = tenant and c.customer_id = customer and (c.from_name, c.from_id) <= (name, id)
order by c.from_name desc, c.from_id desc limit 1
$$;

create function open_staff_directory(tenant uuid, customer uuid) returns void
  language plpgsql
  as $$
begin
  with opened as (
    insert into staff_directories (tenant_id, customer_id) values (tenant, customer) on conflict do nothing
    returning tenant_id, customer_id
  )
  insert into staff_chunks (tenant_id, customer_id, chunk, from_name, from_id, used)
  select tenant_id, customer_id, 0, '', '00000000-0000-0000-0000-000000000000', 0 from opened;
end $$;

-- Takes the lock for the rest of the transaction. @returns false, at once, where it is another's
create function lock_staff_directory(tenant uuid, customer uuid) returns boolean
  language plpgsql
  as $$
begin
  perform from staff_directories where tenant_id = tenant and customer_id = customer for no key update skip locked;
  if found then return true; end if;
  perform open_staff_directory(tenant, customer);
  perform from staff_directories where tenant_id = tenant and customer_id = customer for no key update skip locked;
  return found;
end $$;

-- How many notes there are, up to a number.
create function count_staff_notes(tenant uuid, customer uuid, up_to integer) returns bigint
  language plpgsql stable
  as $$
begin
  return (
    select count(*)
    from (select from staff_notes where tenant_id = tenant and customer_id = customer limit up_to) n);
end $$;

-- Makes the ends of persons what their records say.
create function renew_staff_expiries(person_ids uuid[]) returns void
  language plpgsql
  as $$
begin
  delete from staff_expiries where person_id = any (person_ids);
  insert into staff_expiries (tenant_id, customer_id, person_id, kind, term, ends_at, is_last)
  select s.tenant_id, s.customer_id, s.id, q.kind, q.term, q.ends_at, q.term is not null and q.ends_at = q.last_end
  from staff s
  cross join lateral (
    select c.timezone from customers c where c.tenant_id = s.tenant_id and c.id = s.customer_id offset 0
  ) c
  cross join lateral (
    select kind, term, ends_at, max(ends_at) over (partition by term) as last_end
    from staff_qualifications(s.certifications, s.inductions, c.timezone) group by kind, term, ends_at
  ) q
  where s.id = any (person_ids) and q.ends_at < 'infinity';
end $$;

-- Cuts the chunks that would overflow by those of the persons who have no place. @returns who lost theirs by it
create function cut_staff_chunks(tenant uuid, customer uuid, person_ids uuid[]) returns uuid[]
  language plpgsql
  as $$
declare
  full_chunks integer[];
  displaced uuid[];
begin
  full_chunks := array(
    with arriving as materialized (
      select f.chunk, count(*) as persons
      from staff_places p cross join lateral find_staff_chunk(tenant, customer, p.name, p.person_id) f
      where p.person_id = any (person_ids) and p.chunk is null
      group by f.chunk
    )
    select c.chunk
    from arriving a join staff_chunks c on c.tenant_id = tenant and c.customer_id = customer and c.chunk = a.chunk
    where c.used + a.persons > staff_chunk_size());
  if cardinality(full_chunks) = 0 then return '{}'; end if;

  with leaving as (
    update staff_places p set chunk = null, slot = null
    where p.tenant_id = tenant and p.customer_id = customer and p.chunk is not null and p.chunk = any (full_chunks)
    returning p.person_id
  )
  select coalesce(array_agg(person_id), '{}') into displaced from leaving;
  delete from staff_bitmaps where tenant_id = tenant and customer_id = customer and chunk = any (full_chunks);
  update staff_chunks set used = 0 where tenant_id = tenant and customer_id = customer and chunk = any (full_chunks);

  -- Three quarters full, so that the next cut is some while off; what remains is spread evenly.
  with numbered as (
    select f.chunk, p.name, p.person_id, count(*) over (partition by f.chunk) as persons,
           row_number() over (partition by f.chunk order by p.name, p.person_id) - 1 as n
    from staff_places p cross join lateral find_staff_chunk(tenant, customer, p.name, p.person_id) f
    where p.person_id = any (person_ids || displaced) and p.chunk is null and f.chunk = any (full_chunks)
  ),
  pieces as (
    select distinct on (chunk, piece) *
    from (select *, n * ceil(persons / (staff_chunk_size() * 0.75))::bigint / persons as piece from numbered) u
    order by chunk, piece, n
  )
  insert into staff_chunks (tenant_id, customer_id, chunk, from_name, from_id, used)
  select tenant, customer,
         (select max(chunk) from staff_chunks where tenant_id = tenant and customer_id = customer)
           + row_number() over (order by chunk, piece),
         name, person_id, 0
  from pieces where piece > 0;
  update staff_directories set chunk_order = array(
    select row_number() over (order by from_name, from_id)
    from staff_chunks where tenant_id = tenant and customer_id = customer order by chunk)
  where tenant_id = tenant and customer_id = customer;
  return displaced;
end $$;

-- Files persons as their records are now, and those of whom there is a note. The caller holds the customer's lock. What
-- is no more is known from what was filed, so that it may be told about anybody at any time.
create function file_staff(tenant uuid, customer uuid, person_ids uuid[]) returns void
  language plpgsql
  as $$
declare
  settled timestamptz;
  zone text;
  noted uuid[];
  lost_terms text[];
  lost_chunks integer[];
  lost_slots integer[];
begin
  select d.settled_at, c.timezone into settled, zone
  from staff_directories d join customers c on c.tenant_id = d.tenant_id and c.id = d.customer_id
  where d.tenant_id = tenant and d.customer_id = customer;
  with taken as (delete from staff_notes where tenant_id = tenant and customer_id = customer returning person_id)
  select coalesce(array_agg(distinct person_id), '{}') into noted from taken;
  person_ids := person_ids || noted;

  -- One statement, so that it speaks of one version of each record.
  with filed as materialized (select * from staff_places where person_id = any (person_ids)),
  gone as (
    delete from staff_places p
    where p.person_id = any (person_ids) and not exists (select from staff s where s.id = p.person_id)
  ),
  written as (
    insert into staff_places as p (tenant_id, customer_id, person_id, name, terms, ends_at)
    select tenant, customer, s.id, s.name, t.terms, t.ends_at
    from staff s cross join lateral (
      select array_agg(term) as terms, array_agg(ends_at) as ends_at
      from (select term, max(ends_at) as ends_at
            from staff_terms(s.status, s.tier, s.skills, s.certifications, s.inductions, zone) group by term) t
    ) t
    where s.id = any (person_ids)
    on conflict (person_id) do update
    set name = excluded.name, terms = excluded.terms, ends_at = excluded.ends_at,
        chunk = case when p.name = excluded.name then p.chunk end,
        slot = case when p.name = excluded.name then p.slot end
    where (p.name, p.terms, p.ends_at) is distinct from (excluded.name, excluded.terms, excluded.ends_at)
  )
  select array_agg(l.term), array_agg(f.chunk), array_agg(f.slot) into lost_terms, lost_chunks, lost_slots
  from filed f left join staff s on s.id = f.person_id and s.name = f.name
  cross join lateral (
    select unnest(f.terms) as term
    except
    select t.term from staff_terms(s.status, s.tier, s.skills, s.certifications, s.inductions, zone) t
    where s.id is not null and t.ends_at > settled
  ) l;
  with lost as materialized (
    select term, chunk, bit_or(slot_bit(slot)) as bits
    from unnest(lost_terms, lost_chunks, lost_slots) as u (term, chunk, slot) group by term, chunk
  )
  update staff_bitmaps b set bits = b.bits & ~lost.bits from lost
  where b.tenant_id = tenant and b.customer_id = customer and b.term = lost.term and b.chunk = lost.chunk;

  person_ids := person_ids || cut_staff_chunks(tenant, customer, person_ids);
  -- An update, told as an insert: it finds each row by its key, whatever the planner thinks of the table.
  with placed as (
    insert into staff_places as p (tenant_id, customer_id, person_id, name, terms, ends_at, chunk, slot)
    select h.tenant_id, h.customer_id, h.person_id, h.name, h.terms, h.ends_at, f.chunk,
           f.used + row_number() over (partition by f.chunk order by h.name, h.person_id) - 1
    from staff_places h cross join lateral find_staff_chunk(tenant, customer, h.name, h.person_id) f
    where h.person_id = any (person_ids) and h.chunk is null
    on conflict (person_id) do update set chunk = excluded.chunk, slot = excluded.slot
    returning p.chunk
  ),
  counted as materialized (select chunk, count(*) as persons from placed group by chunk)
  update staff_chunks c set used = c.used + p.persons from counted p
  where c.tenant_id = tenant and c.customer_id = customer and c.chunk = p.chunk;

  -- A term that has ended has its row as well, for a search by an earlier clock to correct.
  insert into staff_bitmaps as b (tenant_id, customer_id, term, chunk, bits)
  select tenant, customer, t.term, p.chunk,
         bit_or(case when t.ends_at > settled then slot_bit(p.slot) else B'0'::bit(4096) end)
  from staff_places p cross join lateral unnest(p.terms, p.ends_at) as t (term, ends_at)
  where p.person_id = any (person_ids)
  group by t.term, p.chunk order by t.term, p.chunk
  on conflict (tenant_id, customer_id, term, chunk)
  do update set bits = b.bits | excluded.bits where b.bits | excluded.bits <> b.bits;
end $$;

-- Files persons, or leaves a note of them where the lock is another's. Many notes would make searches slow: then it
-- waits, for one customer after the other in the order of ids, so that no two wait for each other.
create function file_or_note_staff(tenants uuid[], customers uuid[], persons uuid[]) returns void
  language plpgsql
  as $$
declare
  writing record;
begin
  for writing in
    select tenant, customer, array_agg(person) as person_ids
    from unnest(tenants, customers, persons) as u (tenant, customer, person) group by 1, 2 order by 1, 2
  loop
    if lock_staff_directory(writing.tenant, writing.customer) then
      perform file_staff(writing.tenant, writing.customer, writing.person_ids);
    else
      insert into staff_notes (tenant_id, customer_id, person_id)
      select writing.tenant, writing.customer, unnest(writing.person_ids);
      if count_staff_notes(writing.tenant, writing.customer, 1000) = 1000 then
        perform from staff_directories
        where tenant_id = writing.tenant and customer_id = writing.customer for no key update;
        perform file_staff(writing.tenant, writing.customer, '{}');
      end if;
    end if;
  end loop;
end $$;

create function index_new_staff() returns trigger
  language plpgsql
  as $$
declare
  written uuid[] := array(select id from new_rows);
begin
  perform renew_staff_expiries(written);
  perform file_or_note_staff(array(select tenant_id from new_rows), array(select customer_id from new_rows), written);
  return null;
end $$;

create function index_changed_staff() returns trigger
  language plpgsql
  as $$
declare
  tenants uuid[];
  customers uuid[];
  written uuid[];
begin
  select array_agg(n.tenant_id), array_agg(n.customer_id), array_agg(n.id) into tenants, customers, written
  from new_rows n join old_rows o using (id)
  where (n.name, n.status, n.tier, n.skills, n.certifications, n.inductions)
     is distinct from (o.name, o.status, o.tier, o.skills, o.certifications, o.inductions);
  if written is null then return null; end if;
  perform renew_staff_expiries(written);
  perform file_or_note_staff(tenants, customers, written);
  return null;
end $$;

create function index_gone_staff() returns trigger
  language plpgsql
  as $$
declare
  gone uuid[] := array(select id from old_rows);
begin
  perform renew_staff_expiries(gone);
  perform file_or_note_staff(array(select tenant_id from old_rows), array(select customer_id from old_rows), gone);
  return null;
end $$;

create trigger index_new_staff after insert on staff
  referencing new table as new_rows for each statement execute function index_new_staff();
create trigger index_changed_staff after update on staff
  referencing old table as old_rows new table as new_rows for each statement execute function index_changed_staff();
create trigger index_gone_staff after delete on staff
  referencing old table as old_rows for each statement execute function index_gone_staff();

-- Before a search: files those of whom there is a note where they are many, and makes the bits show the expiries of now
-- where they are an hour behind. (What ends, ends at midnight more often than not.) Not while the lock is another's.
create function settle_staff(customer uuid, moment timestamptz) returns void
  language plpgsql
  as $$
declare
  directory staff_directories;
begin
  select * into directory from staff_directories d where d.customer_id = customer;
  if moment - directory.settled_at between interval '-1 hour' and interval '1 hour'
     and count_staff_notes(directory.tenant_id, customer, 32) < 32 then
    return;
  end if;
  select * into directory from staff_directories d where d.customer_id = customer for no key update skip locked;
  if not found then return; end if;
  perform file_staff(directory.tenant_id, customer, '{}');
  with ended as materialized (
    select e.term, p.chunk, bit_or(slot_bit(p.slot)) as bits
    from staff_expiries e join staff_places p using (person_id)
    where e.tenant_id = directory.tenant_id and e.customer_id = customer
      and e.kind in ('certification', 'induction') and e.is_last
      and e.ends_at > least(directory.settled_at, moment) and e.ends_at <= greatest(directory.settled_at, moment)
      and not exists (
        select from staff_notes n
        where n.tenant_id = directory.tenant_id and n.customer_id = customer and n.person_id = e.person_id)
    group by e.term, p.chunk
  )
  update staff_bitmaps b set bits = b.bits # ended.bits from ended
  where b.tenant_id = directory.tenant_id and b.customer_id = customer
    and b.term = ended.term and b.chunk = ended.chunk;
  update staff_directories set settled_at = moment
  where tenant_id = directory.tenant_id and customer_id = customer;
end $$;

-- One page of those who bear all terms, in the order of names, each with the total. `offset 0` keeps a subquery from
-- being planned with its surroundings: statistics do not know how few an AND leaves.
create function search_staff(customer uuid, kinds text[], labels text[], moment timestamptz, page_size integer,
                             skipped integer)
  returns table (person_id uuid, total bigint)
  language plpgsql stable
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
  found as materialized (
    select b.chunk, bit_and(case when e.bits is null then b.bits else b.bits # e.bits end) as bits
    from wanted w
    cross join lateral (
      select b.chunk, b.bits from staff_bitmaps b where b.customer_id = customer and b.term = w.term offset 0
    ) b
    left join ended e on e.term = w.term and e.chunk = b.chunk
    group by b.chunk having count(*) = (select count(*) from wanted)
  ),
  -- Unpacked once; where it is long, it is kept compressed.
  chunk_order as materialized (
    select array(select unnest(d.chunk_order)) as places from staff_directories d where d.customer_id = customer
  ),
  counted as materialized (
    select chunk, here, sum(here) over (order by (select places from chunk_order)[chunk + 1]) as upto
    from (
      select chunk, (coalesce(f.here, 0) + coalesce(a.persons, 0))::integer as here
      from (select f.chunk, bit_count(case when h.others is null then f.bits else f.bits & h.others end) as here
            from found f left join hidden h using (chunk)) f
      full join (select chunk, count(*) as persons from asked group by chunk) a using (chunk)
    ) u
    where here > 0
  ),
  shown as materialized (
    select c.chunk, c.here, c.upto, case when h.others is null then f.bits else f.bits & h.others end as bits
    from counted c left join found f using (chunk) left join hidden h using (chunk)
    where c.upto > skipped and c.upto - c.here < skipped + page_size
  )
  select p.id, (select max(upto) from counted)
  from (
    select p.name, p.id
    from shown c cross join lateral (
      (select p.name, p.person_id as id from slots_of(c.bits) as b (slot) cross join lateral (
         select p.name, p.person_id from staff_places p
         where p.customer_id = customer and p.chunk = c.chunk and p.slot = b.slot offset 0) p
       where c.here <= 256)
      union all
      (select p.name, p.person_id from staff_places p
       where p.customer_id = customer and p.chunk = c.chunk and get_bit(c.bits, p.slot) = 1 and c.here > 256)
      union all
      select a.name, a.id from asked a where a.chunk = c.chunk
    ) p
    order by p.name, p.id
    limit page_size offset skipped - (select min(upto - here) from shown)
  ) p
  order by p.name, p.id;
end $$;

-- Files all staff of a customer by what their records say now.
create function file_all_staff(tenant uuid, customer uuid) returns void
  language plpgsql
  as $$
declare
  everybody uuid[] := array(select id from staff where tenant_id = tenant and customer_id = customer);
begin
  perform open_staff_directory(tenant, customer);
  perform from staff_directories where tenant_id = tenant and customer_id = customer for no key update;
  perform renew_staff_expiries(everybody);
  perform file_staff(tenant, customer, everybody);
end $$;

-- The ends of days, and of times without an offset, move with the customer's time zone.
create function file_staff_anew() returns trigger
  language plpgsql
  as $$
begin
  perform file_all_staff(new.tenant_id, new.id);
  return null;
end $$;
create trigger file_staff_anew after update of timezone on customers
  for each row when (old.timezone <> new.timezone) execute function file_staff_anew();

-- Plans that hold for every customer: joins as they are written, by index. Planning anew for a longer list or for
-- another customer would take longer than the work, and a plan made while the tables were small would stay.
do $$
declare
  routine text;
begin
  foreach routine in array array['count_staff_notes', 'renew_staff_expiries', 'cut_staff_chunks', 'file_staff',
                                 'settle_staff', 'search_staff'] loop
    execute format('alter function %I set plan_cache_mode = force_generic_plan', routine);
    execute format('alter function %I set join_collapse_limit = 1', routine);
    execute format('alter function %I set enable_seqscan = off', routine);
    execute format('alter function %I set jit = off', routine);
  end loop;
end $$;

-- The staff of before. Forced, row-level security would hide them from a migration's own login.
alter table customers no force row level security;
alter table staff no force row level security;
do $$
declare
  place record;
begin
  for place in select distinct tenant_id, customer_id from staff loop
    perform file_all_staff(place.tenant_id, place.customer_id);
  end loop;
end $$;
alter table customers force row level security;
alter table staff force row level security;
analyze staff_bitmaps, staff_places, staff_expiries;

call enable_tenant_rls('staff_directories');
call enable_tenant_rls('staff_chunks');
call enable_tenant_rls('staff_places');
call enable_tenant_rls('staff_bitmaps');
call enable_tenant_rls('staff_notes');
call enable_tenant_rls('staff_expiries');

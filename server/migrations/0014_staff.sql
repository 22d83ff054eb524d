create table staff (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  customer_id uuid not null,
  -- Sorted by code point, so that every database answers in the same order.
  name text collate "C" not null,
  email text,
  phone text,
  role text not null check (role in ('employee', 'contractor', 'supplier', 'customer_contact')),
  skills jsonb not null default '[]',
  certifications jsonb not null default '[]',
  inductions jsonb not null default '[]',
  tier integer not null check (tier between 1 and 5),
  status text not null default 'active' check (status in ('active', 'inactive', 'on_leave', 'suspended', 'terminated')),
  availability_notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, customer_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);
call enable_tenant_rls('staff');

-- What staff are searched by: one row for each term of each person, made by the triggers below. Row-level security
-- lets only leakproof operators into an index, which an array's @> is not; equality of text is. The index carries all
-- that a search compares and sorts by, so that counting and paging read nothing else.
create table staff_terms (
  tenant_id uuid not null,
  customer_id uuid not null,
  person_id uuid not null,
  -- person: everybody, with the value ''. expiry: each moment at which a certification of the person's ends.
  kind text collate "C" not null check (kind in ('person', 'skill', 'certification', 'induction', 'expiry')),
  -- In lower case.
  value text collate "C" not null,
  -- Of several certifications (or inductions) of a type, when the last one ends; infinity where one has no end.
  valid_until timestamptz not null,
  name text collate "C" not null,
  status text not null,
  tier integer not null,
  -- The bits of all terms of the person (see term_bits): what lacks a bit lacks the term, and need not be looked up.
  signature bigint not null,
  foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id) on delete cascade
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index staff_terms_search on staff_terms (tenant_id, customer_id, kind, value, name, person_id)
  include (valid_until, status, tier, signature) where kind <> 'expiry';
create index staff_terms_expiry on staff_terms (tenant_id, customer_id, valid_until) where kind = 'expiry';
create index staff_terms_person on staff_terms (person_id);
call enable_tenant_rls('staff_terms');

-- How many persons bear a term, kept exact by the same triggers. Several slots, so that those who add staff to one
-- customer at once seldom wait for each other; the count is their sum.
create table staff_counts (
  tenant_id uuid not null,
  customer_id uuid not null,
  kind text collate "C" not null,
  value text collate "C" not null,
  status text not null,
  tier integer not null,
  slot integer not null,
  persons bigint not null,
  primary key (tenant_id, customer_id, kind, value, status, tier, slot),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
) with (fillfactor = 50);
call enable_tenant_rls('staff_counts');

-- When something ends: a day lasts to its end in the customer's time zone, and a time without an offset is of that
-- zone. The service lets no other text in (format "expiry").
create function ends_at(expires_at text, time_zone text) returns timestamptz
  language sql stable parallel safe
  as $$
select case
  when expires_at is null then 'infinity'
  when expires_at ~ '^\d{4}-\d\d-\d\d$' then (expires_at::date + 1)::timestamp at time zone time_zone
  when expires_at ~* '(z|[+-]\d\d:\d\d)$' then expires_at::timestamptz
  else expires_at::timestamp at time zone time_zone
end $$;

-- Two of 64 bits, by the term's MD5, which is the same in every version of PostgreSQL.
create function term_bits(kind text, value text) returns bigint
  language sql immutable parallel safe
  as $$
select 1::bigint << (get_byte(h, 0) & 63) | 1::bigint << (get_byte(h, 1) & 63)
from decode(md5(kind || ':' || value), 'hex') h
$$;

-- The terms of one person, with the person's signature. An element is a bare string, or an object with a type (of a certification)
-- or a site (of an induction), else a name.
create function terms_of(skills jsonb, certifications jsonb, inductions jsonb, time_zone text)
  returns table (kind text, value text, valid_until timestamptz, signature bigint)
  language sql stable parallel safe
  as $$
with elements (kind, value, valid_until) as (
  select 'skill', e #>> '{}', 'infinity'::timestamptz from jsonb_array_elements(skills) e
  union all
  select 'certification', case jsonb_typeof(e) when 'object' then coalesce(e ->> 'type', e ->> 'name') else e #>> '{}' end,
         ends_at(e ->> 'expires_at', time_zone) from jsonb_array_elements(certifications) e
  union all
  select 'induction', case jsonb_typeof(e) when 'object' then coalesce(e ->> 'site', e ->> 'name') else e #>> '{}' end,
         ends_at(e ->> 'expires_at', time_zone) from jsonb_array_elements(inductions) e
),
terms (kind, value, valid_until) as (
  select kind, lower(value), max(valid_until) from elements where value is not null group by kind, lower(value)
),
signed (signature) as (select coalesce(bit_or(term_bits(kind, value)), 0) from terms)
select 'person', '', 'infinity'::timestamptz, signature from signed
union all
select kind, value, valid_until, signature from terms cross join signed
union all
select distinct 'expiry', '', valid_until, 0 from elements where kind = 'certification' and valid_until < 'infinity'
$$;

-- Both write the counts in one statement and in one order, so that no two writers wait for each other in a circle.
create function index_new_staff() returns trigger
  language plpgsql
  as $$
begin
  with made as (
    insert into staff_terms (tenant_id, customer_id, person_id, kind, value, valid_until, name, status, tier,
                             signature)
    select n.tenant_id, n.customer_id, n.id, t.kind, t.value, t.valid_until, n.name, n.status, n.tier, t.signature
    from new_rows n join customers c on c.tenant_id = n.tenant_id and c.id = n.customer_id
    cross join lateral terms_of(n.skills, n.certifications, n.inductions, c.timezone) t
    returning tenant_id, customer_id, kind, value, status, tier
  )
  insert into staff_counts
  select tenant_id, customer_id, kind, value, status, tier, pg_backend_pid() % 8, count(*)
  from made where kind <> 'expiry' group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (tenant_id, customer_id, kind, value, status, tier, slot)
  do update set persons = staff_counts.persons + excluded.persons;
  return null;
end $$;

create function index_changed_staff() returns trigger
  language plpgsql
  as $$
begin
  with changed as (
    select n.* from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.status, n.tier, n.skills, n.certifications, n.inductions)
       is distinct from (o.name, o.status, o.tier, o.skills, o.certifications, o.inductions)
  ),
  gone as (
    delete from staff_terms t using changed n where t.person_id = n.id
    returning t.tenant_id, t.customer_id, t.kind, t.value, t.status, t.tier
  ),
  made as (
    insert into staff_terms (tenant_id, customer_id, person_id, kind, value, valid_until, name, status, tier,
                             signature)
    select n.tenant_id, n.customer_id, n.id, t.kind, t.value, t.valid_until, n.name, n.status, n.tier, t.signature
    from changed n join customers c on c.tenant_id = n.tenant_id and c.id = n.customer_id
    cross join lateral terms_of(n.skills, n.certifications, n.inductions, c.timezone) t
    returning tenant_id, customer_id, kind, value, status, tier
  ),
  moves as (select *, -1 as persons from gone union all select *, 1 from made)
  insert into staff_counts
  select tenant_id, customer_id, kind, value, status, tier, pg_backend_pid() % 8, sum(persons)
  from moves where kind <> 'expiry' group by 1, 2, 3, 4, 5, 6 having sum(persons) <> 0 order by 1, 2, 3, 4, 5, 6
  on conflict (tenant_id, customer_id, kind, value, status, tier, slot)
  do update set persons = staff_counts.persons + excluded.persons;
  return null;
end $$;

create trigger index_new_staff after insert on staff
  referencing new table as new_rows for each statement execute function index_new_staff();
create trigger index_changed_staff after update on staff
  referencing old table as old_rows new table as new_rows for each statement execute function index_changed_staff();

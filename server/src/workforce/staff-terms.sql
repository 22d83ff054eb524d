create or replace function staff_term(kind text, value text) returns text language sql immutable parallel safe
  return kind || ':' || lower_case(value);

-- A qualification is a string, or an object with a type (certification) or site (induction), else a name. A day ends
-- when it is over.
create or replace function staff_terms_of(status text, tier integer, skills jsonb, certifications jsonb, inductions jsonb)
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

-- Flips the bits of changed terms in staff_sets. The empty term comes first and locks its block until the transaction
-- ends, which prevents deadlocks.
create or replace function file_staff_terms() returns trigger
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

create or replace trigger staff_terms_delete after delete on staff
  referencing old table as versions for each statement execute function file_staff_terms('past');

create or replace trigger staff_terms_insert after insert on staff
  referencing new table as versions for each statement execute function file_staff_terms('present');

-- Triggers run in the order of their names: past before present.
create or replace trigger staff_terms_update_past after update on staff
  referencing old table as versions for each statement execute function file_staff_terms('past');

create or replace trigger staff_terms_update_present after update on staff
  referencing new table as versions for each statement execute function file_staff_terms('present');

-- Locks staff first: a concurrent change of one holds its row and waits for its terms.
create or replace function erase_staff_terms() returns trigger
  language plpgsql
  as $$
begin
  perform from staff where tenant_id = old.tenant_id and customer_id = old.id order by id for update;
  delete from staff_terms where tenant_id = old.tenant_id and customer_id = old.id;
  delete from staff_sets where tenant_id = old.tenant_id and customer_id = old.id;
  return old;
end $$;

create or replace trigger erase_staff_terms before delete on customers for each row execute function erase_staff_terms();

-- The staff of a customer as eligibility judges them (person-record.ts), in the order of names. Works are those that
-- overlap the window; one that was canceled is none. `person_ids` null: everybody.
create or replace function staff_to_judge(of_customer uuid, window_from timestamptz, window_to timestamptz,
                                          with_shifts boolean, with_assignments boolean, person_ids uuid[])
  returns table (place bigint, person json)
  language sql stable
  as $$
select row_number() over (order by s.name, s.id),
       json_build_array(s.id, s.name, s.status, s.role, s.tier, s.skills, s.certifications, s.inductions,
                        shifts.works, assignments.works)
from staff s
left join lateral (
  select json_agg(json_build_array(site, job_id, millis(starts_at), millis(ends_at)) order by starts_at, id) as works
  from shifts where person_id = s.id and starts_at < window_to and ends_at > window_from and not is_canceled(status)
) shifts on with_shifts
left join lateral (
  select json_agg(json_build_array(site, job_id, millis(starts_at), millis(ends_at)) order by starts_at, id) as works
  from assignments
  where person_id = s.id and coalesce(starts_at < window_to, true) and coalesce(ends_at > window_from, true)
    and not is_canceled(status)
) assignments on with_assignments
where s.customer_id = of_customer and (person_ids is null or s.id = any (person_ids))
order by s.name, s.id
$$;

create or replace function millis(moment timestamptz) returns bigint language sql immutable parallel safe
  return (extract(epoch from moment) * 1000)::bigint;

-- The status of works is free text.
create or replace function is_canceled(status text) returns boolean language sql immutable parallel safe
  as $$ select lower_case(status) in ('canceled', 'cancelled', 'declined', 'rejected') $$;

-- Certifications of all customers' staff that end within some days of the customer's own calendar; terminated staff are left
-- out. The bounds of ends_at are wider than any time zone, so that the index finds the few that matter.
create or replace function expiring_certifications(at timestamptz, within_days integer)
  returns table (person_id uuid, customer_id uuid, term text, name text, certifications jsonb, until timestamptz)
  language sql stable
  as $$
select s.id, t.customer_id, t.term, s.name, s.certifications, e.until
from staff_terms t join customers c on c.id = t.customer_id join staff s on s.id = t.person_id
cross join lateral (select t.ends_at at time zone case when t.is_local then c.timezone else 'UTC' end) e (until)
where t.ends_at < 'infinity' and t.term >= 'certification:' and t.term < 'certification;' and s.status <> 'terminated'
  and t.ends_at > (at at time zone 'UTC') - interval '1 day'
  and t.ends_at < (at at time zone 'UTC') + (within_days + 3) * interval '1 day'
  and e.until > at
  and e.until <= ((at at time zone c.timezone)::date + within_days + 1)::timestamp at time zone c.timezone
$$;

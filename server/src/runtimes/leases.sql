-- True while the copy `holder` has the lease of the cluster `host`, by the database's clock. A lease that ends later than
-- one can be given is of a time before the clock was set back. Without a holder the place is a copy, which needs no lease.
create or replace function has_lease(host uuid, holder uuid) returns boolean
  stable
  language sql
  as $$
  select holder is null or exists (
    select from clusters c
    where c.host_id = host and c.lease_holder = holder
      and c.lease_until > now() and c.lease_until < now() + interval '30 seconds')
$$;

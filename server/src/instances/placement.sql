-- The cluster with the fewest instances of the candidates with room; null where none has room. With the rights of acp_system,
-- because instances of all tenants count.
create or replace function roomiest_cluster(candidates text[]) returns text
  language plpgsql
  set role = acp_system
  as $$
declare
  place text;
begin
  -- Advisory locks, because a deploy that hangs must not keep a cluster's holder from renewing its lease in the row.
  perform pg_advisory_xact_lock(hashtextextended('place ' || id, 0)) from (
    select id from clusters where id = any (candidates) and max_instances is not null order by id) limited;
  -- A statement of its own counts what others have committed meanwhile.
  select c.id into place
  from clusters c cross join lateral (
    select count(*) as instances from instances i where i.cluster_id = c.id and i.status <> 'terminated') n
  where c.id = any (candidates) and (c.max_instances is null or n.instances < c.max_instances)
  order by n.instances, c.id limit 1 for key share of c;
  return place;
end $$;

-- The cluster for a new instance of a region: one of its active clusters, and `default` where it has none.
create or replace function place_instance(region text) returns text
  language plpgsql
  as $$
declare
  candidates constant text[] := array(select id from clusters where region_id = region and is_active);
  place constant text := case when candidates = '{}' then 'default' else roomiest_cluster(candidates) end;
begin
  perform must_hold(place is not null, 'No cluster of the region has room');
  return place;
end $$;

-- The cluster for an instance that moves away: the wanted one, or another active one of its region.
create or replace function place_elsewhere(former text, region text, wanted text) returns text
  language plpgsql
  as $$
declare
  place constant text := roomiest_cluster(case when wanted is not null then array[wanted]
    else array(select id from clusters where region_id = region and is_active and id <> former) end);
begin
  perform must_hold(place is not null, 'No other cluster of the region has room');
  return place;
end $$;

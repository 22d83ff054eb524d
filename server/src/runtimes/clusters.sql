-- Nobody has tried yet to reach a cluster with other settings.
create or replace function forget_sight() returns trigger
  language plpgsql
  as $$
begin
  new.reachable := null;
  new.last_seen_at := null;
  return new;
end $$;

create or replace trigger forget_sight before update of engine, endpoint, sealed_credentials, options on clusters
  for each row when (
    (old.engine, old.endpoint, old.sealed_credentials, old.options)
      is distinct from (new.engine, new.endpoint, new.sealed_credentials, new.options))
  execute function forget_sight();

-- New credentials count as accepted until the channel refuses them.
create or replace function renew_connection() returns trigger
  language plpgsql
  as $$
begin
  new.refused_at := null;
  new.last_error := null;
  new.probe_at := null;
  return new;
end $$;

create or replace trigger renew_connection before update of sealed_credentials on connections
  for each row when (new.sealed_credentials is distinct from old.sealed_credentials) execute function renew_connection();

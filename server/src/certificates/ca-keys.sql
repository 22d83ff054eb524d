-- Every process drops its cache of keys.
create or replace function notify_ca_keys() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('ca_keys', '');
  return null;
end $$;

create or replace trigger notify_ca_keys after insert or update on ca_keys
  for each statement execute function notify_ca_keys();

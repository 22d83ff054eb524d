-- A number with a leading 0 is another one in another country. The job of the identities' keys finds these too.
create or replace function forget_binding_keys() returns trigger
  language plpgsql
  as $$
begin
  update staff_bindings set address_key = null where customer_id = new.id and channel_address !~ '^[+]?[1-9][0-9]{6,14}$';
  return null;
end $$;

create or replace trigger forget_binding_keys after update of country_code on customers
  for each row when (old.country_code is distinct from new.country_code) execute function forget_binding_keys();

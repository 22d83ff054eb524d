-- A check like those of 0032, for what the caller may not do. The service answers 403 with the message.
create function must_be_allowed(is_allowed boolean, detail text) returns void
  language plpgsql
  as $$
begin
  if not coalesce(is_allowed, false) then raise exception using errcode = 'AC403', message = detail; end if;
end $$;

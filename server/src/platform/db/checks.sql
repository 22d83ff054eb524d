-- Checks that stop the statements behind them in the same round trip. The service answers with the SQLSTATE's last three
-- digits as the HTTP status (404, 409, 403, 422) and with the message.
create or replace function must_exist(is_there boolean, what text) returns void
  language plpgsql
  as $$
begin
  if not is_there then raise exception using errcode = 'AC404', message = what || ' not found'; end if;
end $$;

create or replace function must_hold(holds boolean, detail text) returns void
  language plpgsql
  as $$
begin
  if not coalesce(holds, false) then raise exception using errcode = 'AC409', message = detail; end if;
end $$;

create or replace function must_be_allowed(is_allowed boolean, detail text) returns void
  language plpgsql
  as $$
begin
  if not coalesce(is_allowed, false) then raise exception using errcode = 'AC403', message = detail; end if;
end $$;

-- For a bound on the rows of one parent: `present` rows are there before another one.
create or replace function must_fit(present bigint, most integer, what text) returns void
  language plpgsql
  as $$
begin
  if present >= most then raise exception using errcode = 'AC422', message = format('There are %s %s already', most, what); end if;
end $$;

-- For a page of a list, as a condition of the statement that reads it: refuses a page that is too large before a row of it is
-- sent. Its SQLSTATE is the 422 at `per_page`.
create or replace function page_fits(bytes bigint, most integer) returns boolean
  language plpgsql stable
  as $$
begin
  if bytes > most then
    raise exception using errcode = 'ACPAG', message = format('The page would be larger than %s MiB: ask for fewer', most / 1048576);
  end if;
  return true;
end $$;

-- Checks that stop the statements behind them in the same round trip. The service answers with the SQLSTATE's last three
-- digits as the HTTP status and with the message.
create function must_exist(is_there boolean, what text) returns void
  language plpgsql
  as $$
begin
  if not is_there then raise exception using errcode = 'AC404', message = what || ' not found'; end if;
end $$;

create function must_hold(holds boolean, detail text) returns void
  language plpgsql
  as $$
begin
  if not coalesce(holds, false) then raise exception using errcode = 'AC409', message = detail; end if;
end $$;

-- A channel takes free text until 24 hours after the person's last message, and only templates afterwards. The
-- playground always takes it.
create or replace function is_service_window_open(channel text, last_in_at timestamptz, at timestamptz) returns boolean
  language sql immutable parallel safe
  return channel = 'playground' or coalesce(last_in_at > at - interval '24 hours', false);

-- The end of that time; its beginning where the person never wrote, null where there is none.
create or replace function service_window_ends(channel text, last_in_at timestamptz, began_at timestamptz) returns timestamptz
  language sql stable parallel safe
  return case when channel <> 'playground' then coalesce(last_in_at + interval '24 hours', began_at) end;

-- Sets the status of several timesheets, each on its own: one whose shift has another unrejected timesheet stays as it is.
-- Locks them first and in the order of ids, which prevents deadlocks.
create or replace function decide_timesheets(ids uuid[], decision text, moment timestamptz)
  returns table (timesheet_id uuid, is_done boolean)
  language plpgsql
  as $$
begin
  perform from timesheets t where t.id = any (ids) order by t.id for no key update;
  for timesheet_id in select t.id from timesheets t where t.id = any (ids) order by t.id loop
    begin
      update timesheets t set status = decision, updated_at = greatest(t.updated_at, moment) where t.id = timesheet_id;
      is_done := true;
    exception when unique_violation then
      is_done := false;
    end;
    return next;
  end loop;
end $$;

-- A function because its plan never uses a sequential scan. In a statement, a plan made while the table had no statistics
-- would scan the whole table for each message until the next analyze.
create or replace function is_stored(endpoint uuid, message text) returns boolean
  language plpgsql
  stable
  set enable_seqscan = off
  as $$
begin
  return exists (select from channel_messages where endpoint_id = endpoint and message_id = message);
end $$;

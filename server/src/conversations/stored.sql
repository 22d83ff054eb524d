-- True once a message is stored. A plan made while the table was empty, or had no statistics, would read the whole table for
-- each message until the next analyze; the function's plan never does.
create or replace function is_stored(endpoint uuid, message text) returns boolean
  language plpgsql
  stable
  set enable_seqscan = off
  as $$
begin
  return exists (select from channel_messages where endpoint_id = endpoint and message_id = message);
end $$;

-- Counting conversations as they are made had all messages of a tenant wait for the commit of the one before. Their
-- limit refuses none: the job that deletes the longest silent ones counts for itself.
drop trigger count_inserted on conversations;
drop trigger count_deleted on conversations;
drop function count_conversations();
grant delete on tenant_counts to acp_system;
set local role acp_system;
delete from tenant_counts where name = 'conversations_stored';
reset role;
revoke delete on tenant_counts from acp_system;

-- True once a message is stored. A plan made while the table was empty, or had no statistics, would read the whole table for
-- each message until the next analyze; the function's plan never does.
create function is_stored(endpoint uuid, message text) returns boolean
  language plpgsql
  stable
  set enable_seqscan = off
  as $$
begin
  return exists (select from channel_messages where endpoint_id = endpoint and message_id = message);
end $$;

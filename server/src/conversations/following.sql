-- Wakes followers of a conversation when a message is added or changes.
create or replace function notify_conversation() returns trigger
  language plpgsql
  as $$
begin
  if new.conversation_id is not null then perform pg_notify('conversations', new.conversation_id::text); end if;
  return null;
end $$;

create or replace trigger notify_conversation after insert or update of change on channel_messages
  for each row execute function notify_conversation();

create or replace function notify_deleted_conversation() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('conversations', old.id::text);
  return null;
end $$;

create or replace trigger notify_deleted_conversation after delete on conversations
  for each row execute function notify_deleted_conversation();

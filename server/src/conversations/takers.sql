-- Each change of a conversation's taker stands in it as a message that is not sent. Whose turn it is stays as it was, as does
-- the time of the last message: nothing came or went.
create or replace function note_taker() returns trigger
  language plpgsql
  as $$
begin
  insert into channel_messages
    (tenant_id, conversation_id, instance_id, channel, external_id, direction, author, kind, status, user_id, key_id,
     give_up_at, finished_at)
  values
    (new.tenant_id, new.id, new.instance_id, new.channel, coalesce(new.began_with, new.external_id), 'out', 'system', 'takeover',
     'delivered', case new.taken_by_kind when 'user' then new.taken_by_id end,
     case new.taken_by_kind when 'key' then new.taken_by_id end, now(), now());
  return null;
end $$;

create or replace trigger note_taker after update of taken_by_kind, taken_by_id on conversations for each row
  when ((old.taken_by_kind, old.taken_by_id) is distinct from (new.taken_by_kind, new.taken_by_id))
  execute function note_taker();

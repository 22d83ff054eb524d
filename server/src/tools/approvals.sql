-- When a conversation is deleted, erases the contents of its approvals and expires those that wait.
create or replace function erase_approvals() returns trigger
  language plpgsql
  as $$
begin
  update approvals set sealed_content = null, erase_at = null, conversation_id = null,
    status = case status when 'waiting' then 'expired' else status end,
    finished_at = coalesce(finished_at, case status when 'waiting' then now() end)
  where conversation_id = old.id;
  return old;
end $$;

create or replace trigger erase_approvals before delete on conversations for each row execute function erase_approvals();

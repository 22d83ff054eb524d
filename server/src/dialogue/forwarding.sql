-- Nobody answers for a terminated instance: the jobs of its conversations mark what waits as dead.
create or replace function end_messages_of_instance() returns trigger
  language plpgsql
  as $$
begin
  perform enqueue_job('converse', c.id::text, c.tenant_id, c.instance_id::text)
    from conversations c
    where c.instance_id = new.id and exists (
      select from channel_messages where conversation_id = c.id and status = 'pending')
    order by c.id;
  return null;
end $$;

create or replace trigger end_messages_of_instance after update of status on instances for each row
  when (new.status = 'terminated' and old.status is distinct from 'terminated') execute function end_messages_of_instance();

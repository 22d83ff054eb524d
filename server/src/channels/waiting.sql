-- New credentials of a channel have its waiting messages sent at once. They wait in the lane of their instance, as those to
-- forward do: a claim looks at each lane, and with one for each conversation it would look at every conversation.
create or replace function send_what_waits() returns trigger
  language plpgsql
  as $$
begin
  perform enqueue_job('send_messages', c.id::text, c.tenant_id, c.instance_id::text)
    from conversations c
    where c.customer_id = new.customer_id and exists (
      select from channel_messages where conversation_id = c.id and status = 'queued')
    order by c.id;
  return null;
end $$;

create or replace trigger send_what_waits after insert or update of sealed_credentials on connections
  for each row when (new.provider = 'chatapp' and new.sealed_credentials is not null) execute function send_what_waits();

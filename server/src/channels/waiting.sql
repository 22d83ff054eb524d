-- Sends waiting messages when a customer gets new channel credentials. Jobs use the lane of their instance: a claim looks at
-- every lane, and with one per conversation it would look at all conversations.
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

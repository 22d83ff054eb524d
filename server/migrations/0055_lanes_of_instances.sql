-- oldest service: 0054
--
-- Messages to send wait in the lane of their instance, as those to forward do: a claim looks at each lane, and with one for each
-- conversation it looked at every conversation whose message waits for a later time.
create or replace function send_what_waits() returns trigger
  language plpgsql
  as $$
begin
  insert into jobs as j (kind, key, tenant_id, lane, due_at)
    select 'send_messages', c.id::text, c.tenant_id, c.instance_id::text, now()
    from conversations c
    where c.customer_id = new.customer_id and exists (
      select from channel_messages where conversation_id = c.id and status = 'queued')
    order by 2
    on conflict (kind, key) do update set
      again_at = case when j.claim is null then null else '-infinity'::timestamptz end,
      run_at = case when j.claim is null then '-infinity' else j.run_at end,
      due_at = case when j.claim is null then now() else j.due_at end;
  perform pg_notify('jobs', 'send_messages');
  return null;
end $$;

set local role acp_system;
update jobs j set lane = c.instance_id::text from conversations c where j.kind = 'send_messages' and j.key = c.id::text;
reset role;

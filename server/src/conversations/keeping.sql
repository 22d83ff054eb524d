-- When a content expires (contract, section 13): after retention_days; without retention, 7 days after arrival while the
-- message waits, else a day after it was finished.
create or replace function keeping_ends(retention_days integer, is_waiting boolean, received_at timestamptz, finished_at timestamptz)
  returns timestamptz
  language sql stable parallel safe
  return case
    when retention_days > 0 then received_at + retention_days * interval '1 day'
    when is_waiting then received_at + interval '7 days'
    else finished_at + interval '1 day'
  end;

-- Without retention, contents expire a day after their message stopped waiting, at most 7 days after arrival. That of an
-- outgoing message is erased at once, and `erase_at` stays to end the conversation.
create or replace function end_waiting() returns trigger
  language plpgsql
  as $$
declare
  is_waiting constant boolean := new.status in ('pending', 'queued');
  retention_days constant integer := (
    select d.retention_days
    from conversations c join served_deployments d on d.instance_id = c.instance_id and d.customer_id = c.customer_id
    where c.id = new.conversation_id order by d.created_at desc, d.id limit 1);
  ends_at constant timestamptz :=
    keeping_ends(retention_days, is_waiting, new.received_at, coalesce(new.finished_at, now()));
begin
  if retention_days > 0 then
    return new;
  end if;
  new.erase_at := case when is_waiting then ends_at else least(new.erase_at, ends_at) end;
  if new.direction = 'out' and not is_waiting then
    new.sealed_content := null;
    new.media_hash := null;
  end if;
  return new;
end $$;

create or replace trigger end_waiting before update of status on channel_messages for each row
  when ((old.status in ('pending', 'queued')) <> (new.status in ('pending', 'queued')) and new.erase_at is not null)
  execute function end_waiting();

-- A file goes with the content of the answer that has taken it.
create or replace function forget_files() returns trigger
  language plpgsql
  as $$
begin
  delete from uploads where message_id = new.id;
  return null;
end $$;

create or replace trigger forget_files after update on channel_messages for each row
  when (old.direction = 'out' and old.sealed_content is not null and new.sealed_content is null)
  execute function forget_files();

-- Deletes the hash with the content, whichever statement erases it.
create or replace function forget_media() returns trigger
  language plpgsql
  as $$
begin
  new.media_hash := null;
  return new;
end $$;

create or replace trigger forget_media before update of sealed_content on channel_messages
  for each row when (new.sealed_content is null and new.media_hash is not null) execute function forget_media();

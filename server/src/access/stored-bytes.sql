-- Counts the bytes of messages, files, lines of logs and kept results of tools (limit stored_mib). Statements note their
-- change, and a job adds up what they noted (stored-bytes.db.ts): a count that each of them updated would make a tenant's
-- writers wait for each other.
create or replace function note_message_bytes() returns trigger
  language plpgsql
  as $$
begin
  insert into stored_changes (tenant_id, bytes)
  select tenant_id, case tg_op when 'DELETE' then -1 else 1 end * sum(octet_length(sealed_content)) from changed
  where sealed_content is not null group by 1;
  return null;
end $$;

create or replace trigger bytes_inserted after insert on channel_messages referencing new table as changed
  for each statement execute function note_message_bytes();
create or replace trigger bytes_deleted after delete on channel_messages referencing old table as changed
  for each statement execute function note_message_bytes();

create or replace function note_changed_bytes() returns trigger
  language plpgsql
  as $$
begin
  insert into stored_changes (tenant_id, bytes)
  values (new.tenant_id, coalesce(octet_length(new.sealed_content), 0) - coalesce(octet_length(old.sealed_content), 0));
  return null;
end $$;

-- For each row, because most updates change no content, and the condition skips them.
create or replace trigger bytes_changed after update on channel_messages for each row
  when (octet_length(old.sealed_content) is distinct from octet_length(new.sealed_content))
  execute function note_changed_bytes();

create or replace trigger bytes_inserted after insert on upload_pieces referencing new table as changed
  for each statement execute function note_message_bytes();
create or replace trigger bytes_deleted after delete on upload_pieces referencing old table as changed
  for each statement execute function note_message_bytes();

create or replace function note_line_bytes() returns trigger
  language plpgsql
  as $$
begin
  insert into stored_changes (tenant_id, bytes)
  select tenant_id, case tg_op when 'DELETE' then -1 else 1 end * sum(octet_length(line)) from changed group by 1;
  return null;
end $$;

create or replace trigger bytes_inserted after insert on instance_logs referencing new table as changed
  for each statement execute function note_line_bytes();
create or replace trigger bytes_deleted after delete on instance_logs referencing old table as changed
  for each statement execute function note_line_bytes();

-- Rows begin without a result.
create or replace function note_changed_result_bytes() returns trigger
  language plpgsql
  as $$
begin
  insert into stored_changes (tenant_id, bytes)
  values (new.tenant_id, coalesce(octet_length(new.sealed_result), 0) - coalesce(octet_length(old.sealed_result), 0));
  return null;
end $$;

create or replace trigger bytes_changed after update on kept_calls for each row
  when (octet_length(old.sealed_result) is distinct from octet_length(new.sealed_result))
  execute function note_changed_result_bytes();

create or replace function note_result_bytes() returns trigger
  language plpgsql
  as $$
begin
  insert into stored_changes (tenant_id, bytes)
  select tenant_id, -sum(octet_length(sealed_result)) from changed where sealed_result is not null group by 1;
  return null;
end $$;

create or replace trigger bytes_deleted after delete on kept_calls referencing old table as changed
  for each statement execute function note_result_bytes();

create or replace function has_room(tenant uuid) returns boolean
  language plpgsql stable parallel safe
  as $$
begin
  return coalesce((select bytes from stored_bytes where tenant_id = tenant), 0)
    < coalesce(limit_of(tenant, 'stored_mib') * 1048576, 'infinity');
end $$;

-- Refuses with the given code where the tenant stores as much as it may.
create or replace function must_have_room(code text) returns void
  language plpgsql stable
  as $$
begin
  if not has_room(current_tenant()) then
    raise exception using errcode = code, message = limit_refusal(current_tenant(), 'stored_mib');
  end if;
end $$;

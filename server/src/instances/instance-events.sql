-- Adds an event without a change of status. Locks the instance, because followers read by id: see INTO_EVENTS.
create or replace function add_instance_event(instance uuid, event_at timestamptz, event_message text) returns void
  language sql
  as $$
  insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
    select tenant_id, id, event_at, status, status, event_message from instances where id = instance for no key update
  $$;

-- Wakes the followers of an instance's log (GET /v1/instances/{id}/events).
create or replace function notify_instance_event() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('instance_events', new.instance_id::text);
  return null;
end $$;

create or replace trigger notify_instance_event after insert on instance_events
  for each row execute function notify_instance_event();

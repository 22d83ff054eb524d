-- Adds an event that changes no status. Every writer of events locks the instance, because followers read by id.
create or replace function add_instance_event(instance uuid, event_at timestamptz, event_message text) returns void
  language sql
  as $$
  insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
    select tenant_id, id, event_at, status, status, event_message from instances where id = instance for no key update
  $$;

-- Followers of an instance are woken when its log grows (GET /v1/instances/{id}/events).
create or replace function notify_instance_event() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('instance_events', new.instance_id::text);
  return null;
end $$;

create or replace trigger notify_instance_event after insert on instance_events
  for each row execute function notify_instance_event();

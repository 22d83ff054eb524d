-- Keeps an event for each endpoint that wants it, in the transaction of its cause: `about` has its ids and words. An instance
-- adds its hostname, recipe and revision. No row is locked, so causes do not wait for each other; the notification wakes the
-- deliveries after the commit.
create or replace function emit_event(tenant uuid, kind text, about jsonb) returns void
  language plpgsql
  as $$
declare
  known jsonb;
  made uuid;
begin
  if not exists (
    select from event_endpoints w where w.tenant_id = tenant and w.is_active and w.events && array['*', kind]) then
    return;
  end if;
  select jsonb_build_object('hostname', i.hostname, 'recipe_id', i.recipe_id, 'revision', i.recipe_revision) into known
    from instances i where i.id = (about ->> 'instance_id')::uuid;
  about := jsonb_strip_nulls(coalesce(known, '{}') || jsonb_strip_nulls(about));
  about := about || coalesce((
    select jsonb_build_object('recipe_name', r.name) from recipes r where r.id = (about ->> 'recipe_id')::uuid), '{}');
  insert into events (tenant_id, type, at, data, customer_id, person_id, instance_id, conversation_id)
    values (tenant, kind, now(), about, (about ->> 'customer_id')::uuid, (about ->> 'person_id')::uuid,
            (about ->> 'instance_id')::uuid, (about ->> 'conversation_id')::uuid)
    returning id into made;
  insert into event_deliveries (tenant_id, endpoint_id, event_id, stream, at)
    select tenant, w.id, made, coalesce(about ->> 'conversation_id', about ->> 'instance_id')::uuid, now()
    from event_endpoints w where w.tenant_id = tenant and w.is_active and w.events && array['*', kind] order by w.id;
end $$;

create or replace function wake_deliveries() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('event_deliveries', new.endpoint_id::text);
  return null;
end $$;

create or replace trigger wake_deliveries after insert on event_deliveries
  for each row execute function wake_deliveries();

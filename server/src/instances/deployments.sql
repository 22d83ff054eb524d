-- A customer's triggers count only times from now on. Returns the affected deployments.
create or replace function restart_triggers(customer uuid) returns setof deployments
  language sql
  as $$ update deployments set triggers_since = now() where customer_id = customer and released_at is null returning * $$;

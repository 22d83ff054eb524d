-- Has the times of a customer's triggers count from now on. Returns the deployments whose triggers they are.
create or replace function restart_triggers(customer uuid) returns setof deployments
  language sql
  as $$ update deployments set triggers_since = now() where customer_id = customer and released_at is null returning * $$;

-- Erases a deleted customer's configurations and events.
create or replace function erase_configurations() returns trigger
  language plpgsql
  as $$
begin
  -- Except the configuration that a shared instance runs with, which serves other customers.
  update deployments d set resolved_config = '{}', instance_overrides = null
  where d.tenant_id = old.tenant_id and d.customer_id = old.id and not exists (
    select from instances i join tasks t on t.instance_id = i.id
    where i.id = d.instance_id and i.status <> 'terminated' and t.deployment_id = d.id and t.kind = 'provision');
  update instances set resolved_config = '{}', provenance = '{}', sealed_message_secret = null
  where tenant_id = old.tenant_id and customer_id = old.id and status = 'terminated';
  -- A trigger's name may contain personal data.
  delete from instance_events e using deployments d
  where d.instance_id = e.instance_id and e.step = 'trigger' and d.tenant_id = old.tenant_id and d.customer_id = old.id;
  return old;
end $$;

create or replace trigger erase_configurations before delete on customers
  for each row execute function erase_configurations();

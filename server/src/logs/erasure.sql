-- Log lines may name people.
create or replace function erase_instance_logs() returns trigger
  language plpgsql
  as $$
begin
  delete from instance_logs l
  where l.tenant_id = old.tenant_id and l.instance_id in (
    select instance_id from deployments where tenant_id = old.tenant_id and customer_id = old.id);
  return old;
end $$;

create or replace trigger erase_instance_logs before delete on customers for each row execute function erase_instance_logs();

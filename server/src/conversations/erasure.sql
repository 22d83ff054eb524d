-- Foreign keys delete the conversations of a customer, with their messages. On a shared instance, messages without a
-- conversation are matched by address, except for addresses of another customer's staff.
create or replace function erase_loose_messages() returns trigger
  language plpgsql
  as $$
begin
  delete from channel_messages m using instances i
  where m.tenant_id = old.tenant_id and i.id = m.instance_id and m.conversation_id is null and (
    i.hosting_mode = 'dedicated' and i.customer_id = old.id
    or i.hosting_mode = 'shared'
    and i.id in (select instance_id from deployments where tenant_id = old.tenant_id and customer_id = old.id)
    and (m.channel, address_key(m.external_id)) in (
      select a.channel, address_key(a.external_id)
      from identity_addresses a join identities n on n.id = a.identity_id
      where n.tenant_id = old.tenant_id and n.customer_id = old.id
      union
      select channel_type, coalesce(b.address_key, address_key(channel_address)) from staff_bindings b
      where tenant_id = old.tenant_id and customer_id = old.id
      except
      select channel_type, coalesce(b.address_key, address_key(channel_address)) from staff_bindings b
      where tenant_id = old.tenant_id and customer_id <> old.id
    ));
  return old;
end $$;

create or replace trigger erase_loose_messages before delete on customers
  for each row execute function erase_loose_messages();

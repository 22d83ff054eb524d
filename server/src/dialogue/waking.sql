-- Messages that a runtime did not take go on as soon as it is up, or well, again: the pauses were for a runtime that is not.
create or replace function wake_conversations() returns trigger
  language plpgsql
  as $$
begin
  perform wake_lane('converse', new.tenant_id, new.instance_id::text);
  return null;
end $$;

create or replace trigger wake_conversations after update of phase, reason, address, unready_since on runtimes for each row
  when (new.phase = 'up' and new.unready_since is null and new.reason is distinct from 'node_lost'
        and (old.phase <> 'up' or old.unready_since is not null or old.address is distinct from new.address
             or old.reason = 'node_lost'))
  execute function wake_conversations();

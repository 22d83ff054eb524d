-- oldest service: 0002
-- How much each tenant stores in messages and lines of logs.

create table stored_bytes (
  tenant_id uuid primary key references tenants (id),
  bytes bigint not null
) with (fillfactor=50);
call enable_tenant_rls('stored_bytes');
grant insert, update on stored_bytes to acp_system;

-- What statements have added or removed since the last count. Only inserts, so that no writer waits for another one.
create table stored_changes (
  tenant_id uuid not null,
  bytes bigint not null
);
call enable_tenant_rls('stored_changes');
grant insert, delete on stored_changes to acp_system;

set local role acp_system;
insert into stored_bytes (tenant_id, bytes)
select tenant_id, sum(bytes) from (
  select tenant_id, sum(octet_length(sealed_content)) as bytes from channel_messages group by 1
  union all
  select tenant_id, sum(octet_length(line)) from instance_logs group by 1) stored
where bytes is not null group by 1;
reset role;

-- oldest service: 0006
-- Kept results of tools count as stored bytes from now on.

set local role acp_system;
insert into stored_changes (tenant_id, bytes)
select tenant_id, sum(octet_length(sealed_result)) from kept_calls where sealed_result is not null group by 1;
reset role;

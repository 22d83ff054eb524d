-- A tenant's jobs wait behind those of tenants with fewer of them: by the order in which they came alone, ten thousand
-- of one tenant's would hold up everybody else's. In three steps rather than by exact numbers, so that what came first
-- goes first within a step, and is not passed by for as long as more comes.
create function job_priority(nth_of_tenant bigint) returns integer
language sql immutable parallel safe
return case when nth_of_tenant <= 100 then 0 when nth_of_tenant <= 1000 then -1 else -2 end;

-- How many wait is counted by tenant. A step of a task changes neither the column nor the condition.
create index tasks_unfinished on tasks (tenant_id) where status in ('queued', 'running', 'canceling');
-- In place of the one without the tenant, of whom every statement asks by row-level security anyway.
create index channel_messages_waiting on channel_messages (tenant_id, endpoint_id, external_id, number)
  where status = 'pending';
drop index channel_messages_pending;

-- oldest service: 0002
-- For the overview, which counts and finds the most urgent case of a whole tenant. Row-level security lets only plain
-- comparisons use an index, so each condition is a column or the index's own.
create index instances_statuses on instances (tenant_id, status);
create index tasks_unfinished on tasks (tenant_id, status, created_at) where status in ('queued', 'running', 'canceling');
create index approvals_waiting_until on approvals (tenant_id, expires_at) where status = 'waiting';
create index connections_ending on connections (tenant_id, expires_at)
  where revoked_at is null and (expires_at is not null or refused_at is not null);
create index timesheets_submitted on timesheets (tenant_id, created_at) where status = 'submitted';

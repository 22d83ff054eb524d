-- The tables of this room: instances, deployments, tasks, task_steps, upgrades, deployment_upgrades,
-- instance_events, fleet_restarts.

-- Their changes are recorded for the audit.
call note_changes('instances', 'id');
call note_changes('deployments', 'instance_id');
call note_changes('tasks');

-- Limited per tenant.
call count_rows_of('instances', 'instances', $$status <> 'terminated'$$);
create or replace trigger count_leaving after update of status on instances for each row
  when (old.status <> 'terminated' and new.status = 'terminated') execute function count_leaving_row('instances');

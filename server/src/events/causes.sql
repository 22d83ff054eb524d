-- Events that happen in other rooms: each function is of one table, and runs only for rows that matter.

create or replace function emit_instance_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'instance.' || new.status, jsonb_build_object(
    'instance_id', new.id,
    -- A shared instance is no single customer's.
    'customer_id', case new.hosting_mode when 'dedicated' then new.customer_id end,
    'reason', case new.status when 'failed' then (select reason from runtimes where instance_id = new.id) end));
  return null;
end $$;

create or replace trigger emit_instance_event after update of status on instances for each row
  when (old.status <> new.status and new.status in ('running', 'failed', 'terminated'))
  execute function emit_instance_event();

create or replace function emit_upgrade_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'instance.upgraded', jsonb_build_object(
    'instance_id', i.id, 'customer_id', case i.hosting_mode when 'dedicated' then i.customer_id end))
  from instances i where i.id = new.instance_id;
  return null;
end $$;

create or replace trigger emit_upgrade_event after update of status on tasks for each row
  when (old.status <> new.status and new.status = 'succeeded' and new.kind = 'upgrade')
  execute function emit_upgrade_event();

-- The trigger's argument is the kind.
create or replace function emit_conversation_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, tg_argv[0], jsonb_build_object('instance_id', new.instance_id,
    'customer_id', new.customer_id, 'conversation_id', new.id, 'channel', new.channel));
  return null;
end $$;

create or replace trigger emit_conversation_started after insert on conversations for each row
  execute function emit_conversation_event('conversation.started');
-- A person who takes a conversation leaves no handover_id.
create or replace trigger emit_conversation_handover after update of mode on conversations for each row
  when (old.mode = 'agent' and new.mode = 'human' and new.handover_id is not null)
  execute function emit_conversation_event('conversation.handover');

create or replace function emit_message_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'message.' || new.status, jsonb_build_object(
    'instance_id', new.instance_id, 'conversation_id', new.conversation_id, 'message_id', new.id, 'channel', new.channel,
    'customer_id', (select customer_id from conversations where id = new.conversation_id)));
  return null;
end $$;

create or replace trigger emit_message_event after update of status on channel_messages for each row
  when (old.status <> new.status and new.status in ('failed', 'dead'))
  execute function emit_message_event();
create or replace trigger emit_new_message_event after insert on channel_messages for each row
  when (new.status in ('failed', 'dead'))
  execute function emit_message_event();

create or replace function emit_approval_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, tg_argv[0], jsonb_build_object('instance_id', new.instance_id,
    'customer_id', new.customer_id, 'conversation_id', new.conversation_id, 'approval_id', new.id, 'tool', new.tool,
    'decision', case new.status when 'approved' then 'approve' when 'rejected' then 'reject' end,
    'expires_at', case new.status when 'waiting' then to_char(new.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end));
  return null;
end $$;

create or replace trigger emit_approval_requested after insert on approvals for each row
  execute function emit_approval_event('approval.requested');
create or replace trigger emit_approval_decided after update of status on approvals for each row
  when (old.status = 'waiting' and new.status in ('approved', 'rejected'))
  execute function emit_approval_event('approval.decided');

-- Credentials that the channel refused; those whose time is over are found by a job (due-events.db.ts).
create or replace function emit_connection_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'connection.expired', jsonb_build_object('customer_id', new.customer_id,
    'connection_id', new.id, 'provider', new.provider, 'reason', 'refused'));
  return null;
end $$;

create or replace trigger emit_connection_event after update of refused_at on connections for each row
  when (old.refused_at is null and new.refused_at is not null and new.revoked_at is null)
  execute function emit_connection_event();

create or replace function emit_timesheet_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'timesheet.submitted', jsonb_build_object(
    'customer_id', new.customer_id, 'timesheet_id', new.id, 'person_id', new.person_id));
  return null;
end $$;

create or replace trigger emit_timesheet_event after insert on timesheets for each row
  when (new.status = 'submitted') execute function emit_timesheet_event();

-- The budget of an instance, of a customer, or of the whole tenant.
create or replace function emit_budget_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'budget.reached', jsonb_build_object(
    'instance_id', new.instance_id, 'percent', new.told,
    'customer_id', coalesce(new.customer_id, (
      select customer_id from instances where id = new.instance_id and hosting_mode = 'dedicated'))));
  return null;
end $$;

create or replace trigger emit_budget_event after update of told on llm_spending for each row
  when (new.told > old.told) execute function emit_budget_event();

create or replace function emit_rollout_event() returns trigger
  language plpgsql
  as $$
begin
  perform emit_event(new.tenant_id, 'rollout.' || new.status, jsonb_build_object(
    'rollout_id', new.id, 'recipe_id', new.recipe_id, 'revision', new.revision, 'reason', new.stopped_because));
  return null;
end $$;

create or replace trigger emit_rollout_event after update of status on rollouts for each row
  when (old.status <> new.status and new.status in ('stopped', 'succeeded'))
  execute function emit_rollout_event();

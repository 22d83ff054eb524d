-- Tells pages that something changed, never what: they read it anew with their own rights (contract, section 18).
create or replace function hint_change(of_kind text, of_tenant uuid, of_id uuid, of_instance uuid, of_customer uuid)
  returns void
  language sql
  as $$
  select pg_notify('changes', json_build_object('tenant_id', of_tenant, 'kind', of_kind, 'id', of_id,
    'instance_id', of_instance, 'customer_id', of_customer)::text)
$$;

-- For tables with small rows; the trigger's argument is the kind.
create or replace function hint_row_change() returns trigger
  language plpgsql
  as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  perform hint_change(tg_argv[0], (changed ->> 'tenant_id')::uuid, (changed ->> 'id')::uuid,
    (changed ->> 'instance_id')::uuid, (changed ->> 'customer_id')::uuid);
  return null;
end $$;

create or replace trigger hint_approval after insert or update of status on approvals
  for each row execute function hint_row_change('approval');
create or replace trigger hint_task after insert or update of status, step, progress on tasks
  for each row execute function hint_row_change('task');
create or replace trigger hint_connection after insert or update or delete on connections
  for each row execute function hint_row_change('connection');
create or replace trigger hint_timesheet after insert or update of status on timesheets
  for each row execute function hint_row_change('timesheet');
create or replace trigger hint_customer after insert or update or delete on customers
  for each row execute function hint_row_change('customer');

create or replace function hint_instance() returns trigger
  language plpgsql
  as $$
begin
  perform hint_change('instance', new.tenant_id, new.id, new.id, new.customer_id);
  return null;
end $$;

create or replace trigger hint_instance after insert or update of status, hostname, recipe_revision on instances
  for each row execute function hint_instance();

create or replace function hint_recipe() returns trigger
  language plpgsql
  as $$
begin
  perform hint_change('recipe', new.tenant_id, new.id, null, null);
  return null;
end $$;

create or replace trigger hint_recipe after insert or update of revision, is_active, deleted_at on recipes
  for each row execute function hint_recipe();

-- A page of the recipe shows it.
create or replace function hint_rollout() returns trigger
  language plpgsql
  as $$
begin
  perform hint_change('recipe', new.tenant_id, new.recipe_id, null, null);
  return null;
end $$;

create or replace trigger hint_rollout after insert or update of status, batch, next_batch_at on rollouts
  for each row execute function hint_rollout();

create or replace function hint_conversation() returns trigger
  language plpgsql
  as $$
declare
  changed conversations := coalesce(new, old);
begin
  perform hint_change('conversation', changed.tenant_id, changed.id, changed.instance_id, changed.customer_id);
  return null;
end $$;

create or replace trigger hint_conversation after update of mode, human_until, display_name or delete on conversations
  for each row execute function hint_conversation();

create or replace function hint_message() returns trigger
  language plpgsql
  as $$
begin
  if new.conversation_id is not null then
    perform hint_change('conversation', new.tenant_id, new.conversation_id, new.instance_id, null);
  end if;
  return null;
end $$;

create or replace trigger hint_message after insert or update of change on channel_messages
  for each row execute function hint_message();

create or replace function hint_given_up_message() returns trigger
  language plpgsql
  as $$
begin
  perform hint_change('channel_message', new.tenant_id, new.id, new.instance_id, null);
  return null;
end $$;

create or replace trigger hint_given_up_message after update of status on channel_messages
  for each row when (old.status is distinct from new.status
    and ('dead' in (old.status, new.status) or 'failed' in (old.status, new.status)))
  execute function hint_given_up_message();

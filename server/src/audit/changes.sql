-- Writes a request's row at its first change, then clears the setting, so further changes are free. A transaction of the
-- system may change several tenants, and each gets its row. What the transaction writes later may ask who changes it:
-- app.changed_by, {kind, id}.
create or replace function note_change() returns trigger
  language plpgsql
  as $$
declare
  change jsonb := nullif(current_setting('app.change'), '')::jsonb;
  owner uuid := coalesce(current_tenant(), (change ->> 'tenant_id')::uuid,
    (to_jsonb(case tg_op when 'DELETE' then old else new end) ->> 'tenant_id')::uuid);
  resource uuid := (change ->> 'resource_id')::uuid;
  -- Of two possible statuses, 201 means a new row.
  answer smallint := (change ->> case when tg_op = 'INSERT' then 'created' else 'changed' end)::smallint;
begin
  if tg_table_name = 'tenants' then
    owner := new.id;
  end if;
  -- A row without a tenant precedes the tenant's own.
  if change is null or owner is null then
    return null;
  end if;
  if tg_op <> 'DELETE' and (resource is null or (tg_op = 'INSERT' and answer = 201)) then
    if tg_argv[0] = 'id' then
      resource := new.id;
    elsif tg_argv[0] = 'instance_id' then
      resource := new.instance_id;
    end if;
  end if;
  insert into audit_changes
    (tenant_id, change_id, at, actor_kind, actor_id, operation, resource_id, request_id, status)
  values (owner, (change ->> 'id')::uuid, (change ->> 'at')::timestamptz, change ->> 'actor_kind',
          (change ->> 'actor_id')::uuid, change ->> 'operation', resource, change ->> 'request_id', answer)
  on conflict (change_id, tenant_id) do nothing;
  perform set_config('app.changed_by',
    jsonb_build_object('kind', change ->> 'actor_kind', 'id', change ->> 'actor_id')::text, true);
  if current_tenant() is not null then
    perform set_config('app.change', '', true);
  end if;
  return null;
end $$;

-- `known_by`: the column with the resource's id, id or instance_id. The trigger's name sorts first, so what other
-- triggers change belongs to the same request.
create or replace procedure note_changes(table_name regclass, known_by text default null,
                              events text default 'insert or update or delete')
  language plpgsql
  as $$
begin
  execute format(
    'create or replace trigger "00_note_change" after %s on %s for each row
       when (current_setting(''app.change'', true) <> '''') execute function note_change(%L)',
    events, table_name, coalesce(known_by, ''));
end $$;

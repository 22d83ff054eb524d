-- The record of changes over HTTP (contract, section 17). A trigger writes the row, so it commits with its change; the
-- request is described by the setting app.change, which travels with the scope of each of its transactions.
create table audit_changes (
  -- As in tool_calls, a reference would cost as much as the rest of the row.
  tenant_id uuid not null,
  -- All tenants share the sequence: one per tenant would have its changes wait for each other's commit.
  seq bigint generated always as identity,
  -- The request, by a name that no client chooses.
  change_id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('api_key', 'user', 'instance', 'operations', 'anonymous')),
  actor_id uuid,
  operation text not null,
  resource_id uuid,
  request_id text not null,
  status smallint not null,
  -- From 1 without a gap; both come when the row is chained.
  place bigint check (place > 0),
  hash bytea,
  primary key (tenant_id, seq),
  unique (change_id, tenant_id),
  check ((place is null) = (hash is null))
);
create unique index audit_changes_chain on audit_changes (tenant_id, place) where place is not null;
create index audit_changes_unchained on audit_changes (tenant_id, seq) where place is null;
call enable_tenant_rls('audit_changes');
revoke update, delete on audit_changes from acp_tenant;
grant insert, delete, update (place, hash) on audit_changes to acp_system;
-- Retention, which leaves a checkpoint in the head.
grant delete on tool_calls to acp_system;

-- Where each chain begins and ends, sealed by the master key: nobody with the database alone can write one. A tenant has
-- them from its beginning, so a missing one is no empty chain.
create table chain_heads (
  tenant_id uuid not null references tenants (id),
  chain text not null check (chain in ('tool_calls', 'changes')),
  sealed bytea not null,
  master_key_id bytea generated always as (master_key_of(sealed)) stored
    constraint chain_heads_master_key references master_keys (id),
  primary key (tenant_id, chain)
);
call enable_tenant_rls('chain_heads');
revoke delete on chain_heads from acp_tenant;
grant insert, update (sealed) on chain_heads to acp_system;

-- The service seals these ends as heads when it starts. A copy of before would go on writing beside the new heads.
revoke update on tool_call_chains from acp_tenant;
revoke update (count, hash, seal) on tool_call_chains from acp_system;

-- Writes a request's row when the first of its rows changes; the setting is cleared, so the others cost nothing.
create function note_change() returns trigger
  language plpgsql
  as $$
declare
  change jsonb := nullif(current_setting('app.change'), '')::jsonb;
  owner uuid := coalesce(current_tenant(), (change ->> 'tenant_id')::uuid,
    (to_jsonb(case tg_op when 'DELETE' then old else new end) ->> 'tenant_id')::uuid);
  resource uuid := (change ->> 'resource_id')::uuid;
  -- Where an operation has two, 201 is the one for a new row.
  answer smallint := (change ->> case when tg_op = 'INSERT' then 'created' else 'changed' end)::smallint;
begin
  if tg_table_name = 'tenants' then
    owner := new.id;
  end if;
  -- A row without a tenant that comes before the tenant's own.
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
  perform set_config('app.change', '', true);
  return null;
end $$;

-- Every table with a resource of the API calls this. `known_by`: the column by which clients know a new row, id or
-- instance_id. The trigger's name sorts first: what other triggers change belongs to the same request.
create procedure note_changes(table_name regclass, known_by text default null,
                              events text default 'insert or update or delete')
  language plpgsql
  as $$
begin
  execute format(
    'create trigger "00_note_change" after %s on %s for each row
       when (current_setting(''app.change'', true) <> '''') execute function note_change(%L)',
    events, table_name, coalesce(known_by, ''));
end $$;

call note_changes('tenants', 'id', 'insert or update');
call note_changes('users', 'id', 'insert or update');
call note_changes('memberships');
call note_changes('invitations');
call note_changes('password_resets');
call note_changes('api_keys', 'id');
call note_changes('customers', 'id');
call note_changes('subscriptions', 'id');
call note_changes('websites', 'id');
call note_changes('connections', 'id');
call note_changes('identities', 'id');
call note_changes('primitives', 'id');
call note_changes('recipes', 'id');
call note_changes('instances', 'id');
call note_changes('deployments', 'instance_id');
call note_changes('tasks');
call note_changes('proxy_keys');
call note_changes('instance_grants');
call note_changes('pin_policies');
call note_changes('channel_endpoints', 'id');
call note_changes('channel_messages', null, 'update');
call note_changes('staff', 'id');
call note_changes('staff_bindings', 'id');
call note_changes('shifts', 'id');
call note_changes('assignments', 'id');
call note_changes('timesheets', 'id');
call note_changes('certificates');
call note_changes('enrollment_tokens');
-- Tries and locks stand in the same row.
call note_changes('pins', null, 'insert or delete or update of pin_hash');
-- An admin's reset; tries themselves are no change.
call note_changes('pin_tries', null, 'delete');

-- Who may do what in this database. Roles belong to the whole cluster, so another database may have made them already.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['acp_service', 'acp_tenant', 'acp_system', 'acp_jobs'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin noinherit nosuperuser nocreatedb nocreaterole nobypassrls', role_name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    -- The login may become each of them; it starts as acp_service, which owns nothing and may do nothing.
    if not pg_has_role(current_user, role_name, 'member') or current_setting('server_version_num')::int >= 160000 then
      begin
        execute format('grant %I to current_user', role_name);
      exception when others then
        if not pg_has_role(current_user, role_name, 'member') then raise; end if;
      end;
    end if;
  end loop;
end $$;

-- set_config('role', …) checks the login's membership, not the current role's, so acp_service needs none of them.
grant usage on schema public to acp_tenant, acp_system;

-- The job queue's own schema, made and migrated by the queue library in this role.
create schema pgboss authorization acp_jobs;

-- The tenant of the running transaction; null (and so no row) when none was set.
create function current_tenant() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;

-- Every table with a tenant_id calls this. Permissive rows for the tenant, and a restrictive guard so that a policy
-- added later cannot widen it. acp_system sees all rows but gets only the rights that a migration grants by name.
create procedure enable_tenant_rls(table_name regclass)
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
  execute format('create policy tenant_rows on %s to acp_tenant using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', table_name);
  execute format('create policy tenant_guard on %s as restrictive to acp_tenant using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', table_name);
  execute format('create policy system_rows on %s to acp_system using (true) with check (true)', table_name);
  execute format('grant select, insert, update, delete on %s to acp_tenant', table_name);
  execute format('grant select on %s to acp_system', table_name);
end $$;

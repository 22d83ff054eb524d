create table recipes (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  revision integer not null default 1,
  name text not null,
  description text,
  hosting_mode text not null default 'dedicated' check (hosting_mode in ('dedicated', 'shared')),
  shared_node_capacity integer not null default 50,
  is_active boolean not null default true,
  is_platform_template boolean not null default false,
  source_instance_id uuid,
  system_prompt text,
  manifest_id text,
  onboarding_flow_id uuid,
  rules_template_id uuid,
  approval_rules jsonb,
  channel_config jsonb,
  compliance_config jsonb,
  data_access jsonb,
  model_policy jsonb,
  module_config jsonb,
  voice_config jsonb,
  channel_types jsonb not null default '[]',
  connection_requirements jsonb not null default '[]',
  mcp_servers jsonb not null default '[]',
  skills jsonb not null default '[]',
  trigger_templates jsonb,
  workflow_slugs jsonb not null default '[]',
  sidecars jsonb not null default '[]',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index recipes_tenant on recipes (tenant_id, created_at desc) where deleted_at is null;
create index recipes_platform on recipes (created_at desc) where is_platform_template and deleted_at is null;
call enable_tenant_rls('recipes');
-- Platform templates can be read by everybody, and changed by no tenant.
drop policy tenant_guard on recipes;
create policy tenant_guard on recipes as restrictive to acp_tenant
  using (tenant_id = current_tenant() or is_platform_template) with check (tenant_id = current_tenant());
create policy platform_templates on recipes for select to acp_tenant using (is_platform_template);

-- A recipe as it stood after each change. `content` is the row, without what changes by itself.
create table recipe_revisions (
  tenant_id uuid not null,
  recipe_id uuid not null,
  revision integer not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (recipe_id, revision),
  foreign key (tenant_id, recipe_id) references recipes (tenant_id, id)
);
call enable_tenant_rls('recipe_revisions');
drop policy tenant_guard on recipe_revisions;
create policy tenant_guard on recipe_revisions as restrictive to acp_tenant
  using (tenant_id = current_tenant()
         or exists (select from recipes r where r.id = recipe_id and r.is_platform_template))
  with check (tenant_id = current_tenant());
create policy platform_templates on recipe_revisions for select to acp_tenant
  using (exists (select from recipes r where r.id = recipe_id and r.is_platform_template));

-- A revision is written by the change itself, whoever makes it: none can be forgotten.
create function record_recipe_revision() returns trigger
  language plpgsql
  as $$
begin
  insert into recipe_revisions (tenant_id, recipe_id, revision, content, created_at)
  values (new.tenant_id, new.id, new.revision,
          to_jsonb(new) - array['id', 'tenant_id', 'revision', 'is_platform_template', 'deleted_at', 'created_at', 'updated_at'],
          new.updated_at);
  return null;
end $$;
create trigger recipe_revision_on_insert after insert on recipes
  for each row execute function record_recipe_revision();
create trigger recipe_revision_on_update after update on recipes
  for each row when (old.revision is distinct from new.revision) execute function record_recipe_revision();

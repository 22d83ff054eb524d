-- A trigger, so that no change of a recipe can omit its revision.
create or replace function record_recipe_revision() returns trigger
  language plpgsql
  as $$
begin
  insert into recipe_revisions (tenant_id, recipe_id, revision, content, created_at, created_by)
  values (new.tenant_id, new.id, new.revision,
          to_jsonb(new) - array['id', 'tenant_id', 'revision', 'is_platform_template', 'deleted_at', 'created_at', 'updated_at'],
          new.updated_at, nullif(current_setting('app.changed_by', true), '')::jsonb);
  delete from recipe_revisions r
  where r.recipe_id = new.id and r.revision <= new.revision - limit_of(new.tenant_id, 'revisions_kept')
    and not exists (select from instances i where i.tenant_id = new.tenant_id and i.recipe_id = new.id
                      and i.recipe_revision = r.revision and i.status <> 'terminated')
    and not is_rollout_revision(new.tenant_id, new.id, r.revision);
  return null;
end $$;

create or replace trigger recipe_revision_on_insert after insert on recipes
  for each row execute function record_recipe_revision();

create or replace trigger recipe_revision_on_update after update on recipes
  for each row when (old.revision is distinct from new.revision) execute function record_recipe_revision();

-- The tables of this room: recipes, recipe_revisions, rules_templates, onboarding_flows, manifests.

-- Recorded by the audit log.
call note_changes('recipes', 'id');
call note_changes('rules_templates', 'id');
call note_changes('onboarding_flows', 'id');

-- Counted towards limits.
call count_rows_of('recipes', 'recipes', 'deleted_at is null');
call count_rows_of('rules_templates', 'rules_templates', 'true');
call count_rows_of('onboarding_flows', 'onboarding_flows', 'true');
create or replace trigger count_leaving after update of deleted_at on recipes for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function count_leaving_row('recipes');

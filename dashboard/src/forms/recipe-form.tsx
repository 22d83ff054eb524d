import { create_recipe } from '@agent-control-plane/fields';
import { RecipeApprovals } from './recipe-approvals.tsx';
import type { Draft } from './recipe-draft.ts';
import style from './recipe-form.module.css';
import { RecipeHours } from './recipe-hours.tsx';
import { RecipeModel } from './recipe-model.tsx';
import { RecipeMore } from './recipe-more.tsx';
import { RecipeNeeds } from './recipe-needs.tsx';
import { AreaRow, ChipsRow, TextRow } from './recipe-rows.tsx';
import { RecipeSkills } from './recipe-skills.tsx';
import { RecipeTools } from './recipe-tools.tsx';

/** The body of create_recipe and update_recipe. To read it, what is set is enough. */
export function RecipeForm({ draft, readOnly }: { draft: Draft; readOnly: boolean }) {
  const shows = (field: string) => !readOnly || draft.at(field) !== undefined;
  return (
    <fieldset disabled={readOnly} className={style.fields}>
      <TextRow draft={draft} path={['name']} label="Name" required maxLength={create_recipe.name.maxLength} />
      <AreaRow
        draft={draft}
        path={['description']}
        label="Description"
        hint="To choose it by"
        rows={2}
        maxLength={create_recipe.description.maxLength}
      />
      <AreaRow
        draft={draft}
        path={['system_prompt']}
        label="Prompt"
        hint="Told before each conversation"
        rows={5}
        maxLength={create_recipe.system_prompt.maxLength}
      />
      {shows('skills') && <RecipeSkills draft={draft} />}
      {shows('channel_types') && (
        <ChipsRow
          draft={draft}
          field="channel_types"
          kind="channel"
          label="Channels"
          hint="Where it answers"
        />
      )}
      {shows('connection_requirements') && <RecipeNeeds draft={draft} />}
      {shows('mcp_servers') && <RecipeTools draft={draft} />}
      {shows('approval_rules') && <RecipeApprovals draft={draft} />}
      {shows('channel_config') && <RecipeHours draft={draft} />}
      {shows('model_policy') && <RecipeModel draft={draft} />}
      <RecipeMore draft={draft} />
    </fieldset>
  );
}

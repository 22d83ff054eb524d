import { ApiError, type Recipe } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { RecipeAssist } from '../forms/recipe-assist.tsx';
import { type Draft, useDraft } from '../forms/recipe-draft.ts';
import { RecipeForm } from '../forms/recipe-form.tsx';
import { useWrite } from '../queries.ts';
import { Form } from '../ui/form.tsx';
import { Skeleton } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import style from './recipe-edit.module.css';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';
import { RecipeActions } from './recipe-menu.tsx';
import { RecipePlan } from './recipe-plan.tsx';
import { LeavingAsks, Overtaken, Saving } from './recipe-saving.tsx';
import { Views } from './recipe-views.tsx';

const RecipeText = lazy(() =>
  import('../forms/recipe-text.tsx').then(({ RecipeText: component }) => ({ default: component })),
);

const FORM = 'recipe';
const THREE_WAYS = <span className="hint">The same draft, three ways</span>;
const READ_ONLY = <span className="hint">The platform’s: a clone is yours to change</span>;
const route = getRouteApi('/inside/recipes/$recipe_id/edit');

export const RecipeEdit = () => (
  <RecipePage>{(recipe) => <Editor key={recipe.id} recipe={recipe} />}</RecipePage>
);

function Editor({ recipe }: { recipe: Recipe }) {
  const { as } = route.useSearch();
  const draft = useDraft(recipe);
  const [isBroken, setBroken] = useState(false);
  const save = useSave(recipe, draft);
  const isClean = draft.changed.length === 0 && !isBroken;
  const discard = () => {
    draft.discard();
    setBroken(false);
  };
  return (
    <RecipeFrame
      recipe={recipe}
      actions={
        recipe.is_platform_template ? (
          <RecipeActions recipe={recipe} />
        ) : (
          <Saving
            form={FORM}
            recipe={recipe}
            draft={draft}
            isBroken={isBroken}
            discard={discard}
            pending={save.pending}
          />
        )
      }
    >
      <LeavingAsks recipe={recipe} changes={isClean ? 0 : draft.changed.length} />
      <div className={style.two} data-view={as}>
        <div className={style.form}>
          <Views as={as} isBroken={isBroken}>
            {recipe.is_platform_template ? (
              READ_ONLY
            ) : (
              <RecipeAssist draft={draft}>{THREE_WAYS}</RecipeAssist>
            )}
          </Views>
          {recipe.revision > draft.revision && <Overtaken recipe={recipe} draft={draft} />}
          <Form id={FORM} label="Recipe" onSave={save.run}>
            <Fields recipe={recipe} draft={draft} as={as} onBroken={setBroken} />
          </Form>
        </div>
        <div className={style.plan}>
          <RecipePlan recipe={recipe} draft={draft} />
        </div>
      </div>
    </RecipeFrame>
  );
}

interface FieldsProps {
  recipe: Recipe;
  draft: Draft;
  as: string | undefined;
  onBroken: (isBroken: boolean) => void;
}

const Fields = ({ recipe: { is_platform_template }, draft, as, onBroken }: FieldsProps) =>
  as === 'yaml' || as === 'json' ? (
    <Suspense fallback={<Skeleton />}>
      <RecipeText
        key={`${as} ${draft.epoch}`}
        language={as}
        draft={draft}
        readOnly={is_platform_template}
        onBroken={onBroken}
      />
    </Suspense>
  ) : (
    <RecipeForm draft={draft} readOnly={is_platform_template} />
  );

/** Somebody else's revision is no fault of a field: the notice above the form says what to do. */
function useSave(recipe: Recipe, draft: Draft) {
  const update = useWrite('update_recipe');
  const run = async () => {
    if (draft.changed.length === 0) return;
    try {
      const saved = await update.run({
        path: { template_id: recipe.id },
        body: { ...draft.body(), expect_revision: draft.revision },
      });
      draft.saved(saved);
      say(`Saved as r${saved.revision}. No agent changes until it is upgraded.`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
    }
  };
  return { run, pending: update.pending };
}

import type { Recipe, RecipeRevision as Revision } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useId } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { contentOf } from '../rules/recipe-content.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import { Failed } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';
import { RecipeActions } from './recipe-menu.tsx';
import style from './recipe-revision.module.css';
import { RevisionDiff } from './revision-diff.tsx';

const route = getRouteApi('/inside/recipes/$recipe_id/revisions/$revision');

export const RecipeRevision = () => <RecipePage>{(recipe) => <Compared recipe={recipe} />}</RecipePage>;

/** One revision beside another, by default the one before. */
function Compared({ recipe }: { recipe: Recipe }) {
  const number = Number(route.useParams().revision);
  const { against = Math.max(1, number - 1) } = route.useSearch();
  const revision = useRevision(recipe.id, number);
  const other = useRevision(recipe.id, against);
  return (
    <RecipeFrame
      recipe={recipe}
      actions={
        <>
          <RecipeActions recipe={recipe} primary={number >= recipe.revision || recipe.is_platform_template} />
          {number < recipe.revision && !recipe.is_platform_template && (
            <Restore recipe={recipe} revision={number} />
          )}
        </>
      }
    >
      <Answered of={revision}>
        {(shown) => (
          <>
            <About shown={shown} recipe={recipe} against={against} />
            <Answered of={other}>
              {(before) => (
                <RevisionDiff before={number === against ? {} : contentOf(before)} after={contentOf(shown)} />
              )}
            </Answered>
          </>
        )}
      </Answered>
    </RecipeFrame>
  );
}

/** While another one is read, none: two different ones beside each other would say what never was. */
function useRevision(template_id: string, revision: number) {
  const read = useRead('get_recipe_revision', { path: { template_id, revision } });
  return { ...read, data: read.isPlaceholderData ? undefined : read.data };
}

function About({ shown, recipe, against }: { shown: Revision; recipe: Recipe; against: number }) {
  const id = useId();
  const navigate = route.useNavigate();
  const others = Array.from({ length: recipe.revision }, (_, at) => recipe.revision - at);
  return (
    <div className={style.about}>
      <h2 className="mono">r{shown.revision}</h2>
      <span className="hint">
        <Time at={shown.created_at} as="when" />
        {shown.created_by?.name && ` by ${visible(shown.created_by.name)}`}
      </span>
      {recipe.revision > 1 && (
        <span className={style.against}>
          <label htmlFor={id} className="hint">
            beside
          </label>
          <select
            id={id}
            className={field.input}
            value={against}
            onChange={({ target }) =>
              void navigate({ search: { against: Number(target.value) }, replace: true })
            }
          >
            {others
              .filter((each) => each !== shown.revision || each === against)
              .map((each) => (
                <option key={each} value={each}>
                  {each === shown.revision
                    ? 'nothing'
                    : `r${each}${each === recipe.revision ? ', the newest' : ''}`}
                </option>
              ))}
          </select>
        </span>
      )}
    </div>
  );
}

function Restore({ recipe, revision }: { recipe: Recipe; revision: number }) {
  const navigate = route.useNavigate();
  const restore = useWrite('restore_recipe_revision');
  const run = async () => {
    const { revision: made } = await restore.run({
      path: { template_id: recipe.id, revision },
      body: { expect_revision: recipe.revision },
    });
    say(`r${revision} is back as r${made}. No agent changes until it is upgraded.`);
    await navigate({ params: { recipe_id: recipe.id, revision: String(made) }, search: {} });
  };
  return (
    <>
      {restore.error && <Failed error={restore.error} />}
      <Button look="primary" pending={restore.pending} onClick={() => void run().catch(() => undefined)}>
        Restore as r{recipe.revision + 1}
      </Button>
    </>
  );
}

import type { Recipe } from '@agent-control-plane/sdk';
import { useBlocker } from '@tanstack/react-router';
import type { Draft } from '../forms/recipe-draft.ts';
import { useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Signed } from '../ui/status.tsx';
import style from './recipe-edit.module.css';
import { RecipeActions } from './recipe-menu.tsx';

interface SavingProps {
  /** The id of the form that is saved. */
  form: string;
  recipe: Recipe;
  draft: Draft;
  isBroken: boolean;
  discard: () => void;
  pending: boolean;
}

/** Save keeps its place, so that a second click on it does nothing else. */
export function Saving({ form, recipe, draft, isBroken, discard, pending }: SavingProps) {
  const changes = draft.changed.length;
  const isClean = changes === 0 && !isBroken;
  const isOvertaken = recipe.revision > draft.revision;
  return (
    <>
      {isClean ? (
        <>
          <RecipeActions recipe={recipe} primary={false} />
          <span className={`hint ${style.saved}`}>Nothing to save</span>
        </>
      ) : (
        <>
          <span className={style.unsaved}>
            <Signed sign={{ word: '', shape: 'ring', tone: 'wait' }}>
              {isBroken ? 'Not readable yet' : plural(changes, 'unsaved change')}
              {isOvertaken && ' to an older revision'}
            </Signed>
          </span>
          <Button look="plain" onClick={discard}>
            Discard
          </Button>
        </>
      )}
      <Button
        type="submit"
        form={form}
        look="primary"
        pending={pending}
        disabled={isClean || isBroken || isOvertaken}
      >
        Save as r{recipe.revision + 1}
      </Button>
    </>
  );
}

export function Overtaken({ recipe, draft }: { recipe: Recipe; draft: Draft }) {
  const revision = useRead('get_recipe_revision', {
    path: { template_id: recipe.id, revision: recipe.revision },
  });
  const by = revision.data?.created_by?.name;
  return (
    <Notice tone="wait">
      r{recipe.revision} was saved{by && ` by ${visible(by)}`} while you changed r{draft.revision}. Your
      changes are still here.{' '}
      <Button small onClick={() => draft.rebase(recipe)}>
        Put them on r{recipe.revision}
      </Button>
    </Notice>
  );
}

/** Another view of the same draft is no leaving. */
export function LeavingAsks({ recipe, changes }: { recipe: Recipe; changes: number }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changes > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => changes > 0,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>
        {plural(changes, 'change')} of {visible(recipe.name)} {changes === 1 ? 'is' : 'are'} not saved, and{' '}
        {changes === 1 ? 'ends' : 'end'} with this page.
      </p>
      <DialogFoot>
        <Button onClick={blocker.reset}>Stay</Button>
        <Button look="bad" onClick={blocker.proceed}>
          Leave
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

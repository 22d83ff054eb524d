import type { Recipe } from '@agent-control-plane/sdk';
import { useMemo, useState } from 'react';
import { changeBody, contentOf, onlySet } from '../rules/recipe-content.ts';
import { type JsonObject, mergeObjects, patchBetween, valueAt, withValueAt } from '../rules/recipe-patch.ts';

/** The unsaved state of a recipe, as forms and the plan beside them need it. */
export interface Draft {
  /** As it would be saved: the fields that are set. */
  content: JsonObject;
  /** The merge patch over the revision that the draft began from. */
  patch: JsonObject;
  revision: number;
  /** Names of fields that differ. */
  changed: readonly string[];
  /** Another one begins after each discard, and in it editors begin anew. */
  epoch: number;
  at: (...path: string[]) => unknown;
  isChanged: (...path: string[]) => boolean;
  set: (path: readonly string[], value: unknown) => void;
  replace: (content: JsonObject) => void;
  discard: () => void;
  /** Puts the changes on a revision that was saved meanwhile. */
  rebase: (recipe: Recipe) => void;
  saved: (recipe: Recipe) => void;
  body: () => JsonObject;
}

interface State {
  revision: number;
  base: JsonObject;
  patch: JsonObject;
  epoch: number;
}

const begin = (recipe: Recipe, epoch = 0): State => ({
  revision: recipe.revision,
  base: contentOf(recipe),
  patch: {},
  epoch,
});

/** A draft lives as long as its page. One without changes follows the recipe. */
export function useDraft(recipe: Recipe): Draft {
  const [state, setState] = useState(() => begin(recipe));
  const { base, patch, revision, epoch } = state;
  const changed = Object.keys(patch);
  if (changed.length === 0 && recipe.revision > revision) setState(begin(recipe, epoch + 1));
  const content = useMemo(() => mergeObjects(base, patch), [base, patch]);

  const change = (make: (content: JsonObject) => JsonObject) =>
    setState((old) => ({ ...old, patch: patchBetween(old.base, make(mergeObjects(old.base, old.patch))) }));
  return {
    content,
    patch,
    revision,
    changed,
    epoch,
    at: (...path) => valueAt(content, path),
    isChanged: (...path) => isTouched(patch, path),
    set: (path, value) => change((old) => withValueAt(old, path, value)),
    replace: (next) => change(() => onlySet(next)),
    discard: () => setState((old) => ({ ...old, patch: {}, epoch: old.epoch + 1 })),
    rebase: (next) => setState((old) => ({ ...begin(next, old.epoch + 1), patch: old.patch })),
    saved: (next) =>
      setState((old) => {
        const now = begin(next, old.epoch);
        return { ...now, patch: patchBetween(now.base, mergeObjects(old.base, old.patch)) };
      }),
    body: () => changeBody(content, patch),
  };
}

/** The patch says something at the path, around it or below it. */
function isTouched(patch: unknown, path: readonly string[]): boolean {
  const [key, ...below] = path;
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return true;
  if (key === undefined) return Object.keys(patch).length > 0;
  const inside = valueAt(patch, [key]);
  return inside !== undefined && isTouched(inside, below);
}

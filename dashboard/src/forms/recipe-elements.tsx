import type { ReactNode } from 'react';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import type { Draft } from './recipe-draft.ts';
import style from './recipe-form.module.css';
import { elementsAt, setElement } from './recipe-lists.ts';

interface RecipeElementsProps {
  draft: Draft;
  path: readonly string[];
  /** The words of the button. */
  add: string;
  added: JsonObject;
  children: (element: unknown, at: number) => ReactNode;
}

/** The elements of a list, and a button that adds one. */
export function RecipeElements({ draft, path, add, added, children }: RecipeElementsProps) {
  const elements = elementsAt(draft, ...path);
  return (
    <>
      {elements.length > 0 && (
        <ul className={style.list}>
          {elements.map((element, at) => (
            // Elements have no other identity than their place.
            <li key={`element ${at}`}>{children(element, at)}</li>
          ))}
        </ul>
      )}
      <Button
        small
        icon="plus"
        className={style.add}
        onClick={() => setElement(draft, path, elements.length, added)}
      >
        {add}
      </Button>
    </>
  );
}

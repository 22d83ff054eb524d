import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import style from './recipe-edit.module.css';

const VIEWS = [
  [undefined, 'Form'],
  ['yaml', 'YAML'],
  ['json', 'JSON'],
  ['plan', 'Plan'],
] as const;

/** The plan has a view of its own where it does not fit beside the others. */
const classOf = (view: string | undefined) => `${style.view} ${view === 'plan' ? style.narrow : ''}`;

/** A text that cannot be read has no other view: it would be lost. */
export const Views = ({
  as,
  isBroken,
  children,
}: {
  as: string | undefined;
  isBroken: boolean;
  children: ReactNode;
}) => (
  <div className={style.views}>
    <nav aria-label="Views of the draft">
      {VIEWS.map(([view, words]) =>
        isBroken && view !== as ? (
          <span key={words} className={classOf(view)} aria-disabled="true" title="Once the text can be read">
            {words}
          </span>
        ) : (
          <Link
            key={words}
            from="/recipes/$recipe_id/edit"
            to="."
            search={view === undefined ? {} : { as: view }}
            replace
            activeOptions={{ exact: true, includeSearch: true }}
            className={classOf(view)}
          >
            {words}
          </Link>
        ),
      )}
    </nav>
    {children}
  </div>
);

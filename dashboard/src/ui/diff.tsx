import { lineDiff } from '../rules/line-diff.ts';
import { visible } from '../rules/visible-text.ts';
import style from './diff.module.css';

const SIGNS = { same: ' ', gone: '−', new: '+' };
const WORDS = { same: '', gone: 'gone: ', new: 'new: ' };

/** Two texts, line by line. */
export const Diff = ({ before, after, label }: { before: string; after: string; label: string }) => (
  <ol className={style.diff} aria-label={label}>
    {lineDiff(before, after).map(({ is, text }, at) => (
      // Lines have no other identity than their place.
      <li key={`${at}-${is}`} className={style[is]}>
        <span aria-hidden="true">{SIGNS[is]}</span>
        <span className="said">
          <span className="vh">{WORDS[is]}</span>
          {visible(text) || ' '}
        </span>
      </li>
    ))}
  </ol>
);

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import style from './chosen.module.css';

interface ChosenProps {
  n: number;
  /** As "3 timesheets, 22.5 hours". */
  words: string;
  /** Buttons for all that is chosen. */
  children: ReactNode;
  /** In its place while nothing is chosen. */
  none: ReactNode;
  onClear: () => void;
}

/** Between the filters and the table, always as high, so that no row moves at the first choice. */
export const Chosen = ({ n, words, children, none, onClear }: ChosenProps) => (
  <div className={style.bar} data-chosen={n > 0 || undefined}>
    <p role="status">{n === 0 ? none : words}</p>
    {n > 0 && (
      <>
        {children}
        <Button small look="plain" icon="close" aria-label="Choose none" onClick={onClear} />
      </>
    )}
  </div>
);

import { useRef } from 'react';
import { visible } from '../rules/visible-text.ts';
import { useFollowEnd } from './follow-end.ts';
import style from './log-view.module.css';

interface LogViewProps {
  label: string;
  /** Oldest first; `at` is ready to read. */
  lines: readonly { id: number; at: string; text: string }[];
}

const keyOf = (line: { id: number } | undefined) => line && String(line.id);

/** Lines as they come. It goes on with them only while its end is in sight, so nobody loses the place. */
export function LogView({ label, lines }: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  useFollowEnd(box, { first: keyOf(lines[0]), last: keyOf(lines.at(-1)) });
  return (
    <div ref={box} className={style.log} role="log" aria-label={label} aria-live="off" tabIndex={0}>
      {lines.map(({ id, at, text }) => (
        <p key={id}>
          <span className="muted">{at}</span>
          <span>{visible(text)}</span>
        </p>
      ))}
    </div>
  );
}

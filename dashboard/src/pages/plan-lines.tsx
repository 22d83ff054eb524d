import type { PlanLine } from '../rules/plan-lines.ts';
import { visible } from '../rules/visible-text.ts';
import style from './recipe-plan.module.css';

const ACTORS = { control_plane: 'control plane', runtime: 'runtime', nobody: 'nobody' };
const ORIGINS = { platform: 'Of the platform', recipe: 'Of the recipe' };

interface LinesProps {
  lines: readonly PlanLine[];
  /** Says of a part that is neither the platform’s nor the recipe’s why it is there. */
  override?: string;
}

/** Lists what an agent gets, where each of it comes from, and who acts on it. */
export function Lines({ lines, override = 'Not saved yet' }: LinesProps) {
  if (lines.length === 0)
    return <p className={`hint ${style.none}`}>Nothing is set, so it has the platform’s own behaviour.</p>;
  return (
    <ul className={style.lines}>
      {lines.map(({ pointer, name, isPart, value, actor, origin }) => (
        <li key={pointer} data-origin={origin} data-dead={actor === 'nobody' || undefined}>
          <span className="mono one" title={pointer} data-part={isPart || undefined}>
            {name}
          </span>
          <span className={`mono one ${style.value}`} title={visible(value)}>
            {visible(value)}
          </span>
          <span className={`hint ${style.by}`}>
            <span className="vh">{origin === 'override' ? override : ORIGINS[origin]}, acted on by </span>
            {ACTORS[actor]}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Enough of it to tell two plans apart. */
export const HashWords = ({ hash }: { hash: string }) => (
  <span className="mono" title={hash}>
    {hash.slice(0, 12).replaceAll(/(.{4})(?=.)/g, '$1 ')}
  </span>
);

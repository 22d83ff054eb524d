import type { Result } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { signOf } from '../rules/status.ts';
import { count, plural } from '../rules/words.ts';
import { Signed } from '../ui/status.tsx';
import style from './overview.module.css';

type Counts = Result<'get_overview'>['instances'];
type State = keyof Counts;

const STATES: readonly State[] = ['running', 'provisioning', 'pending', 'failed', 'stopped', 'terminating'];
/** Above this each mark stands for several agents. */
const MARKS = 50;

/** Agents by state, one mark each. */
export function Fleet({ instances, outdated }: { instances: Counts; outdated: number }) {
  const states = STATES.filter((state) => instances[state] > 0);
  const total = states.reduce((sum, state) => sum + instances[state], 0);
  if (total === 0) return null;
  const words = states.map((state) => `${count(instances[state])} ${signOf('instance', state).word}`);
  return (
    <section className={style.fleet} aria-label="Agents by state">
      <div className={style.strip} role="img" aria-label={words.join(', ')}>
        {states.flatMap((state) => {
          const marks = Math.max(1, Math.round((instances[state] / total) * Math.min(total, MARKS)));
          return Array.from({ length: marks }, (_, nth) => (
            <i key={`${state} ${nth + 1}`} className={style[signOf('instance', state).tone]} />
          ));
        })}
      </div>
      <p className={style.legend}>
        {states.map((state) => (
          <Link key={state} to="/instances" search={{ status: state }}>
            <Signed sign={signOf('instance', state)}>
              <b className="num">{count(instances[state])}</b> {signOf('instance', state).word}
            </Signed>
          </Link>
        ))}
        {outdated > 0 && (
          <Link to="/instances" className="hint link">
            {plural(outdated, 'agent runs', 'agents run')} an older revision of{' '}
            {outdated === 1 ? 'its' : 'their'} recipe
          </Link>
        )}
      </p>
    </section>
  );
}

import { clock } from '../rules/time.ts';
import { plural } from '../rules/words.ts';
import style from './chart.module.css';

/** From here on somebody should know that the limit is near. */
export const NEAR = 0.9;

interface MeterProps {
  share: number;
  label: string;
  /** Its end is no limit. */
  plain?: boolean;
}

/** Share of a limit, 0 to 1. */
export function Meter({ share, label, plain = false }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span
      className={style.meter}
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      data-near={(!plain && share >= NEAR) || undefined}
      data-full={(!plain && share >= 1) || undefined}
    >
      <i style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}

/** How much of a work is done, 0 to 1. */
export function Progress({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span className={style.meter} role="progressbar" aria-label={label} aria-valuenow={percent}>
      <i style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}

export interface Tick {
  at: string;
  by_agent: number;
  by_person: number;
  failed: number;
}

const STEP = 10;
const HEIGHT = 64;
const LABELS = 6;

/** One tick a quarter of an hour: grey agents, blue people, red below failed. */
export function Trace({
  ticks,
  label,
  short = false,
}: {
  ticks: readonly Tick[];
  label: string;
  short?: boolean;
}) {
  const most = Math.max(1, ...ticks.map(({ by_agent, by_person }) => by_agent + by_person));
  const heightOf = (n: number) => (n === 0 ? 0 : Math.max(2, (n / most) * HEIGHT));
  const width = Math.max(1, ticks.length) * STEP;
  const every = Math.ceil(ticks.length / LABELS);
  const sum = (field: 'by_agent' | 'by_person' | 'failed') =>
    ticks.reduce((total, tick) => total + tick[field], 0);
  const words = `${label}: ${plural(sum('by_agent'), 'answer')} of agents, ${sum('by_person')} of people, ${sum('failed')} failed`;
  return (
    <svg
      className={style.trace}
      viewBox={`0 0 ${width} ${short ? HEIGHT + 10 : HEIGHT + 24}`}
      role="img"
      aria-label={words}
    >
      {ticks.map((tick, at) => {
        const person = heightOf(tick.by_person);
        const agent = heightOf(tick.by_agent);
        const x = at * STEP;
        return (
          <g key={tick.at}>
            <title>{`${clock(tick.at)}: ${tick.by_agent} by agents, ${tick.by_person} by people, ${tick.failed} failed`}</title>
            {agent + person === 0 && <rect x={x} y={HEIGHT - 1} width="4" height="1" />}
            <rect x={x} y={HEIGHT - person - agent} width="4" height={agent} rx=".5" />
            <rect x={x} y={HEIGHT - person} width="4" height={person} rx=".5" className={style.person} />
            {tick.failed > 0 && (
              <rect x={x} y={HEIGHT + 3} width="4" height="5" rx=".5" className={style.failed} />
            )}
            {!short && at % every === 0 && (
              <text x={x} y={HEIGHT + 21}>
                {clock(tick.at)}
              </text>
            )}
          </g>
        );
      })}
      <line x1="0" x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
    </svg>
  );
}

import { useRead } from '../queries.ts';
import { took } from '../rules/time.ts';
import { count } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { type Tick, Trace } from '../ui/chart.tsx';
import style from './overview.module.css';

/** 24 hours of answers. */
export function Pulse() {
  const activity = useRead('get_activity', { query: { hours: 24 } });
  return (
    <section className={style.pulse} aria-label="Answers in the last 24 hours">
      <Answered of={activity}>
        {({ items, answer_seconds_p50 }) => (
          <>
            <div className={style.figures}>
              <Figure of="Messages, last 24 hours" n={sumOf(items, 'received')} large />
              <Figure of="agents answered" n={sumOf(items, 'by_agent')} mark="agents" />
              <Figure of="people answered" n={sumOf(items, 'by_person')} mark="people" />
              <Figure of="failed" n={sumOf(items, 'failed')} mark="failed" />
              {answer_seconds_p50 !== null && (
                <div className={style.half}>
                  <p className="hint">Half of the answers within</p>
                  <p className={`num ${style.figure}`}>{took(answer_seconds_p50 * 1000)}</p>
                </div>
              )}
            </div>
            <Trace ticks={items} label="Answers by quarters of an hour" />
          </>
        )}
      </Answered>
    </section>
  );
}

type Counted = Tick & { received: number };

const sumOf = (items: readonly Counted[], field: Exclude<keyof Counted, 'at'>) =>
  items.reduce((sum, item) => sum + item[field], 0);

interface FigureProps {
  of: string;
  n: number;
  large?: boolean;
  mark?: 'agents' | 'people' | 'failed';
}

const Figure = ({ of, n, large, mark }: FigureProps) => (
  <div>
    <p className="hint">
      {mark && <i className={style[mark]} />}
      {of}
    </p>
    <p className={`num ${large ? style.large : style.figure}`}>{count(n)}</p>
  </div>
);

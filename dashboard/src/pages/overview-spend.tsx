import type { Result } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { costWords, money } from '../rules/money.ts';
import { plural } from '../rules/words.ts';
import { Meter } from '../ui/chart.tsx';
import { Panel } from '../ui/panel.tsx';
import style from './overview.module.css';

type Month = NonNullable<Result<'get_overview'>['month']>;

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', timeZone: 'UTC' });

/** This month's cost of models, against the limit where there is one. */
export function Spend({ month: { from, cost, limit, calls, unpriced_calls } }: { month: Month }) {
  return (
    <Panel
      title={`Language models, ${monthName.format(new Date(from))}`}
      aside={
        <Link to="/usage" className="hint link">
          By day, customer, model
        </Link>
      }
    >
      <div className={style.spend}>
        <div className={style.line}>
          <p className={`num ${style.large}`}>
            {calls === 0 ? '$0.00' : cost === null ? 'No price' : money(cost)}
          </p>
          <p className="hint num">
            {[
              limit !== null && `of ${money(limit)}`,
              plural(calls, 'call'),
              unpriced_calls > 0 && cost !== null && costWords(null, unpriced_calls),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        {limit !== null && limit > 0 && (
          <Meter share={Number(cost ?? 0) / limit} label="Share of this month’s limit" />
        )}
      </div>
    </Panel>
  );
}

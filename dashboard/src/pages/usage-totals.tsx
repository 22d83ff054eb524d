import type { ReactNode } from 'react';
import { useRead } from '../queries.ts';
import { money } from '../rules/money.ts';
import { compact, costOf, periodOf, type Span, type UsageSums } from '../rules/usage.ts';
import { visible } from '../rules/visible-text.ts';
import { count, listed, plural } from '../rules/words.ts';
import { Meter } from '../ui/chart.tsx';
import { ShapeMark } from '../ui/status.tsx';
import style from './usage.module.css';

interface Only {
  customer_id?: string;
  instance_id?: string;
}

interface TotalsProps {
  of: UsageSums;
  span: Span;
  only: Only;
  today: string;
}

export function Totals({ of, span, only, today }: TotalsProps) {
  const isMonth = periodOf(span, today) === 'month';
  const isWhole = only.customer_id === undefined && only.instance_id === undefined;
  return (
    <div className={style.totals}>
      <div className={style.cost}>
        <p className="hint">{isMonth ? 'Cost so far' : 'Cost'}</p>
        <p>
          <strong className="num">{costOf(of)}</strong>{' '}
          {of.unpriced_calls > 0 && of.cost !== null && (
            <span className="muted num">+ {plural(of.unpriced_calls, 'call')} without a price</span>
          )}
        </p>
        {isMonth && isWhole && <OfLimit />}
      </div>
      <Figure name="Calls" value={count(of.calls)} />
      <Figure
        name="Tokens in, cached"
        value={compact(of.input_tokens)}
        more={compact(of.cached_input_tokens)}
      />
      <Figure name="Tokens out" value={compact(of.output_tokens)} />
      {of.audio_seconds > 0 && (
        <Figure name="Recordings" value={`${compact(Math.ceil(of.audio_seconds / 60))} min`} />
      )}
      <div className={style.unknown}>
        {of.unpriced_calls > 0 && <Unpriced n={of.unpriced_calls} span={span} only={only} />}
        {of.estimated_calls > 0 && (
          <p className="hint">
            The tokens of {plural(of.estimated_calls, 'call')} are estimated: the provider said none
          </p>
        )}
      </div>
    </div>
  );
}

const Figure = ({ name, value, more }: { name: string; value: string; more?: ReactNode }) => (
  <div>
    <p className="hint">{name}</p>
    <p className={`num ${style.figure}`}>
      {value} {more !== undefined && <span className="muted">{more}</span>}
    </p>
  </div>
);

/** The operator's limit of the month, which counts the operator's own providers alone. */
function OfLimit() {
  const { data } = useRead('list_limits', {});
  const cost = data?.items.find(({ name }) => name === 'monthly_cost');
  if (!cost || cost.limit === null) return null;
  const share = cost.limit === 0 ? 1 : (cost.used ?? 0) / cost.limit;
  return (
    <>
      <p className="hint num">of {money(cost.limit)} for the tenant, until the end of the month</p>
      <Meter share={share} label="Cost of this month’s limit" />
    </>
  );
}

function Unpriced({ n, span, only }: { n: number; span: Span; only: Only }) {
  const { data } = useRead('get_usage', { query: { ...span, ...only, group_by: 'model' } });
  const models = (data?.items ?? []).flatMap(({ model, unpriced_calls }) =>
    model !== undefined && unpriced_calls > 0 ? visible(model) : [],
  );
  return (
    <>
      <p>
        <ShapeMark shape="ring" tone="wait" size={10} /> {plural(n, 'call has', 'calls have')} no price
      </p>
      {models.length > 0 && <p className="hint">{listed(models)}: what they cost stays unknown</p>}
    </>
  );
}

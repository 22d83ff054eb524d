import type { InstanceDetail } from '@agent-control-plane/sdk';
import { money } from '../rules/money.ts';
import { count } from '../rules/words.ts';
import { Meter } from '../ui/chart.tsx';
import { Time } from '../ui/time.tsx';
import style from './instance-configuration.module.css';

/** Spent this month, of the limits that there are. */
export function Budget({ of }: { of: InstanceDetail['budget'] }) {
  const { monthly_cost, monthly_tokens, spent_cost, spent_tokens, per, resets_at } = of;
  const share =
    monthly_cost === null
      ? monthly_tokens === null
        ? undefined
        : spent_tokens / Math.max(1, monthly_tokens)
      : Number(spent_cost) / Math.max(0.01, Number(monthly_cost));
  return (
    <span className={style.budget}>
      <span>
        {money(spent_cost)}
        {monthly_cost !== null && ` of ${money(monthly_cost)}`}
        <span className="muted">
          , {count(spent_tokens)}
          {monthly_tokens !== null && ` of ${count(monthly_tokens)}`} tokens
          {per === 'customer' && ' of all agents of the customer'}
        </span>
      </span>
      {share === undefined ? (
        <span className="hint">No limit is set.</span>
      ) : (
        <>
          <Meter share={share} label="Share of the budget that is spent" />
          <span className="hint">
            Anew from <Time at={resets_at} as="when" />
          </span>
        </>
      )}
    </span>
  );
}

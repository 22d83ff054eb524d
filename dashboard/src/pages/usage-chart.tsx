import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { operation, useRead } from '../queries.ts';
import { day } from '../rules/time.ts';
import {
  type Daily,
  dailyOf,
  daysOf,
  formatOf,
  type Group,
  keyOf,
  largest,
  type Measure,
  measured,
  nameOf,
  type Span,
  stackOf,
  type UsageItem,
} from '../rules/usage.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Bars } from '../ui/bars.tsx';

interface Shown {
  items: readonly UsageItem[];
  group: Group;
  measure: Measure;
  span: Span;
  only: { customer_id?: string; instance_id?: string };
  today: string;
}

const WORDS: Record<Measure, string> = { cost: 'Cost', tokens: 'Tokens', calls: 'Calls' };
const GROUP_WORDS: Record<Group, string> = {
  model: 'day and model',
  customer: 'day and customer',
  instance: 'day and agent',
  recipe: 'day and recipe',
  day: 'day',
};

/** Each day's sum, of which the largest groups are told apart. */
export function UsageChart({ of }: { of: Shown }) {
  const { items, group, measure, span, only, today } = of;
  const named = group === 'day' ? [] : largest(items, measure, group);
  const keys = named.map((item) => keyOf(group, item));
  const totals = useRead('get_usage', { query: { ...span, ...only, group_by: 'day' } });
  const daily = useDaily(of, keys);
  const days = daysOf(span);
  const isOneMonth = span.from.slice(0, 7) === span.to.slice(0, 7);
  return (
    <Answered of={totals}>
      {(byDay) => {
        const sums = new Map(byDay.items.map((item) => [item.day ?? '', measured(measure, item)]));
        const { hasOthers, values } = stackOf(days, keys, daily, sums);
        const names = named.map((item) => visible(nameOf(group, item)));
        const rest = names.length === 0 ? 'All' : 'All others';
        return (
          <Bars
            label={`${WORDS[measure]} by ${GROUP_WORDS[group]}. The table below has the sums.`}
            bars={days.map((each, at) => ({
              label: day(each),
              ...(isOneMonth && { short: String(Number(each.slice(8))) }),
              values: values[at] ?? [],
            }))}
            series={hasOthers ? [...names, rest] : names}
            format={formatOf(measure)}
            now={days.indexOf(today)}
          />
        );
      }}
    </Answered>
  );
}

/** There are few models and recipes; customers and agents may be thousands, of which the largest alone are read. */
function useDaily({ group, measure, span, only }: Shown, keys: readonly string[]): Daily {
  const isFew = group === 'model' || group === 'recipe';
  const few = useRead(
    'get_usage',
    { query: { ...span, ...only, group_by: `day,${group}` } },
    { enabled: isFew },
  );
  const many = useQueries({
    queries: (group === 'customer' || group === 'instance' ? keys : []).map((key) => ({
      ...operation('get_usage', {
        query: { ...span, ...only, [`${group}_id`]: key, group_by: `day,${group}` },
      }),
      placeholderData: keepPreviousData,
    })),
  });
  const items = isFew ? (few.data?.items ?? []) : many.flatMap(({ data }) => data?.items ?? []);
  return dailyOf(items, group, measure);
}

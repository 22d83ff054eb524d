import type { Usage } from '@agent-control-plane/sdk';
import { useRead } from '../queries.ts';
import { toCsv } from '../rules/csv.ts';
import { type Group, keyOf, nameOf, PERIODS, periodOf, type Span, spanOf } from '../rules/usage.ts';
import { visible } from '../rules/visible-text.ts';
import type { Option } from '../ui/combobox.tsx';
import { Days } from '../ui/days.tsx';
import { Exported } from '../ui/export.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import { FoundFilter } from './found-filter.tsx';
import style from './usage.module.css';
import { useWhose } from './whose.ts';

interface Search {
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  customer_id?: string | undefined;
  instance_id?: string | undefined;
}

interface ControlsProps {
  of: { group: Group; span: Span; search: Search; today: string };
  change: (next: Search) => void;
  usage: Usage | undefined;
}

const GROUP_WORDS: readonly (readonly [Group, string])[] = [
  ['model', 'by model'],
  ['customer', 'by customer'],
  ['instance', 'by agent'],
  ['recipe', 'by recipe'],
  ['day', 'by day'],
];

const PERIOD_WORDS = {
  month: 'This month',
  last_month: 'Last month',
  week: 'Last 7 days',
  thirty: 'Last 30 days',
} as const;
const OTHER = '';

export function UsageControls({ of: { group, span, search, today }, change, usage }: ControlsProps) {
  const period = periodOf(span, today);
  const choices = PERIODS.map((each) => [each, PERIOD_WORDS[each]] as const);
  return (
    <div className={style.controls}>
      <FoundFilter
        label="Customer or agent"
        kinds={['customer', 'instance']}
        chosen={useScope(search)}
        onChoose={(item) =>
          change({
            customer_id: item?.kind === 'customer' ? item.id : undefined,
            instance_id: item?.kind === 'instance' ? item.id : undefined,
          })
        }
      />
      <SelectFilter
        label="Period"
        value={period ?? OTHER}
        choices={period ? choices : [[OTHER, 'Other days'], ...choices]}
        onChoose={(to) => {
          const chosen = PERIODS.find((each) => each === to);
          if (chosen) change(chosen === 'month' ? { from: undefined, to: undefined } : spanOf(chosen, today));
        }}
      />
      <SelectFilter
        label="Grouped"
        value={group}
        choices={GROUP_WORDS}
        onChoose={(by) => change({ by: by === 'model' ? undefined : by })}
      />
      <span className={style.export}>
        <Exported
          name={`usage-by-${group}-${span.from}.csv`}
          rows={() => Promise.resolve(csvOf(group, usage))}
        />
      </span>
      <Days from={span.from} to={span.to} onChange={(days) => change({ ...span, ...days })} />
    </div>
  );
}

function useScope({ customer_id, instance_id = '' }: Search): Option | undefined {
  const customer = useWhose({ customer_id });
  const agent = useRead('get_instance', { path: { instance_id } }, { enabled: instance_id !== '' });
  if (instance_id !== '') return agent.data && { id: instance_id, name: visible(agent.data.hostname) };
  return customer;
}

const csvOf = (group: Group, usage: Usage | undefined): string =>
  toCsv([
    [
      group,
      'id',
      'calls',
      'input_tokens',
      'cached_input_tokens',
      'output_tokens',
      'unpriced_calls',
      'estimated_calls',
      'audio_seconds',
      'cost',
    ],
    ...(usage?.items ?? []).map((item) => [
      nameOf(group, item),
      keyOf(group, item),
      item.calls,
      item.input_tokens,
      item.cached_input_tokens,
      item.output_tokens,
      item.unpriced_calls,
      item.estimated_calls,
      item.audio_seconds,
      item.cost,
    ]),
  ]);

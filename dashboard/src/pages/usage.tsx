import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import {
  GROUPS,
  type Group,
  groupOf,
  MEASURES,
  type Measure,
  type Span,
  spanOf,
  type UsageItem,
} from '../rules/usage.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import style from './usage.module.css';
import { Budgets } from './usage-budgets.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageControls } from './usage-controls.tsx';
import { UsageLimits } from './usage-limits.tsx';
import { UsageTable } from './usage-table.tsx';
import { Totals } from './usage-totals.tsx';

const route = getRouteApi('/inside/usage');

const MEASURE_WORDS: readonly (readonly [Measure, string])[] = [
  ['cost', 'Cost'],
  ['tokens', 'Tokens'],
  ['calls', 'Calls'],
];

/** No hint tells of calls. */
const EVERY_MS = 60_000;

const today = () => new Date().toISOString().slice(0, 10);

export function UsagePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useRead('get_me', {});
  const { from, to } = { ...spanOf('month', today()), ...definedOf(search) };
  const span = { from, to };
  const group: Group = GROUPS.find((each) => each === search.by) ?? 'model';
  const only = {
    ...(search.customer_id && { customer_id: search.customer_id }),
    ...(search.instance_id && { instance_id: search.instance_id }),
  };
  const usage = useRead('get_usage', { query: { ...span, ...only, group_by: group } }, { every: EVERY_MS });
  const change = (next: Search) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace: true });
  return (
    <Page title="Usage" sub="What language models were used for, and what they cost. Days are UTC.">
      <UsageControls of={{ group, span, search, today: today() }} change={change} usage={usage.data} />
      <Answered of={usage}>
        {({ items, truncated, total }) => (
          <>
            <Totals of={total} span={span} only={only} today={today()} />
            {total.calls === 0 ? (
              <NoUsage lookBack={() => change(spanOf('thirty', today()))} />
            ) : (
              <Shown
                items={items}
                isCut={truncated}
                group={groupOf(items, group)}
                measure={measureOf(search.measure, total.cost)}
                span={span}
                only={only}
              />
            )}
          </>
        )}
      </Answered>
      {me?.role === 'admin' && <Budgets />}
      <UsageLimits isAdmin={me?.role === 'admin'} />
    </Page>
  );
}

type Search = ReturnType<typeof route.useSearch>;

interface ShownProps {
  items: readonly UsageItem[];
  isCut: boolean;
  group: Group;
  measure: Measure;
  span: Span;
  only: { customer_id?: string; instance_id?: string };
}

/** As bars, and the same as a table. */
function Shown({ items, isCut, group, measure, span, only }: ShownProps) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className={style.measures}>
        <Chips
          label="Shown"
          of={MEASURE_WORDS}
          chosen={measure}
          onChoose={(each) => void navigate({ search: (old) => ({ ...old, measure: each }), replace: true })}
        />
      </div>
      <UsageChart of={{ items, group, measure, span, only, today: today() }} />
      <UsageTable
        of={{ items, isCut, group, measure, page }}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
      />
    </>
  );
}

const NoUsage = ({ lookBack }: { lookBack: () => void }) => (
  <Empty action={<Button onClick={lookBack}>Look at the last 30 days</Button>} command="agentctl usage">
    No language model was called in these days.
  </Empty>
);

/** Without any price, tokens say more than a cost of nothing. */
const measureOf = (asked: string | undefined, cost: string | null): Measure =>
  MEASURES.find((each) => each === asked) ?? (cost === null ? 'tokens' : 'cost');

const definedOf = ({ from, to }: { from?: string; to?: string }) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

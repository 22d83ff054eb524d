import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { toCsv } from '../rules/csv.ts';
import { acp } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Days } from '../ui/days.tsx';
import { Exported } from '../ui/export.tsx';
import { Empty } from '../ui/notice.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { FoundFilter } from './found-filter.tsx';
import { TimesheetList, type TimesheetState } from './timesheet-list.tsx';
import { useWhose } from './whose.ts';

const STATES = [
  ['submitted', 'Waiting'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['all', 'All'],
] as const;

const route = getRouteApi('/inside/workforce/timesheets');

export function Timesheets() {
  const { page = 1, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [state] = STATES.find(([each]) => each === search.status) ?? STATES[0];
  const query = queryOf(state, search);
  const list = useRead('list_tenant_timesheets', { query: { ...query, page, per_page: 50 } });
  const change = (next: Search) =>
    void navigate({ search: (old) => ({ ...old, ...next, page: undefined }), replace: true });
  return (
    <>
      <Filters of={search} state={state} change={change} csv={() => csvOf(query)} />
      <TimesheetList
        key={JSON.stringify([query, page])}
        of={list}
        state={state}
        isOfAll
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <NoTimesheets
            state={state}
            isNarrowed={Object.keys(query).some((each) => each !== 'status')}
            showAll={() => void navigate({ search: { status: 'all' } })}
          />
        }
      />
    </>
  );
}

type Search = ReturnType<typeof route.useSearch>;

const queryOf = (state: TimesheetState, { customer_id, person_id, from, to }: Search) => ({
  ...(state !== 'all' && { status: state }),
  ...(customer_id && { customer_id }),
  ...(person_id && { person_id }),
  ...(from && { from }),
  ...(to && { to }),
});

interface FiltersProps {
  of: Search;
  state: TimesheetState;
  change: (next: Search) => void;
  csv: () => Promise<string>;
}

const Filters = ({ of, state, change, csv }: FiltersProps) => (
  <Toolbar actions={<Exported name="timesheets.csv" rows={csv} />}>
    <Chips
      label="State"
      of={STATES}
      chosen={state}
      onChoose={(to) => change({ status: to === 'submitted' ? undefined : to })}
    />
    <FoundFilter
      label="Customer or person"
      kinds={['customer', 'person']}
      chosen={useWhose(of)}
      onChoose={(item) => change(whoseOf(item))}
    />
    <Days from={of.from ?? ''} to={of.to ?? ''} onChange={change} />
  </Toolbar>
);

const whoseOf = (item: { kind: string; id: string; customer_id?: string | null } | undefined) => ({
  customer_id: (item?.kind === 'person' ? item.customer_id : item?.id) ?? undefined,
  person_id: item?.kind === 'person' ? item.id : undefined,
});

interface NoTimesheetsProps {
  state: TimesheetState;
  /** By customer, person or days. */
  isNarrowed: boolean;
  showAll: () => void;
}

const NoTimesheets = ({ state, isNarrowed, showAll }: NoTimesheetsProps) =>
  state === 'all' && !isNarrowed ? (
    <Empty command="agentctl timesheets list">
      There are no timesheets yet. People on the staff send their hours to an agent in the chat.
    </Empty>
  ) : (
    <Empty action={<Button onClick={showAll}>Show all</Button>} command="agentctl timesheets list">
      {state === 'submitted' && !isNarrowed
        ? 'No hours wait for a decision.'
        : 'There are no such timesheets.'}
    </Empty>
  );

async function csvOf(query: ReturnType<typeof queryOf>) {
  const rows: (string | number | null)[][] = [
    ['customer', 'person', 'day', 'hours', 'rate', 'description', 'job', 'state', 'warnings', 'id'],
  ];
  for await (const each of acp.each('list_tenant_timesheets', { query }))
    rows.push([
      each.customer_name,
      each.person_name,
      each.date,
      each.hours,
      each.rate,
      each.description,
      each.job_id,
      each.status,
      each.warnings.join(' '),
      each.id,
    ]);
  return toCsv(rows);
}

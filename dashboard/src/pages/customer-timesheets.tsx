import type { Query, TimesheetStatus } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { toCsv } from '../rules/csv.ts';
import { acp } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Exported } from '../ui/export.tsx';
import { Empty } from '../ui/notice.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { TimesheetList } from './timesheet-list.tsx';

const route = getRouteApi('/inside/customers/$customer_id/timesheets');

const STATES = [
  ['submitted', 'Waiting'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['all', 'All'],
] as const;

const STATUSES: readonly TimesheetStatus[] = ['submitted', 'approved', 'rejected'];

export function CustomerTimesheets() {
  const { customer_id } = route.useParams();
  const { page = 1, status = 'submitted' } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = STATUSES.find((each) => each === status);
  const query = { ...(chosen && { status: chosen }) };
  const list = useRead('list_timesheets', { path: { customer_id }, query: { ...query, page, per_page: 50 } });
  const show = (to: string) => void navigate({ search: { ...(to !== 'submitted' && { status: to }) } });
  return (
    <>
      <Toolbar actions={<Exported name="timesheets.csv" rows={() => csvOf(customer_id, query)} />}>
        <Chips label="State" of={STATES} chosen={chosen ?? 'all'} onChoose={show} />
      </Toolbar>
      <TimesheetList
        key={`${status} ${page}`}
        of={list}
        state={chosen ?? 'all'}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          chosen === 'submitted' ? (
            <Empty action={<Button onClick={() => show('all')}>Show all</Button>}>
              No timesheet waits for a decision.
            </Empty>
          ) : (
            <Empty command="agentctl timesheets list">
              No timesheet here. People send their hours to their agent.
            </Empty>
          )
        }
      />
    </>
  );
}

async function csvOf(customer_id: string, query: Pick<Query<'list_timesheets'>, 'status'>) {
  const rows: (string | number | null)[][] = [
    ['day', 'person', 'hours', 'description', 'job', 'rate', 'state'],
  ];
  for await (const each of acp.each('list_timesheets', { path: { customer_id }, query }))
    rows.push([
      each.date,
      each.person_name,
      each.hours,
      each.description,
      each.job_id,
      each.rate,
      each.status,
    ]);
  return toCsv(rows);
}

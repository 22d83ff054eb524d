import type { Timesheet, TimesheetPage, TimesheetStatus } from '@agent-control-plane/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { dayShort } from '../rules/zone.ts';
import { Button } from '../ui/button.tsx';
import { Chosen } from '../ui/chosen.tsx';
import { Listed } from '../ui/listed.tsx';
import { Failed } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { personName, timesheetColumns } from './timesheet-columns.tsx';

const DONE: Record<TimesheetStatus, string> = {
  approved: 'approved',
  rejected: 'rejected',
  submitted: 'waiting again',
};

export type TimesheetState = TimesheetStatus | 'all';

interface Props {
  of: Pick<UseQueryResult<TimesheetPage>, 'data' | 'error' | 'refetch'>;
  state: TimesheetState;
  /** The list is of all customers. */
  isOfAll?: boolean;
  onPage: (page: number) => void;
  empty: ReactNode;
}

/** Hours that people sent, decided by row or by selection. */
export function TimesheetList({ of, state, isOfAll = false, onPage, empty }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { faults, error, pending, decide } = useDecisions();
  const rows = of.data?.items ?? [];
  const picked = rows.filter(({ id }) => chosen.has(id));
  const hours = Math.round(picked.reduce((sum, each) => sum + each.hours, 0) * 100) / 100;
  const decideAll = (to: TimesheetStatus) => {
    setChosen(new Set());
    decide(
      picked.map(({ id }) => id),
      to,
    );
  };
  const names = new Map(rows.map((row) => [row.id, `${personName(row)}, ${dayShort(row.date)}`]));
  return (
    <>
      {error !== null && <Failed error={error} />}
      {rows.length > 0 && (
        <Chosen
          n={picked.length}
          words={`${plural(picked.length, 'timesheet')}, ${plural(hours, 'hour')}`}
          none={summary(state, of.data?.total ?? 0)}
          onClear={() => setChosen(new Set())}
        >
          <DecideAll rows={picked} decide={decideAll} />
        </Chosen>
      )}
      <Listed
        of={of}
        rows={({ items }) => items}
        label="Timesheets"
        columns={timesheetColumns(
          { faults, pending, decide: (id, to) => decide([id], to) },
          { isMixed: state === 'all', isOfAll },
        )}
        selection={{ chosen, onChoose: setChosen, nameOf: (id) => names.get(id) ?? id }}
        onPage={onPage}
        empty={empty}
      />
    </>
  );
}

/** Each is decided on its own; the words on those that were not stay at their rows until the next decision. */
function useDecisions() {
  const write = useWrite('decide_timesheets');
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const run = async (ids: string[], status: TimesheetStatus) => {
    setFaults(new Map());
    const { updated, errors } = await write.run({ body: { ids, status } });
    setFaults(new Map(errors.map(({ index, msg }) => [ids[index] ?? '', visible(msg)])));
    if (updated > 0) say(`${plural(updated, 'timesheet is', 'timesheets are')} ${DONE[status]}.`);
  };
  return {
    faults,
    error: write.error,
    pending: new Set(write.pending ? write.input?.body.ids : []),
    // A refusal stands above the list.
    decide: (ids: string[], status: TimesheetStatus) => void run(ids, status).catch(() => undefined),
  };
}

interface DecideAllProps {
  rows: readonly Timesheet[];
  decide: (status: TimesheetStatus) => void;
}

function DecideAll({ rows, decide }: DecideAllProps) {
  const hasOther = (status: TimesheetStatus) => rows.some((row) => row.status !== status);
  return (
    <>
      {hasOther('approved') && (
        <Button small look="primary" onClick={() => decide('approved')}>
          Approve
        </Button>
      )}
      {hasOther('rejected') && (
        <Button small onClick={() => decide('rejected')}>
          Reject
        </Button>
      )}
      {hasOther('submitted') && (
        <Button small onClick={() => decide('submitted')}>
          Let wait again
        </Button>
      )}
    </>
  );
}

const summary = (state: TimesheetState, total: number): string =>
  ({
    submitted: `${plural(total, 'timesheet waits', 'timesheets wait')} for a decision`,
    approved: plural(total, 'approved timesheet'),
    rejected: plural(total, 'rejected timesheet'),
    all: `${plural(total, 'timesheet')}, the newest first`,
  })[state];

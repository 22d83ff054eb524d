import type { Timesheet, TimesheetStatus } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { customerPath, opening } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { dayShort } from '../rules/zone.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import style from './workforce.module.css';

const WARNINGS: Record<Timesheet['warnings'][number], string> = {
  future: 'Sent before the day began',
  over_24_h: 'More than 24 hours on that day',
};

export const personName = ({ person_name }: Pick<Timesheet, 'person_name'>): string =>
  person_name === null ? 'Somebody who was removed' : visible(person_name);

const CUSTOMER: Column<Timesheet> = {
  name: 'Customer',
  priority: 2,
  cell: ({ customer_id, customer_name }) => (
    <Link to={customerPath(customer_id, 'timesheets')} className="link">
      <Name of={customer_name ?? 'Customer'} />
    </Link>
  ),
};

interface Deciding {
  /** The server's words on those that stayed as they were, by their ids. */
  faults: ReadonlyMap<string, string>;
  /** Ids under way. */
  pending: ReadonlySet<string>;
  decide: (id: string, status: TimesheetStatus) => void;
}

interface Kind {
  /** The list has timesheets of several states. */
  isMixed: boolean;
  /** It has those of all customers. */
  isOfAll: boolean;
}

export const timesheetColumns = (
  deciding: Deciding,
  { isMixed, isOfAll }: Kind,
): readonly Column<Timesheet>[] => [
  {
    name: 'Person',
    cell: (row) => <Person of={row} fault={deciding.faults.get(row.id)} isOfAll={isOfAll} />,
  },
  ...(isOfAll ? [CUSTOMER] : []),
  { name: 'Day', cell: ({ date }) => <span className={`num ${style.still}`}>{dayShort(date)}</span> },
  { name: 'Hours', end: true, cell: ({ hours }) => hours },
  { name: 'Work', priority: 3, cell: (row) => <Work of={row} /> },
  ...(isMixed
    ? [{ name: 'State', cell: ({ status }: Timesheet) => <Status of="timesheet" is={status} /> }]
    : []),
  { name: '', end: true, priority: 2, cell: (row) => <Decisions of={row} {...deciding} /> },
];

interface PersonProps {
  of: Timesheet;
  fault: string | undefined;
  isOfAll: boolean;
}

function Person({ of, fault, isOfAll }: PersonProps) {
  const notes = (
    <>
      {isOfAll && <span className={`hint ${style.phone}`}>{visible(of.customer_name ?? '')}</span>}
      {of.warnings.map((warning) => (
        <span key={warning} className="hint wait">
          {WARNINGS[warning]}
        </span>
      ))}
      {fault !== undefined && (
        <span className="hint bad" role="alert">
          {fault}
        </span>
      )}
    </>
  );
  return (
    <>
      <Link
        to={customerPath(of.customer_id, of.person_id === null ? 'timesheets' : 'staff')}
        search={of.person_id === null ? {} : opening(of.person_id)}
      >
        <bdi>{personName(of)}</bdi>
      </Link>
      <span className={style.notes}>{notes}</span>
    </>
  );
}

const Work = ({ of: { description, job_id, rate } }: { of: Timesheet }) => (
  <span className="muted">
    {[description, job_id !== null && `job ${job_id}`, rate !== null && `${rate} an hour`]
      .flatMap((part) => (part ? visible(part) : []))
      .join(', ')}
  </span>
);

function Decisions({ of, pending, decide }: Deciding & { of: Timesheet }) {
  const isPending = pending.has(of.id);
  const whose = `the ${of.hours} hours of ${personName(of)}`;
  if (of.status !== 'submitted')
    return (
      <Menu label={`Decide anew on ${whose}`}>
        {of.status !== 'approved' && (
          <MenuItem onSelect={() => decide(of.id, 'approved')}>Approve after all</MenuItem>
        )}
        {of.status !== 'rejected' && (
          <MenuItem onSelect={() => decide(of.id, 'rejected')}>Reject after all</MenuItem>
        )}
        <MenuItem onSelect={() => decide(of.id, 'submitted')}>Let it wait again</MenuItem>
      </Menu>
    );
  return (
    <span className={style.decisions}>
      <Button
        small
        pending={isPending}
        aria-label={`Approve ${whose}`}
        onClick={() => decide(of.id, 'approved')}
      >
        Approve
      </Button>
      <Button
        small
        look="plain"
        pending={isPending}
        aria-label={`Reject ${whose}`}
        onClick={() => decide(of.id, 'rejected')}
      >
        Reject
      </Button>
    </span>
  );
}

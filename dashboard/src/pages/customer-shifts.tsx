import type { Shift } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AssignmentForm, ShiftForm } from '../forms/work.tsx';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { timesWords, type WorkDay, workDays } from '../rules/work-days.ts';
import { dayIn, dayWords } from '../rules/zone.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { Pager } from '../ui/table.tsx';
import { useNow } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { CustomerAssignments } from './customer-assignments.tsx';
import style from './customer-shifts.module.css';

const route = getRouteApi('/inside/customers/$customer_id/shifts');

const VIEWS = [
  ['shifts', 'Shifts'],
  ['assignments', 'Assignments'],
] as const;

export function CustomerShifts() {
  const { customer_id } = route.useParams();
  const { view, person, open } = route.useSearch();
  const navigate = route.useNavigate();
  const customer = useRead('get_customer', { path: { customer_id } });
  const who = useRead(
    'get_customer_staff',
    { path: { customer_id, person_id: person ?? '' } },
    { enabled: person !== undefined },
  );
  const shown = view === 'assignments' ? 'assignments' : 'shifts';
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const name = person && who.data?.name;
  const known = person !== undefined && name ? { id: person, name: visible(name) } : undefined;
  const Form = shown === 'shifts' ? ShiftForm : AssignmentForm;
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            {shown === 'shifts' ? 'Shift' : 'Assignment'}
          </Button>
        }
      >
        <Chips
          label="Shown"
          of={VIEWS}
          chosen={shown}
          onChoose={(to) => void navigate({ search: { ...(person && { person }), view: to } })}
        />
        {name && (
          <Only
            name={name}
            onAll={() => void navigate({ search: (old) => ({ ...old, person: undefined }) })}
          />
        )}
      </Toolbar>
      <Answered of={customer}>
        {({ timezone }) => (
          <>
            {shown === 'shifts' ? (
              <Shifts zone={timezone} openAs={openAs} />
            ) : (
              <CustomerAssignments zone={timezone} openAs={openAs} />
            )}
            {open === 'new' && (
              <Form
                customer_id={customer_id}
                zone={timezone}
                person={known}
                onClose={() => openAs(undefined)}
              />
            )}
          </>
        )}
      </Answered>
    </>
  );
}

const Only = ({ name, onAll }: { name: string; onAll: () => void }) => (
  <Button small icon="close" onClick={onAll}>
    Only <Name of={name} />
  </Button>
);

interface ListProps {
  zone: string;
  openAs: (what: string | undefined) => void;
}

function Shifts({ zone, openAs }: ListProps) {
  const { customer_id } = route.useParams();
  const { page = 1, person, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<Shift>();
  const list = useRead('list_shifts', {
    path: { customer_id },
    query: { page, per_page: 100, ...(person && { person_id: person }) },
  });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <Answered of={list}>
      {({ items, per_page, total }) => (
        <>
          {total === 0 ? (
            <Empty
              action={<Button onClick={() => openAs('new')}>Add a shift</Button>}
              command="agentctl shifts create"
            >
              No shift is planned. People ask their agent when and where they work.
            </Empty>
          ) : (
            <Days of={items} zone={zone} onEnd={setEnding} />
          )}
          <Pager
            page={page}
            perPage={per_page}
            total={total}
            onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
          />
          {opened && (
            <ShiftForm
              key={opened.id}
              customer_id={customer_id}
              zone={zone}
              of={opened}
              onClose={() => openAs(undefined)}
            />
          )}
          {ending && <Deletion of={ending} zone={zone} onClose={() => setEnding(undefined)} />}
        </>
      )}
    </Answered>
  );
}

interface DaysProps {
  of: readonly Shift[];
  zone: string;
  onEnd: (shift: Shift) => void;
}

function Days({ of, zone, onEnd }: DaysProps) {
  const now = useNow();
  const { coming, over } = workDays(of, zone, now);
  const today = dayIn(zone, now);
  const day = (each: WorkDay<Shift>) => (
    <Panel
      key={each.day}
      title={each.day === today ? `Today, ${dayWords(each.day)}` : dayWords(each.day)}
      aside={<span className="hint">{plural(each.rows.length, 'shift')}</span>}
      bare
    >
      <Rows>
        {each.rows.map((shift) => (
          <Row key={shift.id} of={shift} zone={zone} onEnd={onEnd} />
        ))}
      </Rows>
    </Panel>
  );
  return (
    <div className={style.days}>
      {coming.map(day)}
      {over.length > 0 && <h2 className={style.over}>Over</h2>}
      {over.map(day)}
    </div>
  );
}

const Row = ({ of, zone, onEnd }: { of: Shift } & Omit<DaysProps, 'of'>) => (
  <li className={style.shift} data-row>
    <span className={`num ${style.times}`}>{timesWords(of, zone)}</span>
    <Link
      from="/customers/$customer_id/shifts"
      search={(old) => ({ ...old, open: of.id })}
      className={style.person}
    >
      <Name of={of.person_name ?? 'Erased'} />
    </Link>
    <span className={`muted ${style.where}`}>
      {visible([of.title, of.site, of.job_id].filter(Boolean).join(' · '))}
    </span>
    <span className={`hint ${style.state}`}>{visible(of.status)}</span>
    <Menu label={`Actions for the shift of ${visible(of.person_name ?? 'somebody')}`}>
      <MenuItem bad onSelect={() => onEnd(of)}>
        Delete…
      </MenuItem>
    </Menu>
  </li>
);

function Deletion({ of, zone, onClose }: { of: Shift; zone: string; onClose: () => void }) {
  const erase = useWrite('delete_shift');
  return (
    <Confirm
      title="Delete the shift?"
      action="Delete the shift"
      run={() => erase.run({ path: { customer_id: of.customer_id, shift_id: of.id } })}
      onClose={onClose}
    >
      {visible(of.person_name ?? 'Somebody')}, {dayWords(dayIn(zone, of.starts_at))}, {timesWords(of, zone)}.
      The person is not told. A timesheet of it stays.
    </Confirm>
  );
}

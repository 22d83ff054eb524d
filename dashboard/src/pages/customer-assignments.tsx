import type { Assignment } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AssignmentForm } from '../forms/work.tsx';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { clockIn, dayIn, dayShort } from '../rules/zone.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import type { Column } from '../ui/table.tsx';

const route = getRouteApi('/inside/customers/$customer_id/shifts');

const titleOf = ({ title, job_id }: Assignment) => visible(title ?? job_id ?? 'Without a title');

const when = (zone: string, moment: string) => `${dayShort(dayIn(zone, moment))}, ${clockIn(zone, moment)}`;

const timesOf = ({ starts_at, ends_at }: Assignment, zone: string) =>
  [starts_at && `from ${when(zone, starts_at)}`, ends_at && `until ${when(zone, ends_at)}`]
    .filter(Boolean)
    .join(' ') || 'at any time';

const columns = (zone: string, onEnd: (row: Assignment) => void): readonly Column<Assignment>[] => [
  {
    name: 'Work',
    cell: (row) => (
      <Link from="/customers/$customer_id/shifts" search={(old) => ({ ...old, open: row.id })}>
        {titleOf(row)}
      </Link>
    ),
  },
  { name: 'Person', cell: ({ person_name }) => <Name of={person_name ?? 'Erased'} /> },
  { name: 'Site', priority: 3, cell: ({ site }) => site && visible(site) },
  { name: 'When', priority: 2, cell: (row) => <span className="muted">{timesOf(row, zone)}</span> },
  { name: 'State', priority: 2, cell: ({ status }) => <span className="muted">{visible(status)}</span> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Menu label={`Actions for ${titleOf(row)}`}>
        <MenuItem bad onSelect={() => onEnd(row)}>
          Delete…
        </MenuItem>
      </Menu>
    ),
  },
];

interface Props {
  zone: string;
  openAs: (what: string | undefined) => void;
}

export function CustomerAssignments({ zone, openAs }: Props) {
  const { customer_id } = route.useParams();
  const { page = 1, person, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<Assignment>();
  const list = useRead('list_assignments', {
    path: { customer_id },
    query: { page, ...(person && { person_id: person }) },
  });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Assignments"
        columns={columns(zone, setEnding)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={<Button onClick={() => openAs('new')}>Add an assignment</Button>}
            command="agentctl assignments create"
          >
            Nobody is assigned to a job, with or without times.
          </Empty>
        }
      />
      {opened && (
        <AssignmentForm
          key={opened.id}
          customer_id={customer_id}
          zone={zone}
          of={opened}
          onClose={() => openAs(undefined)}
        />
      )}
      {ending && <Deletion of={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Deletion({ of, onClose }: { of: Assignment; onClose: () => void }) {
  const erase = useWrite('delete_assignment');
  return (
    <Confirm
      title={`Delete ${titleOf(of)}?`}
      action="Delete the assignment"
      run={() => erase.run({ path: { customer_id: of.customer_id, assignment_id: of.id } })}
      onClose={onClose}
    >
      {visible(of.person_name ?? 'Somebody')} is no longer assigned, and is not told.
    </Confirm>
  );
}

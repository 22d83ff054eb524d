import type { StaffRecord, StaffStatus } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { PersonForm, STAFF_STATUSES } from '../forms/person.tsx';
import { PersonBindings } from '../forms/person-bindings.tsx';
import { useRead, useWrite } from '../queries.ts';
import { firstToEnd } from '../rules/certificates.ts';
import { staffCsv } from '../rules/staff-csv.ts';
import type { Sign } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { dayShort } from '../rules/zone.ts';
import { acp } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Exported } from '../ui/export.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { StaffImport } from './customer-staff-import.tsx';

const route = getRouteApi('/inside/customers/$customer_id/staff');

const SIGNS: Record<StaffStatus, Sign> = {
  active: { word: 'active', shape: 'disc', tone: 'good' },
  inactive: { word: 'inactive', shape: 'square', tone: 'off' },
  on_leave: { word: 'on leave', shape: 'ring', tone: 'off' },
  suspended: { word: 'suspended', shape: 'square', tone: 'wait' },
  terminated: { word: 'left', shape: 'square', tone: 'off' },
};

type Act = 'addresses' | 'shifts' | 'delete';

const columns = (act: (what: Act, of: StaffRecord) => void): readonly Column<StaffRecord>[] => [
  {
    name: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <Link from="/customers/$customer_id/staff" search={(old) => ({ ...old, open: id })}>
        <Name of={name} />
      </Link>
    ),
  },
  { name: 'Role', priority: 3, cell: ({ role }) => <span className="muted">{sentence(role)}</span> },
  { name: 'Skills', priority: 2, cell: ({ skills }) => visible(skills.join(', ')) },
  {
    name: 'First certificate to end',
    priority: 3,
    cell: ({ certifications }) => {
      const first = firstToEnd(certifications);
      return (
        first && (
          <span className="muted">
            {visible(first.name)}, {dayShort(first.ends)}
          </span>
        )
      );
    },
  },
  { name: 'Tier', sort: 'tier', priority: 2, cell: ({ tier }) => tier },
  { name: 'State', cell: ({ status }) => <Signed sign={SIGNS[status]} /> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Menu label={`Actions for ${visible(row.name)}`}>
        <MenuItem onSelect={() => act('addresses', row)}>Addresses…</MenuItem>
        <MenuItem onSelect={() => act('shifts', row)}>Shifts</MenuItem>
        <MenuItem bad onSelect={() => act('delete', row)}>
          Delete…
        </MenuItem>
      </Menu>
    ),
  },
];

const SORTS = ['name', 'tier', 'created_at'] as const;

export function CustomerStaff() {
  const { customer_id } = route.useParams();
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const close = () => void navigate({ search: (old) => ({ ...old, open: undefined }) });
  if (open === 'import') return <StaffImport customer_id={customer_id} onDone={close} />;
  return <StaffList customer_id={customer_id} close={close} />;
}

function useStaff(customer_id: string) {
  const { page = 1, q, status, sort, dir } = route.useSearch();
  const sort_by = SORTS.find((each) => each === sort) ?? 'name';
  const sort_dir = dir === 'desc' ? 'desc' : 'asc';
  const chosen = STAFF_STATUSES.find((each) => each === status);
  const list = useRead('list_customer_staff', {
    path: { customer_id },
    query: {
      page,
      per_page: 50,
      sort_by,
      sort_dir,
      ...(q && { search: q }),
      ...(chosen && { status: chosen }),
    },
  });
  return { list, sorting: { by: sort_by, dir: sort_dir } as const, status: chosen, q };
}

/** The person that the address names, also where the list's page has somebody else. */
function useOpened(
  customer_id: string,
  open: string | undefined,
  listed: readonly StaffRecord[] | undefined,
) {
  const shown = listed?.find(({ id }) => id === open);
  const { data } = useRead(
    'get_customer_staff',
    { path: { customer_id, person_id: open ?? '' } },
    { enabled: open !== undefined && open !== 'new' && listed !== undefined && !shown },
  );
  return shown ?? (data?.id === open ? data : undefined);
}

function StaffList({ customer_id, close }: { customer_id: string; close: () => void }) {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [act, setAct] = useState<{ what: Act; of: StaffRecord }>();
  const { list, sorting, status, q } = useStaff(customer_id);
  const narrow = useCallback(
    (part: { q?: string | undefined; status?: string | undefined }) =>
      void navigate({ search: (old) => ({ ...old, ...part, page: undefined }), replace: true }),
    [navigate],
  );
  const search = useCallback((words: string) => narrow({ q: words || undefined }), [narrow]);
  const openAs = (what: string) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const start = (what: Act, of: StaffRecord) => {
    if (what !== 'shifts') return setAct({ what, of });
    const to = '/customers/$customer_id/shifts';
    return void navigate({ to, params: { customer_id }, search: { person: of.id } });
  };
  const opened = useOpened(customer_id, open, list.data?.staff);
  return (
    <>
      <Toolbar actions={<Actions customer_id={customer_id} openAs={openAs} />}>
        <SearchField label="Search by name, e-mail or id" value={q ?? ''} onSearch={search} />
        <SelectFilter
          label="State"
          value={status ?? ''}
          choices={[['', 'Every state'], ...STAFF_STATUSES.map((each) => [each, SIGNS[each].word] as const)]}
          onChoose={(to) => narrow({ status: to || undefined })}
        />
      </Toolbar>
      <Listed
        of={list}
        rows={({ staff }) => staff}
        label="Staff"
        columns={columns(start)}
        sorting={sorting}
        onSort={({ by, dir }) =>
          void navigate({ search: (old) => ({ ...old, sort: by, dir, page: undefined }) })
        }
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          q || status ? (
            <NobodyFits onAll={() => narrow({ q: undefined, status: undefined })} />
          ) : (
            <Nobody onImport={() => openAs('import')} />
          )
        }
      />
      {open === 'new' && <PersonForm customer_id={customer_id} onClose={close} />}
      {opened && <PersonForm key={opened.id} customer_id={customer_id} of={opened} onClose={close} />}
      {act?.what === 'addresses' && <PersonBindings of={act.of} onClose={() => setAct(undefined)} />}
      {act?.what === 'delete' && <Deletion of={act.of} onClose={() => setAct(undefined)} />}
    </>
  );
}

const NobodyFits = ({ onAll }: { onAll: () => void }) => (
  <Empty action={<Button onClick={onAll}>Show everybody</Button>}>
    Nobody on the staff fits this search.
  </Empty>
);

const Nobody = ({ onImport }: { onImport: () => void }) => (
  <Empty action={<Button onClick={onImport}>Import people</Button>} command="agentctl staff import">
    Agents find people by skill, tell them their shifts and take their hours. There is nobody yet.
  </Empty>
);

const Actions = ({ customer_id, openAs }: { customer_id: string; openAs: (what: string) => void }) => (
  <>
    <Exported name="staff.csv" rows={() => csvOf(customer_id)} />
    <Button onClick={() => openAs('import')}>Import</Button>
    <Button look="primary" icon="plus" onClick={() => openAs('new')}>
      Person
    </Button>
  </>
);

async function csvOf(customer_id: string) {
  const staff: StaffRecord[] = [];
  for await (const person of acp.each('list_customer_staff', { path: { customer_id } })) staff.push(person);
  return staffCsv(staff);
}

function Deletion({ of, onClose }: { of: StaffRecord; onClose: () => void }) {
  const erase = useWrite('delete_customer_staff');
  return (
    <Confirm
      title={`Delete ${visible(of.name)}?`}
      action="Delete the person"
      run={() => erase.run({ path: { customer_id: of.customer_id, person_id: of.id } })}
      onClose={onClose}
    >
      The record, its addresses, shifts and assignments are erased for good. Timesheets stay, without a name.
      Who has only left is better set to the state “left”.
    </Confirm>
  );
}

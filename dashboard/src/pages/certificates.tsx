import type { Result } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { certificateName, daysLeftWords, readProof } from '../rules/certificates.ts';
import { customerPath, opening } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { dayShort } from '../rules/zone.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './workforce.module.css';

type Person = Result<'list_tenant_expiring_certs'>[number];

interface Row {
  key: string;
  person: Person;
  certificate: Person['expiring_certifications'][number];
}

const SPANS = [
  ['42', 'Six weeks'],
  ['90', 'Three months'],
  ['365', 'A year'],
] as const;
/** People of a page, which is the most that the operation takes. */
const PER_PAGE = 200;
/** Few enough to want somebody now. */
const SOON_DAYS = 7;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Person',
    cell: ({ person }) => (
      <>
        <Link to={customerPath(person.customer_id, 'staff')} search={opening(person.id)}>
          <Name of={person.name} />
        </Link>
        <span className={`hint ${style.phone}`}>{visible(person.customer_name ?? '')}</span>
      </>
    ),
  },
  { name: 'Certificate', cell: ({ certificate }) => <Name of={certificateName(certificate)} /> },
  { name: 'Ends', cell: ({ certificate }) => <Ends days={certificate.days_left} /> },
  {
    name: 'Last day',
    priority: 2,
    cell: ({ certificate }) => (
      <span className="muted num">{lastDay(readProof('type', certificate).ends)}</span>
    ),
  },
  {
    name: 'Customer',
    priority: 2,
    cell: ({ person }) => (
      <Link to={customerPath(person.customer_id)} className="link">
        <Name of={person.customer_name ?? 'Customer'} />
      </Link>
    ),
  },
];

function Ends({ days }: { days: number }) {
  const isSoon = days <= SOON_DAYS;
  return (
    <span className={style.ends}>
      <ShapeMark shape={isSoon ? 'diamond' : 'ring'} tone={isSoon ? 'wait' : 'off'} />
      <span className={isSoon ? 'wait' : undefined}>{daysLeftWords(days)}</span>
    </span>
  );
}

const lastDay = (day: string): string => (Number.isNaN(Date.parse(day)) ? '' : dayShort(day));

const route = getRouteApi('/inside/workforce/certificates');

export function Certificates() {
  const { page = 1, within } = route.useSearch();
  const navigate = route.useNavigate();
  const [span] = SPANS.find(([days]) => Number(days) === within) ?? SPANS[0];
  const people = useRead('list_tenant_expiring_certs', {
    query: { within_days: Number(span), page, per_page: PER_PAGE },
  });
  const choose = (days: string) =>
    void navigate({ search: days === SPANS[0][0] ? {} : { within: Number(days) }, replace: true });
  return (
    <>
      <Toolbar>
        <span className="muted">Certificates that end within</span>
        <Chips label="Within" of={SPANS} chosen={span} onChoose={choose} />
      </Toolbar>
      <Answered of={people}>
        {(data) =>
          data.length === 0 && page === 1 ? (
            <NoCertificates widen={span === '365' ? undefined : () => choose('365')} />
          ) : (
            <>
              <Table
                label="Certificates that end"
                rows={rowsOf(data)}
                columns={COLUMNS}
                keyOf={({ key }) => key}
              />
              <Pager
                page={page}
                perPage={PER_PAGE}
                // The answer has no count: a full page may have a next one.
                total={(page - 1) * PER_PAGE + data.length + (data.length === PER_PAGE ? 1 : 0)}
                onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
              />
            </>
          )
        }
      </Answered>
    </>
  );
}

/** One row a certificate, the soonest end first. */
const rowsOf = (people: readonly Person[]): readonly Row[] =>
  people
    .flatMap((person) =>
      person.expiring_certifications.map((certificate, at) => ({
        key: `${person.id} ${at}`,
        person,
        certificate,
      })),
    )
    .toSorted((a, b) => a.certificate.days_left - b.certificate.days_left);

const NoCertificates = ({ widen }: { widen: (() => void) | undefined }) => (
  <Empty
    action={widen && <Button onClick={widen}>Look a year ahead</Button>}
    command="agentctl staff expiring"
  >
    No certificate of anybody on the staff ends in that time.
  </Empty>
);

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { useHeld } from './held.ts';
import { AllBox, RowBox, type Selection } from './selection.tsx';
import style from './table.module.css';

export interface Column<Row> {
  /** Its heading; empty for a column of buttons. */
  name: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the end. */
  end?: boolean;
  /** 2: not on a phone. 3: on wide screens alone. */
  priority?: 2 | 3;
  /** The server sorts by this name; its heading is a button. */
  sort?: string;
}

export interface Sorting {
  by: string;
  dir: 'asc' | 'desc';
}

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** Boxes in front of the rows. */
  selection?: Selection | undefined;
}

/** The first column's link takes the whole row. New rows wait while the table has pointer or focus. */
export function Table<Row>({ label, rows, columns, keyOf, sorting, onSort, selection }: TableProps<Row>) {
  const { shown, waiting, release, hold } = useHeld(rows, keyOf);
  return (
    <div className={style.scroll} {...hold}>
      {waiting > 0 && <Fresh n={waiting} show={release} />}
      <table className={style.table} aria-label={label}>
        <thead>
          <tr>
            {selection && <AllBox keys={shown.map(keyOf)} selection={selection} />}
            {columns.map((column) => (
              <Heading key={column.name} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)} data-row>
              {selection && <RowBox of={keyOf(row)} selection={selection} />}
              {columns.map((column, at) => (
                <td key={column.name} className={classOf(column, at === 0 && style.first)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = <Row,>({ end, priority }: Column<Row>, more?: string | false) =>
  [end && style.end, priority === 2 && style.second, priority === 3 && style.third, more]
    .filter(Boolean)
    .join(' ') || undefined;

interface HeadingProps<Row> {
  column: Column<Row>;
  sorting?: Sorting | undefined;
  onSort?: ((sorting: Sorting) => void) | undefined;
}

function Heading<Row>({ column, sorting, onSort }: HeadingProps<Row>) {
  const { name, sort } = column;
  const dir = sort !== undefined && sorting?.by === sort ? sorting.dir : undefined;
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={dir && (dir === 'asc' ? 'ascending' : 'descending')}
    >
      {sort !== undefined && onSort ? (
        <button
          type="button"
          className={style.sort}
          onClick={() => onSort({ by: sort, dir: dir === 'asc' ? 'desc' : 'asc' })}
        >
          {name}
          <span aria-hidden="true">{dir && (dir === 'asc' ? '↑' : '↓')}</span>
        </button>
      ) : (
        name || <span className="vh">Actions</span>
      )}
    </th>
  );
}

export const Fresh = ({ n, show }: { n: number; show: () => void }) => (
  <p className={style.fresh}>
    <Button small onClick={show}>
      {n} new
    </Button>
  </p>
);

interface PagerProps {
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
}

export function Pager({ page, perPage, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / perPage));
  if (pages === 1 && page === 1) return null;
  const first = (page - 1) * perPage + 1;
  return (
    <nav className={style.pager} aria-label="Pages of the list">
      <span className="num">
        {first.toLocaleString('en-US')} to {Math.min(total, page * perPage).toLocaleString('en-US')} of{' '}
        {total.toLocaleString('en-US')}
      </span>
      <Button small disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Before
      </Button>
      <Button small disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}

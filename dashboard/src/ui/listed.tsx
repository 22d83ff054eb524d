import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answered } from './answered.tsx';
import type { Selection } from './selection.tsx';
import { type Column, Pager, type Sorting, Table } from './table.tsx';

interface Counted {
  page: number;
  per_page: number;
  total: number;
}

interface ListedProps<Data extends Counted, Row extends { id: string }> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  rows: (data: Data) => readonly Row[];
  label: string;
  columns: readonly Column<Row>[];
  /** In place of a table without rows. */
  empty: ReactNode;
  /** Without it, the first page is all that is shown. */
  onPage?: (page: number) => void;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  selection?: Selection | undefined;
}

/** One page of a list's answer: its table and its pager. */
export const Listed = <Data extends Counted, Row extends { id: string }>({
  of,
  rows,
  empty,
  onPage,
  ...table
}: ListedProps<Data, Row>) => (
  <Answered of={of}>
    {(data) =>
      data.total === 0 ? (
        empty
      ) : (
        <>
          <Table {...table} rows={rows(data)} keyOf={({ id }) => id} />
          {onPage && <Pager page={data.page} perPage={data.per_page} total={data.total} onPage={onPage} />}
        </>
      )
    }
  </Answered>
);

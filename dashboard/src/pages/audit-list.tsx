import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Listed } from '../ui/listed.tsx';
import type { Column } from '../ui/table.tsx';

interface Entry {
  seq: number;
}

interface Props<Row extends Entry> {
  of: Pick<
    UseQueryResult<{ items: readonly Row[]; page: number; per_page: number; total: number }>,
    'data' | 'error' | 'refetch'
  >;
  label: string;
  columns: readonly Column<Row & { id: string }>[];
  empty: ReactNode;
  onPage: (page: number) => void;
}

/** Rows that are known by their place in a record. */
export const AuditList = <Row extends Entry>(props: Props<Row>) => (
  <Listed {...props} rows={({ items }) => items.map((row) => ({ ...row, id: String(row.seq) }))} />
);

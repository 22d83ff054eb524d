import type { Page } from '../contract/shapes.ts';
import type { Queryable } from '../db/queryable.ts';
import type { Query } from '../db/sql.ts';

/**
 * Reads a page and the preceding checks in one round trip. Each row carries the total; a page past the end has no row,
 * so a second round trip reads the total with the first row.
 * @param list takes limit and offset
 */
export async function page<Row extends { total: number }>(
  q: Queryable,
  query: { page: number; per_page: number },
  list: (limit: number, offset: number) => Query<Row[]>,
  ...checks: readonly Query<unknown>[]
): Promise<Page<Omit<Row, 'total'>>> {
  const queries: readonly Query<unknown>[] = [
    ...checks,
    list(query.per_page, (query.page - 1) * query.per_page),
  ];
  const rows = (await q.runAll(queries)).at(-1) as Row[];
  const total = rows[0]?.total ?? (query.page > 1 ? ((await q.run(list(1, 0)))[0]?.total ?? 0) : 0);
  const items = rows.map(({ total: _, ...item }) => item);
  return { items, page: query.page, per_page: query.per_page, total };
}

/**
 * Leaves a large column out of the rows behind the one that fills the page, so that a page of large elements has an end in
 * bytes. The rows stay, because the next page is counted from their number.
 */
export function shortened<Column extends string, Row extends Readonly<Record<Column, Buffer | null>>>(
  rows: readonly Row[],
  column: Column,
  bytes: number,
): (Row & { is_shortened: boolean })[] {
  let left = bytes;
  return rows.map((row) => {
    const length = row[column]?.length ?? 0;
    const fits = length <= left;
    if (fits) left -= length;
    return { ...row, ...(!fits && { [column]: null }), is_shortened: !fits };
  });
}

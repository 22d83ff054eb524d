import type { Page } from '../contract/shapes.ts';

/**
 * A page of a list. `list` gets limit and offset and returns rows that each carry the total; a page past the end has
 * no row to carry it, so the total is then asked for with the first row.
 */
export async function page<Row extends { total: number }>(
  query: { page: number; per_page: number },
  list: (limit: number, offset: number) => Promise<Row[]>,
): Promise<Page<Omit<Row, 'total'>>> {
  const rows = await list(query.per_page, (query.page - 1) * query.per_page);
  const total = rows[0]?.total ?? (query.page > 1 ? ((await list(1, 0))[0]?.total ?? 0) : 0);
  const items = rows.map(({ total: _, ...item }) => item);
  return { items, page: query.page, per_page: query.per_page, total };
}

import type { ControlPlane, Item, PagedId, Query } from '@agent-control-plane/sdk';
import type { Cli } from './cli.ts';
import type { Column } from './table.ts';

export interface PageFlags {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly all?: true | undefined;
}

type Paths = Parameters<ControlPlane['call']>[1]['path'];

export async function showList<Id extends PagedId>(
  cli: Cli,
  acp: ControlPlane,
  id: Id,
  request: { path?: Paths; query?: Query<Id> },
  columns: readonly Column<Item<Id>>[],
  { page, perPage, all }: PageFlags,
): Promise<void> {
  const { output } = cli;
  type Input = Parameters<typeof acp.call<Id>>[1];
  if (all) {
    const rows: Item<Id>[] = [];
    for await (const row of acp.each(id, request as Input)) output.each(row, () => rows.push(row));
    if (!output.json) output.table(columns, rows);
    return;
  }
  const query = { ...request.query, ...(page && { page }), ...(perPage && { per_page: perPage }) };
  const answer: unknown = await acp.call(id, { ...request, query } as Input);
  output.answer(answer, () => {
    const { page, total, per_page } = answer as { page: number; total: number; per_page: number };
    const rows = Object.values(answer as Record<string, unknown>).find(Array.isArray) as Item<Id>[];
    output.table(columns, rows);
    if (page * per_page < total)
      output.note(`${rows.length} of ${total}; use --page ${page + 1} or --all for more`);
  });
}

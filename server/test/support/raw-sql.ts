import { RowsQuery } from '../../src/platform/db/sql.ts';

let count = 0;

export const rawSql = (text: string) =>
  new RowsQuery({ name: `raw${++count}`, text, values: [] }, (rows) => rows as object[]);

import { RowsQuery } from '../../src/platform/db/sql.ts';

let count = 0;

/** A statement whose text the test makes. */
export const rawSql = (text: string) =>
  new RowsQuery({ name: `raw${++count}`, text, values: [] }, (rows) => rows as object[]);

import type { Database } from './db/database.ts';
import { Query, type Statement } from './db/sql.ts';

/** Rows that the service deletes or clears automatically. */
export interface Deletion {
  everyMinutes: number;
  /** Processes a bounded number of rows. @returns true if more may be left */
  deleteSome: (db: Database, signal: AbortSignal) => Promise<boolean>;
}

interface Pace {
  /** Rows per transaction: few, to hold locks briefly. Default: 500. */
  limit?: number;
  /** Default: 60. */
  everyMinutes?: number;
}

/** In all tenants. */
interface ExpiredRows extends Pace {
  table: string;
  /** From the template `sql`. */
  where: Pick<Statement, 'name' | 'text' | 'values'>;
  /** An indexed expression; oldest rows first. */
  orderBy: string;
  /** Columns to set to null. Default: the rows are deleted. */
  emptied?: readonly string[];
  /** Default: skips locked rows. False for immutable rows, which the service has no right to lock. */
  skipsLocked?: boolean;
}

export const expiredRows = (rows: ExpiredRows): Deletion =>
  inBatches((limit) => deleteExpired(rows, limit), rows);

/** @param batch a statement that processes at most `limit` rows and returns the number (in the system scope) */
export const inBatches = (
  batch: (limit: number) => Query<number>,
  { limit = 500, everyMinutes = 60 }: Pace = {},
): Deletion => ({
  everyMinutes,
  deleteSome: async (db) => (await db.system.run(batch(limit))) === limit,
});

function deleteExpired(rows: ExpiredRows, limit: number): Query<number> {
  const { table, where, orderBy, emptied, skipsLocked = true } = rows;
  const change = emptied
    ? `update ${table} set ${emptied.map((column) => `${column} = null`).join(', ')}`
    : `delete from ${table}`;
  const text = `
    with due as materialized (
      select ctid from ${table} where ${where.text}
      order by ${orderBy} limit $${where.values.length + 1} ${skipsLocked ? 'for update skip locked' : ''}
    ), gone as (
      ${change} where ctid = any (array(select ctid from due)) returning 1
    )
    select count(*)::int as count from gone`;
  const statement = { name: `expired_${where.name}`, text, values: [...where.values, limit] };
  return new Query(statement, ([row]) => row?.count as number);
}

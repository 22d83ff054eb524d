import type { Database } from './db/database.ts';
import { Query, type Statement } from './db/sql.ts';

/** Rows that the service deletes or empties by itself. */
export interface Deletion {
  everyMinutes: number;
  /** Deletes or empties a bounded number of rows. @returns true where more may be left */
  deleteSome: (db: Database, signal: AbortSignal) => Promise<boolean>;
}

interface Pace {
  /** Rows of one transaction: few, so that nobody waits for them. Default: 500. */
  limit?: number;
  /** Default: 60. */
  everyMinutes?: number;
}

/** Rows of a table whose time is over, of all tenants. */
interface ExpiredRows extends Pace {
  table: string;
  /** The condition, as the template `sql` makes it. */
  where: Pick<Statement, 'name' | 'text' | 'values'>;
  /** The expression of an index: the oldest rows go first. */
  orderBy: string;
  /** Columns that become null. Default: the rows are deleted. */
  emptied?: readonly string[];
  /**
   * False for rows that nobody changes, which the service has no right to lock. Default: rows that somebody holds are
   * left.
   */
  skipsLocked?: boolean;
}

/** Deletes or empties expired rows. */
export const expiredRows = (rows: ExpiredRows): Deletion =>
  inBatches((limit) => deleteExpired(rows, limit), rows);

/** Deletes or empties as many rows at a time as a statement says that it did (in the system scope). */
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

import { isRefusedContent } from './db/constraint-errors.ts';
import type { Database } from './db/database.ts';
import { Query, type Statement, sql } from './db/sql.ts';

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

/**
 * A row that cannot be deleted keeps only its tenant's rows: the tenants get batches of their own then, and the job fails
 * after them.
 *
 * @param batch a statement that processes at most `limit` rows of its scope and returns the number
 */
export const inBatches = (
  batch: (limit: number) => Query<number>,
  { limit = 500, everyMinutes = 60 }: Pace = {},
): Deletion => ({
  everyMinutes,
  deleteSome: async (db, signal) => {
    try {
      return (await db.system.run(batch(limit))) === limit;
    } catch (error) {
      if (!isRefusedContent(error)) throw error;
      await forEach(await db.system.run(listTenants()), signal, ({ id }) =>
        db.background(id).run(batch(limit)),
      );
      throw error;
    }
  },
});

const listTenants = () => sql<{ id: string }>`select id from tenants order by id`;

/** A failure does not stop the others, and rejects after them. Ends early when aborted. */
export async function forEach<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (signal.aborted) return;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

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

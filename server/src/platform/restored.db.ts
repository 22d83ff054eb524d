import { sql } from './db/sql.ts';

/** Counts the database's number up by one. */
export const countUp = () =>
  sql<{ number: number }>`update service_clock set number = number + 1 returning number`.one();

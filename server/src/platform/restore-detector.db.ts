import { sql } from './db/sql.ts';

export const incrementNumber = () =>
  sql<{ number: number }>`update service_clock set number = number + 1 returning number`.one();

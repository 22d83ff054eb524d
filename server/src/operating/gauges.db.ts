import type { Reading } from '../platform/database-gauges.ts';
import { MIGRATES_AS } from '../platform/db/migrate.ts';
import { sql } from '../platform/db/sql.ts';

/** The reading that is a time, in seconds. */
export const DATABASE_TIME = 'database_time';

/**
 * The state of all tenants, in one bounded statement (in the system scope; gauges.sql), with the database's own time
 * and how many copies of the service migrate it or wait to. Others' sessions show their names alone, which is enough.
 */
export const readGauges = () => sql<Reading>`
  select gauge, label, value from operating_gauges()
  union all
  select 'migrating', '', count(*) from pg_stat_activity
  where datname = current_database() and application_name = ${MIGRATES_AS}
  union all
  select ${DATABASE_TIME}, '', extract(epoch from clock_timestamp())`;

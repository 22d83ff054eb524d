import type { Reading } from '../platform/database-gauges.ts';
import { MIGRATES_AS } from '../platform/db/migrate.ts';
import { sql } from '../platform/db/sql.ts';

/** The gauge that has the database's time, in seconds. */
export const DATABASE_TIME = 'database_time';

/**
 * All gauges in one bounded statement (in the system scope; gauges.sql), with the database's time and the number of
 * copies of the service that migrate or wait to. The role sees only the names of other sessions, which suffices.
 */
export const readGauges = () => sql<Reading>`
  select gauge, label, value from operating_gauges()
  union all
  select 'migrating', '', count(*) from pg_stat_activity
  where datname = current_database() and application_name = ${MIGRATES_AS}
  union all
  select ${DATABASE_TIME}, '', extract(epoch from clock_timestamp())`;

export const countTenants = () =>
  sql<{ tenants: number }>`select count(*)::int as tenants from tenants where not is_platform`
    .one()
    .map(({ tenants }) => tenants);

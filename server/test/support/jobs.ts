import { vi } from 'vitest';
import { PURGES, purge } from '../../src/operating/retention.ts';
import type { TestService } from './service.ts';

/** Makes jobs due now; a running job runs once more. */
export const runJobs = (
  { database }: Pick<TestService, 'database'>,
  kind: string,
  { key, lane }: { key?: string; lane?: string } = {},
): Promise<unknown> =>
  database.query(
    `update jobs set run_at = '-infinity', due_at = case when claim is null then now() else due_at end,
       again_at = case when claim is not null then '-infinity'::timestamptz end
     where kind = $1 and key = coalesce($2, key) and lane = coalesce($3, lane) returning pg_notify('jobs', kind)`,
    [kind, key, lane],
  );

/** Repeats the jobs, because they skip locked rows. */
export const runJobsUntil = (
  service: Pick<TestService, 'database'>,
  kind: string,
  check: () => Promise<unknown>,
): Promise<unknown> =>
  vi.waitFor(
    async () => {
      await runJobs(service, kind);
      await check();
    },
    { timeout: 60_000, interval: 100 },
  );

/** Runs the jobs that delete expired rows, all or some. @returns when each runs again */
export async function purgeAll(
  { service }: Pick<TestService, 'service'>,
  names: readonly string[] = PURGES.map(({ key }) => key),
): Promise<(Date | 'now' | undefined)[]> {
  const again: (Date | 'now' | undefined)[] = [];
  for (const name of names) again.push(await purge(service.services, name, new AbortController().signal));
  return again;
}

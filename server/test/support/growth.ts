import type pg from 'pg';

/** About 4 for linear work, 16 for quadratic work. */
export const LESS_THAN_QUADRATIC = 9;

/** Maximum of rounds, as a multiple of `rounds`. */
const PATIENCE = 20;

type Sized<T> = (size: number, nth: number) => T;

/** The ratio of CPU times of this process for four times the size. Waiting is not counted. */
export const growthOf = (work: Sized<unknown>, size: number, rounds = 3): Promise<number> =>
  growthOfCost(
    async (ofSize, nth) => {
      const before = process.cpuUsage();
      await work(ofSize, nth);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    },
    size,
    rounds,
  );

/**
 * The ratio of costs for four times the size, each the least of several rounds. A busy machine only adds cost, so
 * rounds continue while the ratio looks quadratic.
 */
export async function growthOfCost(
  costOf: Sized<Promise<number>>,
  size: number,
  rounds = 3,
): Promise<number> {
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 0; round < PATIENCE * rounds; round++) {
    if (round >= rounds && large / small < LESS_THAN_QUADRATIC) break;
    small = Math.min(small, await costOf(size, 2 * round));
    large = Math.min(large, await costOf(4 * size, 2 * round + 1));
  }
  return large / small;
}

/** In seconds, as PostgreSQL counts it. */
export async function executorTimes(
  client: pg.Client,
): Promise<(work: () => Promise<unknown>) => Promise<number>> {
  let seconds = 0;
  client.on('notice', ({ detail = '' }) => {
    for (const [, user, system] of detail.matchAll(/\t(\S+) s user, (\S+) s system, /g)) {
      seconds += Number(user) + Number(system);
    }
  });
  await client.query('set log_executor_stats = on; set client_min_messages = log');
  return async (work) => {
    seconds = 0;
    await work();
    return seconds;
  };
}

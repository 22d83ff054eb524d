/** Of work that is linear in its size it is about 4, of quadratic work 16. */
export const LESS_THAN_QUADRATIC = 9;

/** As many times as many rounds as are asked for, at most. */
const PATIENCE = 5;

/**
 * How many times as long the work takes for four times the size, each the shortest of some rounds: a ratio says the same on
 * every machine, where a time does not. While it says quadratic there are more rounds, of both sizes in turn: a machine that
 * was busy with something else makes work longer, and never shorter.
 */
export async function growthOf(
  work: (size: number, nth: number) => unknown,
  size: number,
  rounds = 3,
): Promise<number> {
  const timeOf = async (ofSize: number, nth: number) => {
    const begun = performance.now();
    await work(ofSize, nth);
    return performance.now() - begun;
  };
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 0; round < PATIENCE * rounds; round++) {
    if (round >= rounds && large / small < LESS_THAN_QUADRATIC) break;
    small = Math.min(small, await timeOf(size, 2 * round));
    large = Math.min(large, await timeOf(4 * size, 2 * round + 1));
  }
  return large / small;
}

/** Of work that is linear in its size it is about 4, of quadratic work 16. */
export const LESS_THAN_QUADRATIC = 9;

/**
 * How many times as long the work takes for four times the size, each the shortest of some rounds: a ratio says the same on
 * every machine, where a time does not.
 */
export async function growthOf(
  work: (size: number, round: number) => unknown,
  size: number,
  rounds = 3,
): Promise<number> {
  const shortest = async (ofSize: number) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      await work(ofSize, round);
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  };
  const small = await shortest(size);
  return (await shortest(4 * size)) / small;
}

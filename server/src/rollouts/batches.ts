/**
 * How many of the instances are reached after each batch: rounded up, and at least one more than before while there are any.
 * @param percentages rising, the last one 100
 */
export function batchEnds(instances: number, percentages: readonly number[]): number[] {
  let end = 0;
  return percentages.map((percent) => {
    end = Math.min(instances, Math.max(Math.ceil((instances * percent) / 100), end + 1));
    return end;
  });
}

/** Gives each of the instances its batch, from 1, in their order. */
export function inBatches<Instance>(
  instances: readonly Instance[],
  percentages: readonly number[],
): (Instance & { batch: number })[] {
  const ends = batchEnds(instances.length, percentages);
  return instances.map((instance, index) => ({
    ...instance,
    batch: ends.findIndex((end) => index < end) + 1,
  }));
}

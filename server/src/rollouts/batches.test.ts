import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchEnds, inBatches } from './batches.ts';

const percentages = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 20 })
  .map((list) => [...list.toSorted((a, b) => a - b), 100]);
const fleet = fc.integer({ min: 0, max: 500 });

it('reaches each percentage, rounded up, and at least one instance more than before', () => {
  fc.assert(
    fc.property(fleet, percentages, (instances, percents) => {
      const ends = batchEnds(instances, percents);
      percents.forEach((percent, index) => {
        const before = ends[index - 1] ?? 0;
        const end = ends[index] ?? 0;
        expect(end * 100).toBeGreaterThanOrEqual(percent * instances);
        if (before < instances) expect(end).toBeGreaterThan(before);
        // No more than that.
        if (end > before + 1) expect((end - 1) * 100).toBeLessThan(percent * instances);
      });
      expect(ends.at(-1)).toBe(instances);
    }),
  );
});

it('gives each instance one batch, in their order', () => {
  fc.assert(
    fc.property(fleet, percentages, (instances, percents) => {
      const given = inBatches(
        Array.from({ length: instances }, (_, id) => ({ id })),
        percents,
      );
      expect(given.map(({ id }) => id)).toEqual(Array.from({ length: instances }, (_, id) => id));
      const ends = batchEnds(instances, percents);
      for (const { id, batch } of given) {
        expect(id).toBeLessThan(ends[batch - 1] ?? 0);
        expect(id).toBeGreaterThanOrEqual(ends[batch - 2] ?? 0);
      }
    }),
  );
});

it.each([
  [20, [5, 25, 100], [1, 5, 20]],
  [3, [5, 25, 100], [1, 2, 3]],
  [2, [5, 25, 100], [1, 2, 2]],
  [0, [5, 25, 100], [0, 0, 0]],
  [100, [7, 100], [7, 100]],
])('%i instances by %j percent', (instances, percents, ends) => {
  expect(batchEnds(instances, percents)).toEqual(ends);
});

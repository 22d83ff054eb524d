import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { largeJson } from '../../src/platform/http/large-json.ts';

const many = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));

it('writes what JSON.stringify does', async () => {
  const anything = fc.anything({
    withDate: true,
    maxDepth: 5,
    values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined), fc.date()],
    key: fc.oneof(fc.string(), fc.constantFrom('toJSON', '__proto__', 'constructor')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { minLength: 1 }), fc.boolean(), async (items, isLarge) => {
      const padding = isLarge ? many(3000, (index) => ({ index, text: 'x'.repeat(index % 50) })) : [];
      const body = { items, padding, last: items[0] };
      expect((await largeJson(body)).text).toBe(JSON.stringify(body));
    }),
  );
});

it.each([
  ['a list', many(300_000, (index) => index)],
  ['an object', Object.fromEntries(many(100_000, (index) => [`key ${index}`, 'value']))],
  ['lists of objects', many(400, (index) => many(500, () => ({ index, nested: { list: [index] } })))],
])('lets others have the event loop all the while: %s', async (_, body) => {
  const turns: string[] = [];
  const long = largeJson(body).finally(() => turns.push('done'));
  while (!turns.includes('done')) {
    await setImmediate();
    turns.push('another');
  }
  expect((await long).text).toBe(JSON.stringify(body));
  expect(turns.length).toBeGreaterThan(5);
});

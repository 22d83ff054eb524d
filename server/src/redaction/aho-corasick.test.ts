import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AhoCorasick } from './aho-corasick.ts';

const find = (patterns: readonly string[], text: string) =>
  [...new AhoCorasick(patterns).find(text)].map(({ start, end }) => text.slice(start, end));

it('finds overlapping patterns, only the longest per end', () => {
  expect(find(['he', 'she', 'his', 'hers'], 'ushers his')).toEqual(['she', 'hers', 'his']);
  expect(find(['aa'], 'aaaa')).toEqual(['aa', 'aa', 'aa']);
  expect(find(['abcd', 'bc'], 'abcx')).toEqual(['bc']);
  expect(find([], 'abc')).toEqual([]);
  expect(find([''], 'abc')).toEqual([]);
});

it('takes as long for many patterns with one beginning', () => {
  const patterns = Array.from({ length: 60_000 }, (_, index) => `prefix${String.fromCharCode(index)}`);
  const text = 'prefix\uffff'.repeat(20_000);
  const began = process.cpuUsage().user;
  expect(find(patterns, text)).toEqual([]);
  // Walks along the 60,000 children took 5 s.
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(2);
});

it('finds the same as a search for each pattern', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(few, { maxLength: 8 }), text, (patterns, text) => {
      const expected = Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1)).flatMap(
        (head) => {
          const ending = patterns.filter((pattern) => pattern !== '' && head.endsWith(pattern));
          return ending.toSorted((a, b) => b.length - a.length).slice(0, 1);
        },
      );
      expect(find(patterns, text)).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

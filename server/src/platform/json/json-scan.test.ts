import { describe, expect, it } from 'vitest';
import { figureOver } from './json-scan.ts';

const over = (json: string, bounds: { values?: number; depth?: number }) =>
  figureOver(Buffer.from(json), { values: Infinity, depth: Infinity, ...bounds });

describe('a JSON text', () => {
  it.each([
    ['[[[]]]', { depth: 2 }, 'depth'],
    ['[[[]]]', { depth: 3 }, undefined],
    ['[[],[],[[]]]', { depth: 2 }, 'depth'],
    ['{"a":[1,2,3]}', { values: 3 }, 'values'],
    ['{"a":[1,2,3]}', { values: 5 }, undefined],
    [String.raw`["[[[[,,,,\\",1]`, { values: 3, depth: 1 }, undefined],
    [String.raw`["\"[[[[,,,,",1]`, { values: 3, depth: 1 }, undefined],
    ['"[[[[', { depth: 1 }, undefined],
    ['['.repeat(1_000_000), { depth: 100 }, 'depth'],
  ] as const)('%# is measured', (json, bounds, expected) => {
    expect(over(json, bounds)).toBe(expected);
  });
});

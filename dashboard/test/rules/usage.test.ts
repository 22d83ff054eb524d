import { expect, it } from 'vitest';
import {
  costOf,
  daysOf,
  groupOf,
  largest,
  periodOf,
  spanOf,
  stackOf,
  type UsageItem,
} from '../../src/rules/usage.ts';

const item = (model: string, cost: string | null, calls = 1): UsageItem => ({
  model,
  calls,
  input_tokens: 100,
  cached_input_tokens: 0,
  output_tokens: 10,
  unpriced_calls: cost === null ? calls : 0,
  estimated_calls: 0,
  audio_seconds: 0,
  cost,
});

it('knows periods by their days, in UTC', () => {
  expect(spanOf('month', '2026-02-27')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(spanOf('last_month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(spanOf('week', '2026-03-01')).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  expect(periodOf({ from: '2026-02-01', to: '2026-02-28' }, '2026-02-27')).toBe('month');
  expect(periodOf({ from: '2026-02-02', to: '2026-02-28' }, '2026-02-27')).toBeUndefined();
  expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ]);
  expect(daysOf({ from: '2026-03-02', to: '2026-03-01' })).toEqual([]);
});

it('keeps what is unknown apart from what is nothing', () => {
  expect(costOf(item('own/small', null))).toBe('unknown');
  expect(costOf(item('gpt', '0.5'))).toBe('$0.50');
  expect(costOf({ ...item('none', null), calls: 0, unpriced_calls: 0 })).toBe('$0.00');
});

it('tells the largest apart, and puts all others together', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((model, at) => item(model, String(at + 1)));
  const named = largest(items, 'cost', 'model').map(({ model }) => model ?? '');
  expect(named).toEqual(['e', 'd', 'c', 'b']);
  const daily = new Map([['e', new Map([['2026-02-27', 5]])]]);
  const totals = new Map([
    ['2026-02-27', 7],
    ['2026-02-28', 1],
  ]);
  expect(stackOf(['2026-02-27', '2026-02-28'], ['e'], daily, totals)).toEqual({
    hasOthers: true,
    values: [
      [5, 2],
      [0, 1],
    ],
  });
  expect(stackOf(['2026-02-27'], ['e'], daily, new Map([['2026-02-27', 5]]))).toEqual({
    hasOthers: false,
    values: [[5]],
  });
});

it('knows by rows what they are of, while others are asked for', () => {
  expect(groupOf([item('a', '1')], 'customer')).toBe('model');
  expect(groupOf([item('a', '1')], 'model')).toBe('model');
  expect(groupOf([], 'customer')).toBe('customer');
});

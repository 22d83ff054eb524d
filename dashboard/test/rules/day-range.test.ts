import { expect, it } from 'vitest';
import { dayRange } from '../../src/rules/day-range.ts';

it('includes both days', () => {
  const { from = '', to = '' } = dayRange('2026-11-20', '2026-11-20');
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  expect(new Date(from).getHours()).toBe(0);
});

it('takes nothing that is no day', () => {
  expect(dayRange(undefined, 'soon')).toEqual({});
});

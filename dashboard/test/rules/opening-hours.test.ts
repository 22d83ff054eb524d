import { expect, it } from 'vitest';
import { hoursWords, OFFICE_HOURS, partsOfDay, readIntervals } from '../../src/rules/opening-hours.ts';

it.each([
  ['', []],
  ['9-17', [['09:00', '17:00']]],
  [
    '08:00–12:30, 13 to 24',
    [
      ['08:00', '12:30'],
      ['13:00', '24:00'],
    ],
  ],
  ['0815 - 9', [['08:15', '09:00']]],
  ['17-9', undefined],
  ['9-25', undefined],
  ['morning', undefined],
])('reads %j', (text, intervals) => {
  expect(readIntervals(text)).toEqual(intervals);
});

it('says days with the same hours together', () => {
  expect(hoursWords(OFFICE_HOURS)).toBe('Monday to Friday 09:00–17:00');
  expect(hoursWords({ mon: [['08:00', '12:00']], wed: [['08:00', '12:00']], sun: null })).toBe(
    'Monday 08:00–12:00 and Wednesday 08:00–12:00',
  );
  expect(hoursWords({})).toBe('never');
});

it('draws them as parts of a day', () => {
  expect(partsOfDay([['06:00', '12:00']])).toEqual([{ from: 0.25, size: 0.25 }]);
});

import { expect, it } from 'vitest';
import { cronWords } from '../../src/rules/cron-words.ts';

it.each([
  ['0 8 * * 1-5', '08:00 on weekdays'],
  ['30 17 * * *', '17:30 each day'],
  ['0 9 * * mon,3', '09:00 each Monday and Wednesday'],
  ['0 9 1 * *', '09:00 on day 1 of each month'],
  ['15 * * * *', '15 minutes past each hour'],
  ['*/5 * * * *', undefined],
  ['0 9 1 1 *', undefined],
  ['soon', undefined],
])('reads %s', (schedule, words) => expect(cronWords(schedule)).toBe(words));

import { Cron } from 'croner';
import { expect, it } from 'vitest';
import { nextTimeOf } from './triggers.ts';

const SCHEDULES = [
  '0 8 * * 1',
  '*/5 * * * *',
  '30 2 * 3 0',
  '0 0 29 2 *',
  '0 0 29 2 +1',
  '0 0 L * *',
  '0 0 31W 12 *',
  '59 23 31 12 *',
  '0 0 1 1 *',
  '15 12 13 * +5',
];
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Europe/Berlin', 'Pacific/Kiritimati'];
const TIMES = [
  '2026-11-27T20:15:00Z',
  '2026-12-31T23:59:30Z',
  '2028-02-28T13:00:00Z',
  '2027-03-28T00:30:00Z',
];

it.each(ZONES)('is when the library finds the next time in %s', (timezone) => {
  for (const schedule of SCHEDULES)
    for (const time of TIMES) {
      const now = new Date(time);
      const found = new Cron(schedule, { timezone, mode: '5-part', paused: true }).nextRun(now);
      expect([schedule, time, nextTimeOf(schedule, timezone, now)]).toEqual([schedule, time, found]);
    }
});

const costOf = (schedule: string) => {
  const costs = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    for (let count = 0; count < 20; count++) nextTimeOf(schedule, 'UTC', new Date('2026-11-27T20:15:00Z'));
    // Both: the sum is exact, but Linux divides it by which of the two a tick finds, so one alone may be 0.
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
};

it('takes about as long for a time that is years away as for the next week’s', () => {
  costOf('0 8 * * 1');
  // The library's search takes some 30 times as long.
  expect(costOf('0 0 29 2 *') / costOf('0 8 * * 1')).toBeLessThan(8);
});

import { expect, it } from 'vitest';
import { timesWords, workDays } from '../../src/rules/work-days.ts';

const shift = (starts_at: string, hours: number) => ({
  starts_at,
  ends_at: new Date(Date.parse(starts_at) + hours * 3_600_000).toISOString(),
});

it('puts shifts under days of the zone, those to come first', () => {
  const night = shift('2026-11-26T11:00:00.000Z', 8);
  const past = shift('2026-11-25T01:00:00.000Z', 4);
  const older = shift('2026-11-24T01:00:00.000Z', 4);
  const late = shift('2026-11-26T13:30:00.000Z', 2);
  const now = Date.parse('2026-11-26T05:00:00.000Z');
  const { coming, over } = workDays([late, past, night, older], 'Australia/Sydney', now);
  expect(coming).toEqual([
    { day: '2026-11-26', rows: [night] },
    { day: '2026-11-27', rows: [late] },
  ]);
  expect(over.map(({ day }) => day)).toEqual(['2026-11-25', '2026-11-24']);
  expect(timesWords(night, 'Australia/Sydney')).toMatch(/^22:00–0?6:00$|^10:00.PM–0?6:00.AM$/u);
});

import { invalid } from '../platform/errors.ts';

/** Shifts and assignments end after they start. */
export function checkPeriod(starts_at: Date | string | null, ends_at: Date | string | null): void {
  if (starts_at === null || ends_at === null || instantMs(ends_at) > instantMs(starts_at)) return;
  throw invalid(['body', 'ends_at'], 'ends_at has to be later than starts_at');
}

/** In milliseconds. PostgreSQL reads an offset of hours alone and a leap second; JavaScript reads neither. */
function instantMs(time: Date | string): number {
  if (time instanceof Date) return time.getTime();
  const second = time.replace(/:60(?=\.|[zZ+-])/, ':59');
  const iso = second.replace(/[ tT]/, 'T').replace(/[+-]\d\d$/, '$&:00');
  return Date.parse(iso) + (second === time ? 0 : 1000);
}

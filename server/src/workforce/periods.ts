import { isCheckViolation, isForeignKeyViolation } from '../platform/db/constraint-errors.ts';
import { invalid, notFound } from '../platform/errors.ts';

type Time = Date | string;

export function checkPeriod(starts_at: Time | null, ends_at: Time | null): void {
  if (starts_at === null || ends_at === null || instantMs(ends_at) > instantMs(starts_at)) return;
  throw endsTooEarly('ends_at');
}

const endsTooEarly = (field: 'starts_at' | 'ends_at') =>
  invalid(['body', field], 'ends_at has to be later than starts_at');

/** The database compares a new time with the stored other one. */
export async function changeWork<T>(
  { starts_at = null, ends_at = null }: { starts_at?: Time | null; ends_at?: Time | null },
  write: () => Promise<T>,
): Promise<T> {
  checkPeriod(starts_at, ends_at);
  try {
    return await write();
  } catch (error) {
    if (isCheckViolation(error)) throw endsTooEarly(ends_at === null ? 'starts_at' : 'ends_at');
    if (isForeignKeyViolation(error)) throw notFound('Staff member');
    throw error;
  }
}

/** PostgreSQL reads an offset of hours alone and a leap second; JavaScript reads neither. */
function instantMs(time: Time): number {
  if (time instanceof Date) return time.getTime();
  const second = time.replace(/:60(?=\.|[zZ+-])/, ':59');
  const iso = second.replace(/[ tT]/, 'T').replace(/[+-]\d\d$/, '$&:00');
  return Date.parse(iso) + (second === time ? 0 : 1000);
}

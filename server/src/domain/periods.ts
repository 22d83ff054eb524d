import { ValidationError } from '../errors.ts';

/** Shifts and assignments end after they start. */
export function checkPeriod(starts_at: Date | string | null, ends_at: Date | string | null): void {
  if (starts_at === null || ends_at === null || new Date(ends_at) > new Date(starts_at)) return;
  const msg = 'ends_at has to be later than starts_at';
  throw new ValidationError([{ loc: ['body', 'ends_at'], msg, type: 'value_error' }]);
}

import { listed } from './words.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const SHORT = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const numberIn = (text: string, most: number): number | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

const dayOf = (text: string): number | undefined => {
  const named = SHORT.indexOf(text.toLowerCase());
  return named === -1 ? numberIn(text, 7) : named;
};

/** "08:00 on weekdays" of "0 8 * * 1-5"; undefined for what has no short words. */
export function cronWords(schedule: string): string | undefined {
  const [minute = '', hour = '', date, month, day = '', ...more] = schedule.trim().split(/\s+/);
  if (more.length > 0 || month !== '*') return undefined;
  const m = numberIn(minute, 59);
  const h = numberIn(hour, 23);
  if (m === undefined) return undefined;
  if (h === undefined)
    return hour === '*' && date === '*' && day === '*' ? `${m} minutes past each hour` : undefined;
  const clock = `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`;
  if (date !== '*') {
    const nth = numberIn(date ?? '', 31);
    return nth !== undefined && day === '*' ? `${clock} on day ${nth} of each month` : undefined;
  }
  const days = dayWords(day);
  return days === undefined ? undefined : `${clock} ${days}`;
}

function dayWords(day: string): string | undefined {
  if (day === '*') return 'each day';
  if (/^(1-5|mon-fri)$/i.test(day)) return 'on weekdays';
  const days = day.split(',').map(dayOf);
  const names = days.flatMap((each) => (each === undefined ? [] : (DAYS[each % 7] ?? [])));
  return names.length === days.length && names.length > 0 ? `each ${listed(names)}` : undefined;
}

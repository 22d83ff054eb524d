import { textOf } from '../json.ts';
import type { Language } from '../language.ts';
import { isDay } from '../local-time.ts';
import { joined } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

const hoursIn = ({ hours }: Language, value: unknown) =>
  typeof value === 'number' ? hours(value) : undefined;

/** An invalid date is shown as it is. */
const dateIn = ({ date }: Language, value: unknown) => {
  const text = textOf(value);
  return text !== undefined && isDay(text) ? date(text) : text;
};

export const myTimesheets = workerList('timesheets', {
  skill: 'timesheet',
  description: 'Lists the hours that the worker who is writing has submitted.',
  line: (row, _zone, language) =>
    joined(dateIn(language, row['date']), hoursIn(language, row['hours']), row['description']) +
    statusOf(row),
});

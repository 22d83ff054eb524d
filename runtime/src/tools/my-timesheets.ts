import { joined } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

const hours = (value: unknown) => (typeof value === 'number' ? `${value} hours` : undefined);

export const myTimesheets = workerList('timesheets', {
  skill: 'timesheet',
  description: 'Lists the hours that the worker who is writing has submitted.',
  line: (row) => joined(row['date'], hours(row['hours']), row['description']) + statusOf(row),
});

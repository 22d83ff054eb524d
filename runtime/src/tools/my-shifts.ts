import { joined, period } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

export const myShifts = workerList('shifts', {
  skill: 'worker_shifts',
  description: 'Lists the shifts of the worker who is writing.',
  onDay: { headline: 'your_shifts_on', none: 'no_shifts_on' },
  line: (row, zone, language) =>
    joined(period(row['starts_at'], row['ends_at'], zone, language), row['site']) + statusOf(row),
});

import { joined, period } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

export const myShifts = workerList('shifts', {
  skill: 'worker_shifts',
  description: 'Lists the shifts of the worker who is writing.',
  usage: 'my shifts, my shifts tomorrow',
  isTimed: true,
  line: (row, zone) => joined(period(row['starts_at'], row['ends_at'], zone), row['site']) + statusOf(row),
});

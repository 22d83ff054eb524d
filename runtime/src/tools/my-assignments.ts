import { joined, period } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

export const myAssignments = workerList('assignments', {
  skill: 'worker_shifts',
  description: 'Lists the jobs that the worker who is writing is assigned to.',
  usage: 'my jobs, my jobs today',
  isTimed: true,
  line: (row, zone) =>
    joined(row['title'], row['site'], period(row['starts_at'], row['ends_at'], zone)) + statusOf(row),
});

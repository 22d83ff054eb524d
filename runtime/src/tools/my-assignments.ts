import { joined, period } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

export const myAssignments = workerList('assignments', {
  skill: 'worker_shifts',
  description: 'Lists the jobs that the worker who is writing is assigned to.',
  onDay: { headline: 'your_assignments_on', none: 'no_assignments_on' },
  line: (row, zone, language) =>
    joined(row['title'], row['site'], period(row['starts_at'], row['ends_at'], zone, language)) +
    statusOf(row),
});

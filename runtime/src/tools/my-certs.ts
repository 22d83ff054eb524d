import { joined } from './lines.ts';
import { statusOf, workerList } from './worker.ts';

const daysLeft = (days: unknown) => (typeof days === 'number' && days >= 0 ? `${days} days left` : undefined);

export const myCerts = workerList('certs', {
  skill: 'worker_shifts',
  description: 'Lists the certifications of the worker who is writing and how long each is valid.',
  line: (row) => joined(row['type'], row['number'], daysLeft(row['days_left'])) + statusOf(row),
});

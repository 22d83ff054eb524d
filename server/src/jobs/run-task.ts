import { runTask } from '../instances/task-execution/runner.ts';
import type { Services } from '../services.ts';
import type { JobDefinition } from './job-definition.ts';

/** Works on a task of an instance: provisioning, joining, starting, stopping, terminating. */
export const runTaskJob = (services: Services): JobDefinition<'run_task'> => ({
  name: 'run_task',
  concurrency: 4,
  atMost: 4,
  shares: {},
  retry: { limit: 3, delaySeconds: 1, maxDelaySeconds: 30 },
  ordered: false,
  run: (data, attempt) => runTask(services, data, attempt),
});

import type { Services } from '../services.ts';
import { forwardMessageJob } from './forward-message.ts';
import type { JobDefinition } from './job-definition.ts';
import { runTaskJob } from './run-task.ts';

/** Every kind of job. */
export const jobDefinitions = (services: Services): readonly JobDefinition[] => [
  runTaskJob(services),
  forwardMessageJob(services),
];

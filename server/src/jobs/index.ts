import type { Services } from '../domain/services.ts';
import type { JobDefinition } from './queue.ts';

/** Every kind of job. */
export const jobDefinitions = (_services: Services): readonly JobDefinition[] => [];

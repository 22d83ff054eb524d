import type { Job } from '../../platform/queue.port.ts';
import { ENDLESS, type JobDefinition } from '../job-definition.ts';

/** A killed process's job is noticed after this long without a sign of life (pg-boss's least is 10). */
const HEARTBEAT_SECONDS = 10;

/**
 * Where a job lands that failed at every attempt, or whose process was killed at each: it is tried from there until it is
 * done.
 */
export const abandoned = (name: Job['name']) => `${name}_abandoned`;

const QUEUE_SETTINGS = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 600,
  deleteAfterSeconds: 3600,
  // A job is never given up because it waited: who would do its work?
  retentionSeconds: ENDLESS,
  notify: true,
};

export const boundedTries = ({ limit, delaySeconds, maxDelaySeconds }: JobDefinition['retry']) => ({
  ...QUEUE_SETTINGS,
  retryLimit: limit,
  retryDelay: delaySeconds,
  retryBackoff: true,
  retryDelayMax: maxDelaySeconds,
});

/** What lands in a dead letter queue forgets the longest delay, so the delay does not grow. */
export const endlessTries = ({ maxDelaySeconds }: JobDefinition['retry']) => ({
  ...QUEUE_SETTINGS,
  retryLimit: ENDLESS,
  retryDelay: maxDelaySeconds,
  retryBackoff: false,
});

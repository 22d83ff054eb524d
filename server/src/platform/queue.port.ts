import type { Queryable } from './db/queryable.ts';

/** What is done later. A payload holds ids only; the state stands in our own tables. */
export type Job = {
  /** The higher goes first, so that one tenant's many do not hold up the others' few (job_priority in the database). */
  priority: number;
} & (
  | { name: 'run_task'; data: { tenant_id: string; task_id: string } }
  | {
      name: 'forward_message';
      data: { tenant_id: string; instance_id: string; channel_message_id: string };
      conversation: string;
    }
);

export interface JobQueue {
  /** Adds jobs in the caller's transaction: they exist when, and only when, it commits. */
  enqueue(q: Queryable, jobs: readonly Job[]): Promise<void>;
  /** Adds the jobs that a statement before in the same transaction has left (db/left-jobs.ts). */
  enqueueLeft(q: Queryable, name: Job['name']): Promise<void>;
}

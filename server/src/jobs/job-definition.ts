import type { Job } from '../platform/queue.port.ts';

type DataOf = { [J in Job as J['name']]: J['data'] };

/** How many jobs of one kind run at once, in this process. */
export interface Bounds {
  /** Without the long ones. */
  concurrency: number;
  /** With those: what has run for over a second, and what others made expect that. */
  atMost: number;
  /**
   * For an id in a job's data, by its name there (`tenant_id`): how many with the same one; none below `concurrency`. A
   * job is expected to be long when one was that had an id of these in common with it.
   */
  shares: Readonly<Record<string, number>>;
}

/** One kind of job: how often it is tried, how many run at once, what is done. */
export interface JobDefinition<N extends Job['name'] = Job['name']> extends Bounds {
  name: N;
  retry: { limit: number; delaySeconds: number; maxDelaySeconds: number };
  /** Jobs with the same key run one after the other, in the order of their making. */
  ordered: boolean;
  /** Safe to run twice. `lastAttempt`: what fails now is not tried again. */
  run(data: DataOf[N], attempt: { lastAttempt: boolean }): Promise<void>;
}

/** Of tries, and of seconds: some thirty years. */
export const ENDLESS = 1_000_000_000;

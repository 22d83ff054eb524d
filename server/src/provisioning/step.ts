import type { Database } from '../platform/db/database.ts';
import type { RuntimeClient } from '../runtimes/runtime-client.port.ts';
import type { SpecServices } from '../runtimes/runtimes.ts';
import type { ClaimedTask } from './claimed-task.ts';

export interface StepServices extends SpecServices {
  db: Database;
  runtimes: RuntimeClient;
}

/** One step of a task. Both `run` and `undo` can be repeated. */
export interface Step {
  name: string;
  /** The message of its event. */
  message: string;
  run(task: ClaimedTask, services: StepServices): Promise<void>;
  undo?(task: ClaimedTask, services: StepServices): Promise<void>;
  /** False: the step is left out for this task. It answers the same while the task lasts. */
  applies?(task: ClaimedTask): Promise<boolean>;
  /** Undone even when the step never began, because the request that made the task did its work. */
  undoneAlways?: boolean;
}

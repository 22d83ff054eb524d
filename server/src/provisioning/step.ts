import type { Database } from '../platform/db/database.ts';
import type { RuntimeClient } from '../runtimes/runtime-client.port.ts';
import type { SpecServices } from '../runtimes/runtimes.ts';
import type { ClaimedTask } from './claimed-task.ts';

export interface StepServices extends SpecServices {
  db: Database;
  runtimes: RuntimeClient;
  /** This copy, which runs the runtimes that its tasks start. */
  settings: SpecServices['settings'] & { host_id: string };
}

/** `run` and `undo` are idempotent. */
export interface Step {
  name: string;
  /** For its event. */
  message: string;
  run(task: ClaimedTask, services: StepServices): Promise<void>;
  undo?(task: ClaimedTask, services: StepServices): Promise<void>;
  /** False skips the step. The answer is the same during the whole task. */
  applies?(task: ClaimedTask): Promise<boolean>;
  /** Undone even if the step never began, because the request itself did its work. */
  alwaysUndone?: boolean;
}

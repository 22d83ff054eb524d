import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { enqueue, enqueueAll } from '../platform/queue/jobs.db.ts';
import type { ShownKind, TaskKind, TaskStatus } from './tasks.contract.ts';

/** The task as the contract shows it. */
export interface TaskRow {
  task_id: string;
  instance_id: string;
  kind: ShownKind;
  status: TaskStatus;
  step: string | null;
  progress: number;
  error: string | null;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}

export interface RunnableTask extends Omit<TaskRow, 'kind'> {
  kind: TaskKind;
  /** It has failed for good, with its error, and is being undone. */
  is_failing: boolean;
  deployment_id: string | null;
}

/** The columns of a task, as the contract shows it. */
export const taskColumns = fragment(
  `id as task_id, instance_id, case kind when 'provision' then 'deploy' else kind end as kind, status, step, progress,
   error, created_at, updated_at, finished_at`,
);

export const findTask = (id: string) =>
  sql<TaskRow>`select ${taskColumns} from tasks where id = ${id}`.first();

export const insertTask = (task: {
  id: string;
  instance_id: string;
  deployment_id: string | null;
  kind: TaskKind;
}) =>
  sql<TaskRow>`
    insert into tasks (id, tenant_id, instance_id, deployment_id, kind, created_at, updated_at)
    values (${task.id}, current_tenant(), ${task.instance_id}, ${task.deployment_id}, ${task.kind}, ${NOW}, ${NOW})
    returning ${taskColumns}`.one();

/** Has a task worked on, once the transaction has committed. */
export const enqueueTask = (id: string) => enqueue({ kind: 'run_task', key: id });

/** Has the unfinished tasks of an instance go on now, because what they wait for may have come. */
export const wakeTasksOf = (instance_id: string) => sql`
  with unfinished as (
    select id, tenant_id from tasks where instance_id = ${instance_id} and status in ('queued', 'running', 'canceling')
  )
  ${enqueueAll('run_task', `select id, tenant_id, 'default' from unfinished`)}`;

/** Locks a task until the transaction ends. Those who need lockStarting, too, take that one after it. */
export const lockTask = (id: string) => sql`select from tasks where id = ${id} for no key update`;

/** Lets one transaction at a time decide which of a tenant's tasks begin to provision, on all copies of the service. */
export const lockStarting = () =>
  sql`select pg_advisory_xact_lock(hashtextextended('starting ' || current_tenant(), 0))`;

/**
 * Makes the caller the runner of an unfinished task. An earlier runner finds that it has lost the task. A task that has to
 * wait for a place among those that provision stays `queued`. Comes after lockTask and lockStarting.
 */
export const takeTask = (id: string, runner_id: string) =>
  sql<RunnableTask>`
    update tasks set runner_id = ${runner_id}, updated_at = greatest(updated_at, ${NOW}),
      status = case when status = 'queued' and (kind <> 'provision' or (
        select count(*) from tasks other where other.kind = 'provision' and other.status = 'running'
      ) < limit_of(current_tenant(), 'starting')) then 'running' else status end
    where id = ${id} and status in ('queued', 'running', 'canceling')
    returning id as task_id, instance_id, kind, status, step, progress, error, created_at, updated_at, finished_at,
              deployment_id, is_failing`.first();

/** Has the tenant's oldest task that waits to provision worked on. Comes after lockStarting. */
export const enqueueNextStart = () => sql`
  ${enqueueAll(
    'run_task',
    `select id, tenant_id, 'default' from tasks
     where kind = 'provision' and status = 'queued' order by created_at, id limit 1`,
  )}`;

/** True while the instance has other tasks that are unfinished. */
export const hasOtherWork = (instance_id: string, task_id: string) =>
  sql`select from tasks where instance_id = ${instance_id} and id <> ${task_id}
        and status in ('queued', 'running', 'canceling') limit 1`.exists();

/** True while a task that moves the instance itself is being undone. */
export const isBeingUndone = (instance_id: string) =>
  sql`select from tasks
      where instance_id = ${instance_id} and kind not in ('join', 'leave') and status = 'canceling' limit 1`.exists();

/** A task as its runner knows it. */
export interface RunnersTask {
  task_id: string;
  runner_id: string;
}

/**
 * Notes the step that the runner begins. Returns whether the step was done before; undefined, and notes nothing, when the
 * task is no longer the runner's or no longer `running`.
 */
export const beginStep = ({ task_id, runner_id }: RunnersTask, step: string, progress: number) =>
  sql<{ done: boolean }>`
    with mine as (
      update tasks set step = ${step}, progress = ${progress}, updated_at = greatest(updated_at, ${NOW})
      where id = ${task_id} and runner_id = ${runner_id} and status = 'running'
      returning id, tenant_id
    )
    insert into task_steps as s (tenant_id, task_id, step, status, started_at)
    select tenant_id, id, ${step}, 'started', ${NOW} from mine
    on conflict (task_id, step) do update set
      attempts = s.attempts + 1, status = case when s.status = 'done' then 'done' else 'started' end
    returning s.status = 'done' as done`.first();

/** Locks an unfinished task until the transaction ends. False when it is not this runner's. */
export const holdTask = ({ task_id, runner_id }: RunnersTask) =>
  sql`select from tasks where id = ${task_id} and runner_id = ${runner_id} and status in ('running', 'canceling')
      for no key update`.exists();

/** True when a task is this runner's and has the status. */
export const isRunnersTask = ({ task_id, runner_id }: RunnersTask, status: 'running' | 'canceling') =>
  sql`select from tasks where id = ${task_id} and runner_id = ${runner_id} and status = ${status}`.exists();

/** Notes that a step was done or undone, unless the task is no longer the runner's. */
export const finishStep = ({ task_id, runner_id }: RunnersTask, step: string, status: 'done' | 'undone') =>
  sql`update task_steps set status = ${status}, finished_at = ${NOW}
      where task_id = ${task_id} and step = ${step}
        and exists (select from tasks where id = ${task_id} and runner_id = ${runner_id})`;

/** The steps that have begun and were not undone. */
export const listBegunSteps = (task_id: string) =>
  sql<{ step: string }>`select step from task_steps where task_id = ${task_id} and status <> 'undone'`.each(
    ({ step }) => step,
  );

/** Ends a task that is still the runner's. A task that was canceled can only end as `canceled`. True when it ended. */
export const finishTask = (
  { task_id, runner_id }: RunnersTask,
  status: 'succeeded' | 'failed' | 'canceled',
  error: string | null,
) =>
  sql`update tasks set status = ${status}, error = ${error}, finished_at = ${NOW},
        updated_at = greatest(updated_at, ${NOW}),
        progress = case when ${status} = 'succeeded' then 100 else progress end
      where id = ${task_id} and runner_id = ${runner_id}
        and status = case when ${status} = 'canceled' then 'canceling' else 'running' end
      returning id`.exists();

/** Notes why an attempt failed, for clients that read the task before the next attempt. */
export const noteTaskError = (task_id: string, error: string) =>
  sql`update tasks set error = ${error}, updated_at = greatest(updated_at, ${NOW})
      where id = ${task_id} and status = 'running'`;

/** Notes that a task has failed for good. From then on its runs only undo it. */
export const failTask = ({ task_id, runner_id }: RunnersTask) =>
  sql`update tasks set is_failing = true where id = ${task_id} and runner_id = ${runner_id} and status = 'running'`;

/** Asks a task to stop; with `expect_status`, only in that status. undefined when it cannot be canceled. */
export const cancelTask = (id: string, expect_status: TaskStatus | null) =>
  sql<TaskRow>`
    update tasks set status = 'canceling', updated_at = greatest(updated_at, ${NOW})
    where id = ${id} and status in ('queued', 'running') and kind in ('provision', 'join', 'start', 'upgrade')
      and (${expect_status}::text is null or status = ${expect_status})
    returning ${taskColumns}`.first();

/** Asks a customer's way onto an instance to stop, because the customer leaves it. */
export const cancelJoinOf = (deployment_id: string) =>
  sql`update tasks set status = 'canceling', updated_at = greatest(updated_at, ${NOW})
      where deployment_id = ${deployment_id} and kind = 'join' and status in ('queued', 'running')`;

/** Asks every unfinished task of an instance to stop, whatever its kind. */
export const cancelTasksOf = (instance_id: string) =>
  sql`update tasks set status = 'canceling', updated_at = greatest(updated_at, ${NOW})
      where instance_id = ${instance_id} and status in ('queued', 'running')`;

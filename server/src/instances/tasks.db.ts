import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { enqueue, enqueueAll } from '../platform/queue/jobs.db.ts';
import type { ShownKind, TaskKind, TaskStatus } from './tasks.contract.ts';

/** As the API shows it. */
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
  /** The instance's. */
  hostname: string;
}

export interface RunnableTask extends Omit<TaskRow, 'kind' | 'hostname'> {
  kind: TaskKind;
  /** It failed permanently and is being undone. */
  is_failing: boolean;
  /** For its turn among the restarts of many instances. */
  is_waiting: boolean;
  deployment_id: string | null;
}

const SHOWN_KIND = `case kind when 'provision' then 'deploy' else kind end`;

/** For TaskRow without names. */
const COLUMNS = `id as task_id, instance_id, ${SHOWN_KIND} as kind, status, step, progress,
   error, created_at, updated_at, finished_at`;
export const taskColumns = fragment(COLUMNS);

/** For TaskRow. */
const columns = fragment(
  `${COLUMNS}, (select hostname from instances i where i.id = instance_id) as hostname`,
);

/** The unfinished task of an instance `i` as JSON; null without one. The last one is what the instance comes to. */
export const unfinishedTask = fragment(`(
  select json_build_object('id', id, 'kind', ${SHOWN_KIND}, 'status', status, 'step', step, 'progress', progress)
  from tasks
  where tenant_id = i.tenant_id and instance_id = i.id and status in ('queued', 'running', 'canceling')
  order by created_at desc, id limit 1)`);

export const findTask = (id: string) => sql<TaskRow>`select ${columns} from tasks where id = ${id}`.first();

interface TaskFilter {
  status: TaskStatus | null;
  instance_id: string | null;
}

export const listTasks = ({ status, instance_id }: TaskFilter, limit: number, offset: number) =>
  sql<TaskRow & { total: number }>`
    select ${columns}, count(*) over () as total from tasks
    where (${status}::text is null or status = ${status})
      and (${instance_id}::uuid is null or instance_id = ${instance_id})
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const insertTask = (task: {
  id: string;
  instance_id: string;
  deployment_id: string | null;
  kind: TaskKind;
}) =>
  sql<TaskRow>`
    insert into tasks (id, tenant_id, instance_id, deployment_id, kind, created_at, updated_at)
    values (${task.id}, current_tenant(), ${task.instance_id}, ${task.deployment_id}, ${task.kind}, ${NOW}, ${NOW})
    returning ${columns}`.one();

export const enqueueTask = (id: string) => enqueue({ kind: 'run_task', key: id });

/** Runs an instance's unfinished tasks now, because the event that they wait for may have happened. */
export const wakeTasksOf = (instance_id: string) => sql`
  with unfinished as (
    select id, tenant_id from tasks where instance_id = ${instance_id} and status in ('queued', 'running', 'canceling')
  )
  ${enqueueAll('run_task', `select id, tenant_id, 'default' from unfinished`)}`;

/** Until the transaction ends. Take lockStarting after it, not before. */
export const lockTask = (id: string) => sql`select from tasks where id = ${id} for no key update`;

/** One transaction at a time decides which of a tenant's tasks may provision. */
export const lockStarting = () =>
  sql`select pg_advisory_xact_lock(hashtextextended('starting ' || current_tenant(), 0))`;

/** Its turn has not come, among the restarts of many instances: it has no runner and no job. */
export const IS_WAITING = fragment(`(status = 'queued' and turn is not null)`);

/**
 * Makes the caller the runner of an unfinished task, which an earlier runner thereby loses. The task stays `queued` while it
 * waits for its turn, or the tenant's limit of tasks that provision is reached. Call it after lockTask and lockStarting.
 */
export const takeTask = (id: string, runner_id: string) =>
  sql<RunnableTask>`
    update tasks set runner_id = ${runner_id}, updated_at = greatest(updated_at, ${NOW}),
      status = case when status = 'queued' and turn is null and (kind <> 'provision' or (
        select count(*) from tasks other where other.kind = 'provision' and other.status = 'running'
      ) < limit_of(current_tenant(), 'starting')) then 'running' else status end
    where id = ${id} and status in ('queued', 'running', 'canceling')
    returning id as task_id, instance_id, kind, status, step, progress, error, created_at, updated_at, finished_at,
              deployment_id, is_failing, ${IS_WAITING} as is_waiting`.first();

/** Enqueues the tenant's oldest task that waits to provision. Call it after lockStarting. */
export const enqueueNextStart = () => sql`
  ${enqueueAll(
    'run_task',
    `select id, tenant_id, 'default' from tasks
     where kind = 'provision' and status = 'queued' order by created_at, id limit 1`,
  )}`;

export const hasOtherUnfinishedTask = (instance_id: string, task_id: string) =>
  sql`select from tasks where instance_id = ${instance_id} and id <> ${task_id}
        and status in ('queued', 'running', 'canceling') limit 1`.exists();

/** True while a task for the whole instance is being undone. */
export const isBeingUndone = (instance_id: string) =>
  sql`select from tasks
      where instance_id = ${instance_id} and kind not in ('join', 'leave') and status = 'canceling' limit 1`.exists();

export interface RunnersTask {
  task_id: string;
  runner_id: string;
}

/**
 * Records the start of a step. @returns `done`: the step was completed before; undefined, without effect: the task has
 * another runner or is no longer `running`
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

/** Locks the task until the transaction ends. False when it is finished or has another runner. */
export const holdTask = ({ task_id, runner_id }: RunnersTask) =>
  sql`select from tasks where id = ${task_id} and runner_id = ${runner_id} and status in ('running', 'canceling')
      for no key update`.exists();

export const isRunnersTask = ({ task_id, runner_id }: RunnersTask, status: 'running' | 'canceling') =>
  sql`select from tasks where id = ${task_id} and runner_id = ${runner_id} and status = ${status}`.exists();

/** Without effect when the task has another runner. */
export const finishStep = ({ task_id, runner_id }: RunnersTask, step: string, status: 'done' | 'undone') =>
  sql`update task_steps set status = ${status}, finished_at = ${NOW}
      where task_id = ${task_id} and step = ${step}
        and exists (select from tasks where id = ${task_id} and runner_id = ${runner_id})`;

/** Steps that were not undone. */
export const listBegunSteps = (task_id: string) =>
  sql<{ step: string }>`select step from task_steps where task_id = ${task_id} and status <> 'undone'`.each(
    ({ step }) => step,
  );

/** False when the task has another runner, or is `canceling` and the status is not `canceled`. */
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

/** For clients that read the task before its next attempt. */
export const noteTaskError = (task_id: string, error: string) =>
  sql`update tasks set error = ${error}, updated_at = greatest(updated_at, ${NOW})
      where id = ${task_id} and status = 'running'`;

/** The task failed permanently: its further runs only undo it. */
export const failTask = ({ task_id, runner_id }: RunnersTask) =>
  sql`update tasks set is_failing = true where id = ${task_id} and runner_id = ${runner_id} and status = 'running'`;

/** A waiting task has nothing to undo. */
const CANCELED = fragment(`case when ${IS_WAITING.text} then 'canceled' else 'canceling' end`);

/** @param expect_status null: any @returns undefined when the task cannot be canceled */
export const cancelTask = (id: string, expect_status: TaskStatus | null) =>
  sql<TaskRow>`
    update tasks set status = ${CANCELED}, finished_at = case when ${IS_WAITING} then ${NOW}::timestamptz end,
      updated_at = greatest(updated_at, ${NOW})
    where id = ${id} and status in ('queued', 'running') and kind in ('provision', 'join', 'restart', 'start', 'upgrade')
      and (${expect_status}::text is null or status = ${expect_status})
    returning ${columns}`.first();

/** For a customer who leaves the instance. */
export const cancelJoinOf = (deployment_id: string) =>
  sql`update tasks set status = 'canceling', updated_at = greatest(updated_at, ${NOW})
      where deployment_id = ${deployment_id} and kind = 'join' and status in ('queued', 'running')`;

/** Cancels tasks of any kind. */
export const cancelTasksOf = (instance_id: string) =>
  sql`update tasks set status = ${CANCELED}, finished_at = case when ${IS_WAITING} then ${NOW}::timestamptz end,
        updated_at = greatest(updated_at, ${NOW})
      where instance_id = ${instance_id} and status in ('queued', 'running')`;

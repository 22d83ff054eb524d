import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { TaskKind, TaskStatus } from './tasks.contract.ts';

/** As the contract shows it. */
export interface TaskRow {
  task_id: string;
  instance_id: string;
  kind: TaskKind;
  status: TaskStatus;
  step: string | null;
  progress: number;
  error: string | null;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}

export interface RunnableTask extends TaskRow {
  deployment_id: string | null;
}

const columns = fragment(
  'id as task_id, instance_id, kind, status, step, progress, error, created_at, updated_at, finished_at',
);

export async function findTask(q: Queryable, id: string): Promise<TaskRow | undefined> {
  const [row] = await q.rows(sql<TaskRow>`select ${columns} from tasks where id = ${id}`);
  return row;
}

export async function insertTask(
  q: Queryable,
  task: {
    id: string;
    tenant_id: string;
    instance_id: string;
    deployment_id: string | null;
    kind: TaskKind;
    now: Date;
  },
): Promise<TaskRow> {
  const [row] = await q.rows(
    sql<TaskRow>`
      insert into tasks (id, tenant_id, instance_id, deployment_id, kind, created_at, updated_at)
      values (${task.id}, ${task.tenant_id}, ${task.instance_id}, ${task.deployment_id}, ${task.kind}, ${task.now}, ${task.now})
      returning ${columns}`,
  );
  return row as TaskRow;
}

/** How soon a tenant's newest task has its turn. */
export async function getTaskPriority(q: Queryable): Promise<number> {
  const [row] = await q.rows(
    sql<{ priority: number }>`
      select job_priority(count(*)) as priority
      from (select from tasks where status in ('queued', 'running', 'canceling') limit 1001) as unfinished`,
  );
  return (row as { priority: number }).priority;
}

/** Makes the caller the runner of an unfinished task. A runner before it finds that it is no longer. */
export async function takeTask(
  q: Queryable,
  id: string,
  runner_id: string,
  now: Date,
): Promise<RunnableTask | undefined> {
  const [row] = await q.rows(
    sql<RunnableTask>`
      update tasks set runner_id = ${runner_id}, updated_at = greatest(updated_at, ${now}),
        status = case when status = 'queued' then 'running' else status end
      where id = ${id} and status in ('queued', 'running', 'canceling')
      returning ${columns}, deployment_id`,
  );
  return row;
}

/** Whether other tasks of the instance are still at work or being undone. */
export async function hasOtherWork(q: Queryable, instance_id: string, task_id: string): Promise<boolean> {
  const rows = await q.rows(
    sql`select from tasks where instance_id = ${instance_id} and id <> ${task_id}
          and status in ('queued', 'running', 'canceling') limit 1`,
  );
  return rows.length > 0;
}

/** Whether a task that moved the instance itself is still being taken back. */
export async function isBeingUndone(q: Queryable, instance_id: string): Promise<boolean> {
  const rows = await q.rows(
    sql`select from tasks where instance_id = ${instance_id} and kind <> 'join' and status = 'canceling' limit 1`,
  );
  return rows.length > 0;
}

export interface BeganStep {
  task_id: string;
  runner_id: string;
  step: string;
  progress: number;
  now: Date;
}

/**
 * Notes the step that the runner begins, unless the task is no longer its own or no longer `running`.
 * @returns what is known of the step; undefined when the runner has to stop
 */
export async function beginStep(q: Queryable, run: BeganStep): Promise<{ done: boolean } | undefined> {
  const [row] = await q.rows(
    sql<{ done: boolean }>`
      with mine as (
        update tasks set step = ${run.step}, progress = ${run.progress}, updated_at = greatest(updated_at, ${run.now})
        where id = ${run.task_id} and runner_id = ${run.runner_id} and status = 'running'
        returning id, tenant_id
      )
      insert into task_steps as s (tenant_id, task_id, step, status, started_at)
      select tenant_id, id, ${run.step}, 'started', ${run.now} from mine
      on conflict (task_id, step) do update set
        attempts = s.attempts + 1, status = case when s.status = 'done' then 'done' else 'started' end
      returning s.status = 'done' as done`,
  );
  return row;
}

/** Holds an unfinished task until the transaction ends, as long as it is this runner's. @returns whether it is */
export async function holdTask(q: Queryable, task_id: string, runner_id: string): Promise<boolean> {
  const rows = await q.rows(
    sql`select from tasks where id = ${task_id} and runner_id = ${runner_id} and status in ('running', 'canceling')
        for no key update`,
  );
  return rows.length > 0;
}

/** Whether a task is this runner's, and in that state. */
export async function isRunnersTask(
  q: Queryable,
  task_id: string,
  runner_id: string,
  status: 'running' | 'canceling',
): Promise<boolean> {
  const rows = await q.rows(
    sql`select from tasks where id = ${task_id} and runner_id = ${runner_id} and status = ${status}`,
  );
  return rows.length > 0;
}

/** Notes that a step was done or taken back, unless the task is no longer the runner's. */
export const finishStep = (
  q: Queryable,
  end: { task_id: string; runner_id: string; step: string; status: 'done' | 'undone'; now: Date },
) =>
  q.rows(
    sql`update task_steps set status = ${end.status}, finished_at = ${end.now}
        where task_id = ${end.task_id} and step = ${end.step}
          and exists (select from tasks where id = ${end.task_id} and runner_id = ${end.runner_id})`,
  );

/** The steps that have begun and were not taken back. */
export const listBegunSteps = (q: Queryable, task_id: string) =>
  q.rows(
    sql<{ step: string }>`select step from task_steps where task_id = ${task_id} and status <> 'undone'`,
  );

/** Ends a task that is still the runner's, and only as canceled once it was asked to stop. @returns whether it did */
export async function finishTask(
  q: Queryable,
  end: {
    task_id: string;
    runner_id: string;
    status: 'succeeded' | 'failed' | 'canceled';
    error: string | null;
    now: Date;
  },
): Promise<boolean> {
  const rows = await q.rows(
    sql`update tasks set status = ${end.status}, error = ${end.error}, finished_at = ${end.now},
          updated_at = greatest(updated_at, ${end.now}),
          progress = case when ${end.status} = 'succeeded' then 100 else progress end
        where id = ${end.task_id} and runner_id = ${end.runner_id}
          and status = case when ${end.status} = 'canceled' then 'canceling' else 'running' end
        returning id`,
  );
  return rows.length > 0;
}

/** Notes why the last try failed, for whoever looks while the next one is awaited. */
export const noteTaskError = (q: Queryable, task_id: string, error: string, now: Date) =>
  q.rows(
    sql`update tasks set error = ${error}, updated_at = greatest(updated_at, ${now})
        where id = ${task_id} and status = 'running'`,
  );

/** Asks a task to stop. Only from `expect_status`, when given. */
export async function cancelTask(
  q: Queryable,
  id: string,
  expect_status: TaskStatus | null,
  now: Date,
): Promise<TaskRow | undefined> {
  const [row] = await q.rows(
    sql<TaskRow>`
      update tasks set status = 'canceling', updated_at = greatest(updated_at, ${now})
      where id = ${id} and status in ('queued', 'running') and kind in ('provision', 'join', 'start')
        and (${expect_status}::text is null or status = ${expect_status})
      returning ${columns}`,
  );
  return row;
}

/** Asks every unfinished task of an instance to stop, because the instance is to end. */
export const cancelTasksOf = (q: Queryable, instance_id: string, now: Date) =>
  q.rows(
    sql`update tasks set status = 'canceling', updated_at = greatest(updated_at, ${now})
        where instance_id = ${instance_id} and status in ('queued', 'running')`,
  );

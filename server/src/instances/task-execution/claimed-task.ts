import { type Queryable, tenantScope } from '../../platform/db/queryable.ts';
import { notFound } from '../../platform/errors.ts';
import type { Services } from '../../services.ts';
import { type DeploymentRow, findDeployment } from '../deployments.db.ts';
import { insertStepEvent } from '../instance-events.db.ts';
import { lockInstance } from '../instances.db.ts';
import { finishStep, holdTask, isRunnersTask, type RunnableTask } from '../tasks.db.ts';
import { TakenOver } from './failures.ts';
import type { Step, StepContext } from './steps.ts';

/** A task in the hands of a runner. */
export interface Run extends StepContext {
  runner_id: string;
}

export function newRun(services: Services, tenant_id: string, task: RunnableTask, runner_id: string): Run {
  const q = services.db.tenant(tenant_id);
  let deployment: Promise<DeploymentRow> | undefined;
  return {
    services,
    tenant_id,
    task,
    q,
    runner_id,
    deployment: () => (deployment ??= getDeployment(q, task)),
    asRunner: (work) =>
      services.db.transaction(tenantScope(tenant_id), async (tx) => {
        const [, isHeld, result] = await Promise.all([
          lockInstance(tx, task.instance_id),
          holdTask(tx, task.task_id, runner_id),
          work(tx),
        ]);
        if (!isHeld) throw new TakenOver();
        return result;
      }),
    isWanted: () => isRunnersTask(q, task.task_id, runner_id, 'running'),
  };
}

async function getDeployment(q: Queryable, { deployment_id }: RunnableTask): Promise<DeploymentRow> {
  const deployment = deployment_id ? await findDeployment(q, deployment_id) : undefined;
  if (!deployment) throw notFound('Deployment');
  return deployment;
}

/**
 * Notes that a step has ended, in one round trip with what comes next: each commit wakes followers, and such commits
 * wait for one another. Whoever needs several of them locks the instance before its task, and the task before its steps.
 */
export async function noteEnd<T>(
  { task, runner_id }: Run,
  q: Queryable,
  ended: Step | undefined,
  now: Date,
  next: () => Promise<T>,
): Promise<T> {
  const { task_id, instance_id } = task;
  const [, result] = await Promise.all([
    ended &&
      insertStepEvent(q, { instance_id, task_id, runner_id, step: ended.name, message: ended.message, now }),
    next(),
    ended && finishStep(q, { task_id, runner_id, step: ended.name, status: 'done', now }),
  ]);
  return result;
}

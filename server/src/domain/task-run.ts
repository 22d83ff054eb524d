import type { Queryable } from '../db/database.ts';
import { type DeploymentRow, findDeployment } from '../db/deployments.ts';
import { insertStepEvent } from '../db/instance-events.ts';
import { finishStep, isRunnersTask, type RunnableTask } from '../db/tasks.ts';
import { notFound } from '../errors.ts';
import type { Step, StepContext } from './provisioning.ts';
import type { Services } from './services.ts';

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
  { task }: Run,
  q: Queryable,
  ended: Step | undefined,
  now: Date,
  next: () => Promise<T>,
): Promise<T> {
  const [, result] = await Promise.all([
    ended && insertStepEvent(q, task.instance_id, ended.name, ended.message, now),
    next(),
    ended && finishStep(q, task.task_id, ended.name, 'done', now),
  ]);
  return result;
}

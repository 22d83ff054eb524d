import { type DeploymentRow, findDeployment } from '../instances/deployments.db.ts';
import { lockInstance } from '../instances/instances.db.ts';
import type { TaskKind } from '../instances/tasks.contract.ts';
import { holdTask, type RunnableTask, type RunnersTask } from '../instances/tasks.db.ts';
import type { TenantDb, TenantTx } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { TakenOver } from './failures.ts';

/** A task and its runner, for the steps. */
export class ClaimedTask implements RunnersTask {
  readonly task_id: string;
  readonly instance_id: string;
  readonly deployment_id: string | null;
  readonly kind: TaskKind;
  readonly runner_id: string;
  /** In the task's tenant. */
  readonly q: TenantDb;
  #deployment: Promise<DeploymentRow> | undefined;

  constructor(q: TenantDb, { task_id, instance_id, deployment_id, kind }: RunnableTask, runner_id: string) {
    this.task_id = task_id;
    this.instance_id = instance_id;
    this.deployment_id = deployment_id;
    this.kind = kind;
    this.runner_id = runner_id;
    this.q = q;
  }

  /** Never changes, so it is read once. */
  deployment(): Promise<DeploymentRow> {
    this.#deployment ??= this.#findDeployment();
    return this.#deployment;
  }

  /**
   * Runs `work` in a transaction that locks the instance, then the task. Throws TakenOver instead when another runner has the
   * task, because that runner may have undone everything.
   */
  asRunner<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.q.transaction(async (tx) => {
      const { isHeld } = await tx.run({ lock: lockInstance(this.instance_id), isHeld: holdTask(this) });
      if (!isHeld) throw new TakenOver();
      return work(tx);
    });
  }

  async #findDeployment(): Promise<DeploymentRow> {
    const { deployment_id, q } = this;
    return found('Deployment', deployment_id === null ? null : await q.run(findDeployment(deployment_id)));
  }
}

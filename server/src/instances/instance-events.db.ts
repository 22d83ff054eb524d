import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface InstanceEventRow {
  id: number;
  at: Date;
  from: InstanceStatus | null;
  to: InstanceStatus;
  step: string | null;
  message: string | null;
}

const columns = fragment('id, at, "from", "to", step, message');

export const listInstanceEvents = (q: Queryable, instance_id: string, limit: number, offset: number) =>
  q.rows(
    sql<InstanceEventRow & { total: number }>`
      select ${columns}, count(*) over () as total from instance_events where instance_id = ${instance_id}
      order by id desc limit ${limit} offset ${offset}`,
  );

/** What was written after the event `after`, oldest first. */
export const listInstanceEventsAfter = (q: Queryable, instance_id: string, after: number, limit: number) =>
  q.rows(
    sql<InstanceEventRow>`
      select ${columns} from instance_events where instance_id = ${instance_id} and id > ${after}
      order by id limit ${limit}`,
  );

export interface StepEvent {
  instance_id: string;
  task_id: string;
  runner_id: string;
  step: string;
  message: string;
  now: Date;
}

/**
 * A line about a step of a task, unless the task is no longer the runner's; the state stays what it is. It holds the
 * instance until the transaction ends, as every line does: else one with a smaller number could be committed later, and
 * who follows the log by its numbers would miss it. Then it holds the task.
 */
export const insertStepEvent = (q: Queryable, event: StepEvent) =>
  q.rows(
    sql`insert into instance_events (tenant_id, instance_id, at, "from", "to", step, message)
        select i.tenant_id, i.id, ${event.now}, i.status, i.status, ${event.step}, ${event.message}
        from instances i join tasks t on t.instance_id = i.id
        where i.id = ${event.instance_id} and t.id = ${event.task_id} and t.runner_id = ${event.runner_id}
        for no key update of i, t`,
  );

/** The first line of an instance. */
export const insertFirstEvent = (q: Queryable, instance_id: string, now: Date) =>
  q.rows(
    sql`insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
        values (current_tenant(), ${instance_id}, ${now}, null, 'pending', 'Deploy accepted')`,
  );

import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

interface InstanceEventRow {
  id: number;
  at: Date;
  from: InstanceStatus | null;
  to: InstanceStatus;
  step: string | null;
  message: string | null;
}

/**
 * Inserts the rows of a select that follows. Every writer locks the instance: otherwise an event could commit after one with
 * a higher id, and followers, who read by id, would miss it.
 */
export const INTO_EVENTS = fragment(
  'insert into instance_events (tenant_id, instance_id, at, "from", "to", step, message)',
);

const columns = fragment('id, at, "from", "to", step, message');

export const listInstanceEvents = (instance_id: string, limit: number, offset: number) =>
  sql<InstanceEventRow & { total: number }>`
    select ${columns}, count(*) over () as total from instance_events where instance_id = ${instance_id}
    order by id desc limit ${limit} offset ${offset}`;

/** Oldest first. @param after the id of the last event that was read */
export const listInstanceEventsAfter = (instance_id: string, after: number, limit: number) =>
  sql<InstanceEventRow>`
    select ${columns} from instance_events where instance_id = ${instance_id} and id > ${after}
    order by id limit ${limit}`;

/** Writes nothing once another runner has the task. Locks the instance, then the task. */
export const insertStepEvent = (
  { instance_id, task_id, runner_id }: { instance_id: string; task_id: string; runner_id: string },
  step: { name: string; message: string },
) =>
  sql`${INTO_EVENTS}
      select i.tenant_id, i.id, ${NOW}, i.status, i.status, ${step.name}, ${step.message}
      from instances i join tasks t on t.instance_id = i.id
      where i.id = ${instance_id} and t.id = ${task_id} and t.runner_id = ${runner_id}
      for no key update of i, t`;

export const insertFirstEvent = (instance_id: string) =>
  sql`insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
      values (current_tenant(), ${instance_id}, ${NOW}, null, 'pending', 'Deploy accepted')`;

export const oldEvents = (days: number): Deletion =>
  expiredRows({
    table: 'instance_events',
    where: sql`at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'`,
    orderBy: 'at',
    skipsLocked: false,
  });

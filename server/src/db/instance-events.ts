import type { InstanceStatus } from '../contract/instances.ts';
import type { Queryable } from './database.ts';
import { fragment, sql } from './sql.ts';

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

/** A line about a step; the state stays what it is. It holds the instance's row from now on, not only at the commit. */
export const insertStepEvent = (
  q: Queryable,
  instance_id: string,
  step: string,
  message: string,
  now: Date,
) =>
  q.rows(
    sql`insert into instance_events (tenant_id, instance_id, at, "from", "to", step, message)
        select tenant_id, id, ${now}, status, status, ${step}, ${message} from instances where id = ${instance_id}
        for key share`,
  );

/** The first line of an instance. */
export const insertFirstEvent = (q: Queryable, instance_id: string, now: Date) =>
  q.rows(
    sql`insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
        values (current_tenant(), ${instance_id}, ${now}, null, 'pending', 'Deploy accepted')`,
  );

import type { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';

/** A message that waits, and the instance that it is for. */
export interface PendingMessageRow {
  id: string;
  message_id: string;
  channel: string;
  external_id: string;
  text: string | null;
  raw: { message: { from?: unknown } };
  received_at: Date;
  give_up_at: Date;
  last_error: string | null;
  instance_id: string;
  instance_status: InstanceStatus;
  instance_customer_id: string;
  hosting_mode: HostingMode;
  runtime_address: string | null;
  sealed_message_secret: Buffer | null;
}

/**
 * The oldest waiting message of the conversation that the message `id` belongs to. It is looked for by itself: in a join
 * PostgreSQL would go through all that wait, where many came since it last counted them.
 */
export async function findOldestPending(q: Queryable, id: string): Promise<PendingMessageRow | undefined> {
  const [row] = await q.rows(
    sql<PendingMessageRow>`
      select m.id, m.message_id, m.channel, m.external_id, m.text, m.raw, m.received_at, m.give_up_at, m.last_error,
             i.id as instance_id, i.status as instance_status, i.customer_id as instance_customer_id, i.hosting_mode,
             i.runtime_address, i.sealed_message_secret
      from channel_messages m
      join channel_endpoints e on e.id = m.endpoint_id
      join instances i on i.id = e.instance_id
      where m.id = (
        select oldest.id from channel_messages oldest
        where oldest.endpoint_id = (select endpoint_id from channel_messages where id = ${id})
          and oldest.external_id = (select external_id from channel_messages where id = ${id})
          and oldest.status = 'pending'
        order by oldest.number limit 1)`,
  );
  return row;
}

/** The only customer that the instance serves; undefined when there are several, or none. */
export async function findOnlyCustomer(q: Queryable, instance_id: string): Promise<string | undefined> {
  const rows = await q.rows(
    sql<{ customer_id: string }>`
      select distinct customer_id from deployments where instance_id = ${instance_id} and released_at is null limit 2`,
  );
  return rows.length === 1 ? rows[0]?.customer_id : undefined;
}
